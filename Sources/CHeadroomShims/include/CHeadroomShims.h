//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Swift cannot import: calls that glibc hides without _GNU_SOURCE, varargs and ioctl numbers.
// Each wrapper is the bare system call: -1 and errno on failure, nothing retried.

#ifndef C_HEADROOM_SHIMS_H
#define C_HEADROOM_SHIMS_H

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "CHeadroomDarwin.h"
#include "CHeadroomExtents.h"
#include "CHeadroomLocks.h"

// A hint to the processor: changes nothing, and no address is wrong.
static inline void hr_prefetch(const void *address) { __builtin_prefetch(address); }

#if defined(__linux__)
#include <linux/fanotify.h>
#include <linux/fs.h>
#include <linux/quota.h>
#include <linux/stat.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_getxattrat
#define SYS_getxattrat 464
#endif
#ifndef SYS_listxattrat
#define SYS_listxattrat 465
#endif
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif
#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x00002000
#endif

enum {
    HR_AT_EMPTY_PATH = 0x1000,
    HR_AT_NO_AUTOMOUNT = 0x800,
    HR_O_PATH = 010000000,
    HR_O_NOATIME = 01000000,
    HR_O_TMPFILE = 020000000 | O_DIRECTORY,
    HR_RENAME_NOREPLACE = 1,
    HR_RENAME_EXCHANGE = 2,
    HR_F_SETLEASE = 1024,
    HR_F_GETLEASE = 1025,
    HR_F_SETSIG = 10,
    HR_F_OFD_SETLK = 37,
    HR_RESOLVE_NO_XDEV = 0x01,
    HR_RESOLVE_NO_MAGICLINKS = 0x02,
    HR_RESOLVE_NO_SYMLINKS = 0x04,
    HR_RESOLVE_BENEATH = 0x08,
};

static const unsigned int HR_STATX_MASK = STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID;
static const uint64_t HR_STATX_ATTR_MOUNT_ROOT = STATX_ATTR_MOUNT_ROOT;
static const uint64_t HR_STATX_ATTR_IMMUTABLE = STATX_ATTR_IMMUTABLE;
static const uint64_t HR_STATX_ATTR_APPEND = STATX_ATTR_APPEND;

static inline int hr_statx(int dirfd, const char *path, int flags, unsigned int mask,
                           struct statx *out) {
    return (int)syscall(SYS_statx, dirfd, path, flags, mask, out);
}

static inline long hr_getdents64(int fd, void *buffer, size_t size) {
    return syscall(SYS_getdents64, fd, buffer, size);
}

struct hr_open_how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};

