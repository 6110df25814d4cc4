//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The part of HeadroomDarwinStub.h that is about memory, threads, processes and the system.

#ifndef HEADROOM_DARWIN_PROCESS_STUB_H
#define HEADROOM_DARWIN_PROCESS_STUB_H

#include "HeadroomDarwinStub.h"

// MARK: Memory

#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
#define MAP_FAILED ((void *)-1)
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int madvise(void *, size_t, int);
int msync(void *, size_t, int);
int mlock(const void *, size_t);
int munlock(const void *, size_t);
void free(void *);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strdup(const char *);
char *strerror(int);
int strerror_r(int, char *, size_t);

// MARK: Threads

struct _opaque_pthread_t { long __sig; char __opaque[8176]; };
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
struct _opaque_pthread_cond_t { long __sig; char __opaque[40]; };
struct _opaque_pthread_condattr_t { long __sig; char __opaque[8]; };
struct _opaque_pthread_rwlock_t { long __sig; char __opaque[192]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t pthread_cond_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
typedef unsigned long pthread_key_t;
#define PTHREAD_CREATE_JOINABLE 1
#define PTHREAD_CREATE_DETACHED 2
int pthread_create(
    pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable,
    void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_join(pthread_t _Nonnull, void *_Nullable *_Nullable);
int pthread_detach(pthread_t _Nonnull);
pthread_t _Nonnull pthread_self(void);
int pthread_attr_init(pthread_attr_t *_Nonnull);
int pthread_attr_destroy(pthread_attr_t *_Nonnull);
int pthread_attr_setdetachstate(pthread_attr_t *_Nonnull, int);
int pthread_attr_setstacksize(pthread_attr_t *_Nonnull, size_t);
int pthread_mutex_init(pthread_mutex_t *_Nonnull, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull);
int pthread_mutex_trylock(pthread_mutex_t *_Nonnull);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull);
int pthread_cond_init(pthread_cond_t *_Nonnull, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *_Nonnull);
int pthread_cond_wait(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull);
int pthread_cond_signal(pthread_cond_t *_Nonnull);
int pthread_cond_broadcast(pthread_cond_t *_Nonnull);
typedef enum : unsigned int {
    QOS_CLASS_USER_INITIATED = 0x19,
    QOS_CLASS_UTILITY = 0x11,
    QOS_CLASS_BACKGROUND = 0x09,
} qos_class_t;
int pthread_set_qos_class_self_np(qos_class_t, int);
int sched_yield(void);

// MARK: Processes and users

#define SIGHUP 1
#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGURG 16
#define SIGSTOP 17
#define SIGCONT 19
#define WNOHANG 1
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int kill(pid_t, int);
int killpg(pid_t, int);
pid_t waitpid(pid_t, int *, int);
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
unsigned int sleep(unsigned int);
int usleep(useconds_t);
int nanosleep(const struct timespec *, struct timespec *);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int execvp(const char *, char *const *) HR_NO_TV_NO_WATCH;
int execve(const char *, char *const *, char *const *) HR_NO_TV_NO_WATCH;
pid_t fork(void) HR_NO_TV_NO_WATCH;
long sysconf(int);
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
size_t confstr(int, char *, size_t);
#define _CS_DARWIN_USER_TEMP_DIR 65537
#define _CS_DARWIN_USER_CACHE_DIR 65538
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);

struct passwd {
    char *pw_name;
    char *pw_passwd;
    uid_t pw_uid;
    gid_t pw_gid;
    time_t pw_change;
    char *pw_class;
    char *pw_gecos;
    char *pw_dir;
    char *pw_shell;
    time_t pw_expire;
};
struct passwd *getpwuid(uid_t);
struct passwd *getpwnam(const char *);
int getpwuid_r(uid_t, struct passwd *, char *, size_t, struct passwd **);

typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
int posix_spawn(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    char *const *, char *const *) HR_NO_TV_NO_WATCH;
int posix_spawnp(
    pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    char *const *, char *const *) HR_NO_TV_NO_WATCH;
int posix_spawnattr_init(posix_spawnattr_t *) HR_NO_TV_NO_WATCH;
int posix_spawnattr_destroy(posix_spawnattr_t *) HR_NO_TV_NO_WATCH;
int posix_spawnattr_setflags(posix_spawnattr_t *, short) HR_NO_TV_NO_WATCH;
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t) HR_NO_TV_NO_WATCH;
int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *) HR_NO_TV_NO_WATCH;
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *, int, const char *, int, mode_t) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int) HR_NO_TV_NO_WATCH;
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *) HR_MAC_ONLY;

// MARK: Limits, clocks, the system

typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
#define RLIMIT_NOFILE 8
#define RLIM_INFINITY (((uint64_t)1 << 63) - 1)
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
    long ru_ixrss, ru_idrss, ru_isrss;
    long ru_minflt, ru_majflt;
    long ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN -1
int getrusage(int, struct rusage *);
typedef enum {
    CLOCK_REALTIME = 0,
    CLOCK_MONOTONIC = 6,
    CLOCK_MONOTONIC_RAW = 4,
    CLOCK_PROCESS_CPUTIME_ID = 12,
    CLOCK_THREAD_CPUTIME_ID = 16,
} clockid_t;
int clock_gettime(clockid_t, struct timespec *);
#define CLOCKS_PER_SEC ((clock_t)1000000)
clock_t clock(void);
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
time_t time(time_t *);
struct tm *localtime_r(const time_t *, struct tm *);
struct tm *gmtime_r(const time_t *, struct tm *);
time_t mktime(struct tm *);
void tzset(void);
struct utsname {
    char sysname[256];
    char nodename[256];
    char release[256];
    char version[256];
    char machine[256];
};
int uname(struct utsname *);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
int gethostname(char *, size_t);

#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *, nfds_t, int);

int getdtablesize(void);
#define IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES 3
#define IOPOL_SCOPE_PROCESS 0
#define IOPOL_SCOPE_THREAD 1
#define IOPOL_MATERIALIZE_DATALESS_FILES_DEFAULT 0
#define IOPOL_MATERIALIZE_DATALESS_FILES_OFF 1
#define IOPOL_MATERIALIZE_DATALESS_FILES_ON 2
int getiopolicy_np(int, int);
int setiopolicy_np(int, int, int);
#define CTL_KERN 1
#define KERN_PROC 14
#define KERN_PROC_PID 1
int sysctl(int *, u_int, void *, size_t *, void *, size_t);
// Of their many fields only the ones that are looked at.
struct extern_proc { struct timeval p_starttime; pid_t p_pid; };
struct kinfo_proc { struct extern_proc kp_proc; };

#endif