static inline int hr_openat2(int dirfd, const char *path, uint64_t flags, uint64_t resolve) {
    struct hr_open_how how = {flags, 0, resolve};
    return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

// Opens or makes; no component of the path may be a link.
static inline int hr_open_without_links(int dirfd, const char *path, int flags, mode_t mode) {
    struct hr_open_how how = {
        (uint64_t)flags, mode, HR_RESOLVE_NO_SYMLINKS | HR_RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

struct hr_quota {
    uint64_t hard_bytes, soft_bytes, used_bytes;
    uint64_t hard_inodes, soft_inodes, used_inodes;
};

// type: 0 user, 2 project. Limits of 0 mean none. Needs Linux 5.14 (quotactl_fd).
static inline int hr_quota_of(int fd, int type, uint32_t id, struct hr_quota *out) {
    struct if_dqblk block;
    if (syscall(SYS_quotactl_fd, fd, QCMD(Q_GETQUOTA, type), id, &block) != 0) return -1;
    int limits = (block.dqb_valid & QIF_BLIMITS) && (block.dqb_valid & QIF_SPACE);
    int inodes = (block.dqb_valid & QIF_ILIMITS) && (block.dqb_valid & QIF_INODES);
    // The kernel counts limits in units of 1 KiB (QIF_DQBLKSIZE) and use in bytes.
    out->hard_bytes = limits ? block.dqb_bhardlimit << 10 : 0;
    out->soft_bytes = limits ? block.dqb_bsoftlimit << 10 : 0;
    out->used_bytes = limits ? block.dqb_curspace : 0;
    out->hard_inodes = inodes ? block.dqb_ihardlimit : 0;
    out->soft_inodes = inodes ? block.dqb_isoftlimit : 0;
    out->used_inodes = inodes ? block.dqb_curinodes : 0;
    return 0;
}

// struct statfs is not in the modules that Swift imports.
static inline int hr_file_system_id(int fd, uint64_t *identifier) {
    struct statfs status;
    int result = fstatfs(fd, &status);
    if (result == 0) {
        *identifier = (uint64_t)(uint32_t)status.f_fsid.__val[1] << 32
            | (uint32_t)status.f_fsid.__val[0];
    }
    return result;
}

static inline int hr_project_of(int fd, uint32_t *project) {
    struct fsxattr attributes;
    if (ioctl(fd, FS_IOC_FSGETXATTR, &attributes) != 0) return -1;
    *project = attributes.fsx_projid;
    return 0;
}

static inline int hr_renameat2(int from_dir, const char *from, int to_dir, const char *to,
                               unsigned int flags) {
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

struct hr_xattr_args {
    uint64_t value;
    uint32_t size;
    uint32_t flags;
};

static inline long hr_listxattrat(int dirfd, const char *path, unsigned int at_flags, void *list,
                                  size_t size) {
    return syscall(SYS_listxattrat, dirfd, path, at_flags, list, size);
}

static inline long hr_getxattrat(int dirfd, const char *path, unsigned int at_flags,
                                 const char *name, void *value, size_t size) {
    struct hr_xattr_args args = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
    return syscall(SYS_getxattrat, dirfd, path, at_flags, name, &args, sizeof(args));
}

static inline int hr_get_inode_flags(int fd, long *flags) {
    return ioctl(fd, FS_IOC_GETFLAGS, flags);
}

static inline int hr_set_inode_flags(int fd, const long *flags) {
    return ioctl(fd, FS_IOC_SETFLAGS, flags);
}

// RUSAGE_THREAD is hidden without _GNU_SOURCE; its value is part of the ABI.
static inline long hr_thread_wait_count(void) {
    struct rusage usage;
    return getrusage((__rusage_who_t)1, &usage) == 0 ? usage.ru_nvcsw : -1;
}

// The number of the calling thread, as in /proc/self/task. glibc has gettid since 2.30.
static inline pid_t hr_thread_number(void) { return (pid_t)syscall(SYS_gettid); }

// For the calling thread: nice 10, and disk time only when nobody else wants any.
static inline void hr_lower_thread_priority(void) {
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
    syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}

// Open-file-description locks: they belong to the descriptor, not to the process.
enum { HR_F_OFD_GETLK = 36, HR_AT_STATX_DONT_SYNC = 0x4000 };

static inline int hr_ofd_set_lock(int fd, short type, off_t start, off_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(fd, HR_F_OFD_SETLK, &lock);
}

// 1: a lock of another stands in the way; 0: none does; -1: errno.
static inline int hr_ofd_lock_conflicts(int fd, short type, off_t start, off_t length) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    if (fcntl(fd, HR_F_OFD_GETLK, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

// fallocate(2) without changing the length.
static inline int hr_reserve(int fd, int64_t size) {
    return (int)syscall(SYS_fallocate, fd, 1 /* FALLOC_FL_KEEP_SIZE */, (off_t)0, (off_t)size);
}

static inline int hr_syncfs(int fd) { return (int)syscall(SYS_syncfs, fd); }

// Tests look at files as another user: of the calling thread, and those it starts, alone.
extern int setfsuid(uid_t);

static inline int hr_thread_set_user(uid_t user) { return setfsuid(user); }

// The whole of it: effective user and capabilities, and not those of other threads as in glibc.
static inline int hr_thread_become(uid_t user) {
    return (int)syscall(SYS_setresuid, (uid_t)-1, user, (uid_t)-1);
}

static inline int hr_clone_file(int to, int from) { return ioctl(to, FICLONE, from); }

// Hidden by glibc (2.29 and 2.34) without _GNU_SOURCE.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

static inline int hr_spawn_addchdir(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

static inline int hr_spawn_addclosefrom(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Change notification. The values of both interfaces' events are the same (linux/fsnotify_backend.h).
enum {
    HR_EVENT_MODIFY = 0x2,
    HR_EVENT_ATTRIBUTES = 0x4,
    HR_EVENT_CLOSE_WRITE = 0x8,
    HR_EVENT_MOVED_FROM = 0x40,
    HR_EVENT_MOVED_TO = 0x80,
    HR_EVENT_CREATE = 0x100,
    HR_EVENT_DELETE = 0x200,
    HR_EVENT_UNMOUNT = 0x2000,
    HR_EVENT_OVERFLOW = 0x4000,
    HR_EVENT_IGNORED = 0x8000,
    HR_EVENT_DIRECTORY = 0x40000000,
    HR_EVENT_CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200,
};

#ifndef FAN_REPORT_DIR_FID
#define FAN_REPORT_DIR_FID 0x00000400
#endif
#ifndef FAN_REPORT_NAME
#define FAN_REPORT_NAME 0x00000800
#endif
enum { HR_FANOTIFY_DIRECTORY_AND_NAME = 2 /* FAN_EVENT_INFO_TYPE_DFID_NAME */ };

// Reports directories by handle and entries by name; needs CAP_SYS_ADMIN and Linux 5.9.
static inline int hr_fanotify_open(void) {
    unsigned int flags = FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_NONBLOCK | FAN_UNLIMITED_QUEUE
        | FAN_UNLIMITED_MARKS | FAN_REPORT_DIR_FID | FAN_REPORT_NAME;
    return (int)syscall(SYS_fanotify_init, flags, O_RDONLY | O_CLOEXEC);
}

// Watches the whole file system that an open directory lies on.
static inline int hr_fanotify_watch(int fanotify, int directory) {
    uint64_t mask = HR_EVENT_CHANGES | FAN_ONDIR | FAN_EVENT_ON_CHILD;
    return (int)syscall(SYS_fanotify_mark, fanotify, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, mask,
                        directory, NULL);
}

// The file-system id and handle of an open directory as fanotify reports them: 8 bytes, then handle
// size and type (4 each), then the handle. Returns the length; -1 and errno.
static inline long hr_directory_handle(int directory, uint8_t *out, size_t capacity) {
    struct { unsigned int bytes; int type; uint8_t handle[128]; } handle = {.bytes = 128};
    int mount;
    struct statfs status;
    if (syscall(SYS_name_to_handle_at, directory, "", &handle, &mount, HR_AT_EMPTY_PATH) != 0
        || fstatfs(directory, &status) != 0) {
        return -1;
    }
    size_t length = 8 + 8 + handle.bytes;
    if (length > capacity) {
        errno = EOVERFLOW;
        return -1;
    }
    memcpy(out, &status.f_fsid, 8);
    memcpy(out + 8, &handle, 8 + handle.bytes);
    return (long)length;
}

static inline int hr_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

static inline int hr_inotify_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

// By the descriptor: a path may lead elsewhere by now, or be too long.
static inline int hr_inotify_watch(int inotify, int directory) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
    return inotify_add_watch(inotify, path, HR_EVENT_CHANGES | IN_ONLYDIR | IN_EXCL_UNLINK);
}

static inline int hr_inotify_forget(int inotify, int watch) {
    return inotify_rm_watch(inotify, watch);
}
#endif

// Swift files that need nothing else of the C library are spared its import.
static inline int64_t hr_wall_clock(int64_t *nanoseconds) {
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME, &time);
    *nanoseconds = time.tv_nsec;
    return time.tv_sec;
}

// The clock that file systems take the times of changes from.
static inline int64_t hr_file_clock(int64_t *nanoseconds) {
    struct timespec time = {0};
#if defined(__linux__)
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
#else
    clock_gettime(CLOCK_REALTIME, &time);
#endif
    *nanoseconds = time.tv_nsec;
    return time.tv_sec;
}

#if defined(__linux__)
// A file in memory without a name; glibc has it since 2.27, the Swift overlay not everywhere.
static inline int hr_memfd_create(void) {
    return (int)syscall(SYS_memfd_create, "headroom", 1u /* MFD_CLOEXEC */);
}
#endif

// open(2) and fcntl(2) are variadic.
static inline int hr_openat(int dirfd, const char *path, int flags, mode_t mode) {
    return openat(dirfd, path, flags, mode);
}

// Named as Swift's own types name theirs.
static inline ssize_t hr_write(int fd, const void *bytes, size_t count) {
    return write(fd, bytes, count);
}

static inline int hr_fcntl(int fd, int command, long argument) {
    return fcntl(fd, command, argument);
}

// The processor's own CRC-32C: an instruction that Swift has no name for. Three words of different
// parts at a time, since each takes three cycles and one can begin in each.
#if defined(__x86_64__)
static inline int hr_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }

#define HR_CRC32C_TARGET __attribute__((target("sse4.2")))
#define HR_CRC32C_WORD(crc, word) __builtin_ia32_crc32di((crc), (word))
#define HR_CRC32C_BYTE(crc, byte) __builtin_ia32_crc32qi((uint32_t)(crc), (byte))
#define HR_HAS_CRC32C 1
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
static inline int hr_has_crc32c(void) { return 1; }

#define HR_CRC32C_TARGET
#define HR_CRC32C_WORD(crc, word) __builtin_arm_crc32cd((uint32_t)(crc), (word))
#define HR_CRC32C_BYTE(crc, byte) __builtin_arm_crc32cb((uint32_t)(crc), (byte))
#define HR_HAS_CRC32C 1
#else
static inline int hr_has_crc32c(void) { return 0; }
#endif

// The length of each of the three parts.
#define HR_CRC32C_PART 1024

static inline uint64_t hr_load_word(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// Continues a checksum (neither inverted at the start nor at the end). `skip` holds four tables of
// 256: what HR_CRC32C_PART zero bytes make of each byte of a checksum.
#if defined(HR_HAS_CRC32C)
HR_CRC32C_TARGET
static inline uint32_t hr_crc32c(
    uint32_t start, const void *data, size_t count, const uint32_t *skip) {
    const uint8_t *bytes = (const uint8_t *)data;
    uint64_t crc = start;
    while (count >= 3 * HR_CRC32C_PART) {
        uint64_t second = 0, third = 0;
        for (size_t at = 0; at < HR_CRC32C_PART; at += 8) {
            crc = HR_CRC32C_WORD(crc, hr_load_word(bytes + at));
            second = HR_CRC32C_WORD(second, hr_load_word(bytes + HR_CRC32C_PART + at));
            third = HR_CRC32C_WORD(third, hr_load_word(bytes + 2 * HR_CRC32C_PART + at));
        }
        crc = skip[crc & 0xFF] ^ skip[256 + (crc >> 8 & 0xFF)] ^ skip[512 + (crc >> 16 & 0xFF)]
            ^ skip[768 + (crc >> 24 & 0xFF)] ^ second;
        crc = skip[crc & 0xFF] ^ skip[256 + (crc >> 8 & 0xFF)] ^ skip[512 + (crc >> 16 & 0xFF)]
            ^ skip[768 + (crc >> 24 & 0xFF)] ^ third;
        bytes += 3 * HR_CRC32C_PART;
        count -= 3 * HR_CRC32C_PART;
    }
    for (; count >= 8; bytes += 8, count -= 8) crc = HR_CRC32C_WORD(crc, hr_load_word(bytes));
    for (; count > 0; bytes++, count--) crc = HR_CRC32C_BYTE(crc, *bytes);
    return (uint32_t)crc;
}

HR_CRC32C_TARGET
static inline uint32_t hr_crc32c_number(uint32_t start, uint64_t number) {
    return (uint32_t)HR_CRC32C_WORD(start, number);
}
#else
static inline uint32_t hr_crc32c_number(uint32_t start, uint64_t number) {
    (void)number;
    return start;
}

static inline uint32_t hr_crc32c(
    uint32_t start, const void *data, size_t count, const uint32_t *skip) {
    (void)data, (void)count, (void)skip;
    return start;
}
#endif

// The same for at least 256 bytes, by carry-less multiplication of 256 bits and more at a time; 64 bytes a
// cycle or two (shims.c). Only where hr_has_wide_crc32c says that the processor can.
int hr_has_wide_crc32c(void);
uint32_t hr_crc32c_wide(uint32_t start, const void *data, size_t count);

// No call is asked for more: Darwin's refuse what is longer than an int can say (EINVAL).
#define HR_MOST_PER_CALL ((size_t)1 << 30)

// Cuts two lengths to what one call may be asked for.
static inline void hr_cut_parts(size_t *first, size_t *second) {
    if (*first > HR_MOST_PER_CALL) *first = HR_MOST_PER_CALL;
    if (*second > HR_MOST_PER_CALL - *first) *second = HR_MOST_PER_CALL - *first;
}

static inline ssize_t hr_pwrite_parts(
    int fd, const void *first, size_t firstCount, const void *second, size_t secondCount,
    off_t offset) {
    hr_cut_parts(&firstCount, &secondCount);
    struct iovec parts[2] = {
        {.iov_base = (void *)first, .iov_len = firstCount},
        {.iov_base = (void *)second, .iov_len = secondCount},
    };
    return pwritev(fd, parts, 2, offset);
}

static inline ssize_t hr_pread(int fd, void *data, size_t count, off_t offset) {
    return pread(fd, data, count > HR_MOST_PER_CALL ? HR_MOST_PER_CALL : count, offset);
}

// Memory for keys: pages of their own, locked where the limit allows (*locked), left out of dumps, and
// empty in a child that is forked. NULL if there is none. Freed by hr_secret_free, which wipes it first.
void *hr_secret_make(size_t count, int *locked);
void hr_secret_free(void *base, size_t count);
// Called with what has been wiped, before it is unmapped: all of its pages. For tests, which cannot look at
// memory that is gone; NULL, as it is at first, for none.
typedef void (*hr_secret_witness)(const void *base, size_t size);
void hr_secret_set_witness(hr_secret_witness witness);

// Gives an open file the owner, permissions, extended attributes and times of another. -1 and errno if
// any of them cannot be had, but for attributes outside of `user`.
int hr_copy_metadata(int source, int target);

// The kernel's keyring of the user (keyrings(7)). All give -1 and errno; ENOTSUP where there is none.
long hr_keyring_add(const char *name, const void *payload, size_t count);
long hr_keyring_find(const char *name);
long hr_keyring_read(long key, void *buffer, size_t count);
// Seconds from now; 0: for ever.
long hr_keyring_set_timeout(long key, unsigned seconds);
long hr_keyring_invalidate(long key);

#endif
