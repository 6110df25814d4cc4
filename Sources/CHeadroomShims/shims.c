//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is not inline: intrinsics whose header no importer of the module has to read.
#include "CHeadroomShims.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define HR_WIDE __attribute__((target("avx512f,vpclmulqdq,pclmul,sse4.2")))

int hr_has_wide_crc32c(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq")
        && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.2");
}

// Moves what 16 bytes stand for on by as many bits as the constants say (x to the power of bits + 31 and
// of bits - 33, modulo the polynomial, reflected), and adds the bytes that stand there. See Gopal et al.,
// "Fast CRC computation for generic polynomials using PCLMULQDQ instruction", Intel, 2009.
HR_WIDE static inline __m512i hr_fold(__m512i sum, __m512i constants, __m512i bytes) {
    __m512i low = _mm512_clmulepi64_epi128(sum, constants, 0x00);
    __m512i high = _mm512_clmulepi64_epi128(sum, constants, 0x11);
    return _mm512_ternarylogic_epi64(low, high, bytes, 0x96);
}

HR_WIDE static inline __m128i hr_fold_one(__m128i sum, __m128i constants, __m128i bytes) {
    __m128i low = _mm_clmulepi64_si128(sum, constants, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, constants, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), bytes);
}

HR_WIDE uint32_t hr_crc32c_wide(uint32_t start, const void *data, size_t count) {
    const uint8_t *bytes = (const uint8_t *)data;
    const __m512i by256 = _mm512_set4_epi32(0, (int)0xb9e02b86, 0, (int)0xdcb17aa4);
    const __m512i by64 = _mm512_set4_epi32(0, (int)0x9e4addf8, 0, 0x740eef02);
    const __m128i by16 = _mm_setr_epi32((int)0xf20c0dfe, 0, 0x493c7d27, 0);
    __m512i a = _mm512_loadu_si512(bytes), b = _mm512_loadu_si512(bytes + 64);
    __m512i c = _mm512_loadu_si512(bytes + 128), d = _mm512_loadu_si512(bytes + 192);
    a = _mm512_xor_si512(a, _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)start)));
    for (bytes += 256, count -= 256; count >= 256; bytes += 256, count -= 256) {
        a = hr_fold(a, by256, _mm512_loadu_si512(bytes));
        b = hr_fold(b, by256, _mm512_loadu_si512(bytes + 64));
        c = hr_fold(c, by256, _mm512_loadu_si512(bytes + 128));
        d = hr_fold(d, by256, _mm512_loadu_si512(bytes + 192));
    }
    a = hr_fold(hr_fold(hr_fold(a, by64, b), by64, c), by64, d);
    for (; count >= 64; bytes += 64, count -= 64) {
        a = hr_fold(a, by64, _mm512_loadu_si512(bytes));
    }
    __m128i sum = _mm512_castsi512_si128(a);
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 1));
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 2));
    sum = hr_fold_one(sum, by16, _mm512_extracti32x4_epi32(a, 3));
    // What is left is as many bytes as any others, after nothing.
    uint64_t crc = _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(sum));
    crc = _mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(sum, 1));
    for (; count >= 8; bytes += 8, count -= 8) crc = _mm_crc32_u64(crc, hr_load_word(bytes));
    for (; count > 0; bytes++, count--) crc = _mm_crc32_u8((uint32_t)crc, *bytes);
    return (uint32_t)crc;
}
#else
int hr_has_wide_crc32c(void) { return 0; }

uint32_t hr_crc32c_wide(uint32_t start, const void *data, size_t count) {
    (void)data, (void)count;
    return start;
}
#endif

// MARK: - Secrets

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t hr_secret_size(size_t count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (count + page - 1) / page * page;
}

void *hr_secret_make(size_t count, int *locked) {
    size_t size = hr_secret_size(count);
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (base == MAP_FAILED) return NULL;
    *locked = mlock(base, size) == 0;
    // Both are the best that can be had: neither failing makes the memory less usable.
#ifdef MADV_DONTDUMP
    (void)madvise(base, size, MADV_DONTDUMP);
#endif
#ifdef MADV_WIPEONFORK
    (void)madvise(base, size, MADV_WIPEONFORK);
#endif
    return base;
}

static _Atomic(hr_secret_witness) hr_witness;

void hr_secret_set_witness(hr_secret_witness witness) { atomic_store(&hr_witness, witness); }

void hr_secret_free(void *base, size_t count) {
    size_t size = hr_secret_size(count);
    // Volatile, so that it is not left out because nobody reads it afterwards.
    volatile unsigned char *bytes = base;
    // mutation: r36f-1
    for (size_t at = 0; at < size; at++) bytes[at] = 0;
    hr_secret_witness witness = atomic_load(&hr_witness);
    if (witness != NULL) witness(base, size);
    (void)munlock(base, size);
    (void)munmap(base, size);
}

// MARK: - Metadata

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#if defined(__APPLE__)
#define HR_LIST(fd, list, size) flistxattr(fd, list, size, 0)
#define HR_GET(fd, name, value, size) fgetxattr(fd, name, value, size, 0, 0)
#define HR_SET(fd, name, value, size) fsetxattr(fd, name, value, size, 0, 0)
#define HR_IS_USERS(name) 1
#else
#define HR_LIST(fd, list, size) flistxattr(fd, list, size)
#define HR_GET(fd, name, value, size) fgetxattr(fd, name, value, size)
#define HR_SET(fd, name, value, size) fsetxattr(fd, name, value, size, 0)
#define HR_IS_USERS(name) (strncmp(name, "user.", 5) == 0)
#endif
// XATTR_SIZE_MAX and XATTR_LIST_MAX of Linux.
#define HR_ATTRIBUTE_LIMIT 65536

static int hr_copy_attributes(int source, int target, char *list, char *value) {
    ssize_t length = HR_LIST(source, list, HR_ATTRIBUTE_LIMIT);
    if (length < 0) return errno == ENOTSUP ? 0 : -1;
    for (char *name = list; name < list + length; name += strlen(name) + 1) {
        ssize_t size = HR_GET(source, name, value, HR_ATTRIBUTE_LIMIT);
        if ((size < 0 || HR_SET(target, name, value, (size_t)size) < 0) && HR_IS_USERS(name))
            return -1;
    }
    return 0;
}

int hr_copy_metadata(int source, int target) {
    struct stat from, to;
    if (fstat(source, &from) < 0 || fstat(target, &to) < 0) return -1;
    if ((from.st_uid != to.st_uid || from.st_gid != to.st_gid)
        && fchown(target, from.st_uid, from.st_gid) < 0)
        return -1;
    char *buffers = malloc(2 * HR_ATTRIBUTE_LIMIT);
    if (buffers == NULL) return -1;
    int result = hr_copy_attributes(source, target, buffers, buffers + HR_ATTRIBUTE_LIMIT);
    free(buffers);
    if (result < 0 || fchmod(target, from.st_mode & 07777) < 0) return -1;
#if defined(__APPLE__)
    struct timespec times[2] = {from.st_atimespec, from.st_mtimespec};
#else
    struct timespec times[2] = {from.st_atim, from.st_mtim};
#endif
    return futimens(target, times);
}

// MARK: - Keyring

#if defined(__linux__)
#include <linux/keyctl.h>
#include <sys/syscall.h>

// The user's own: all of a user's sessions see it, and no other user.
#define HR_KEYRING KEY_SPEC_USER_KEYRING
// All for who possesses it and for the user: whether a session possesses the user's keyring depends on
// how it was begun (pam_keyinit), and a service's does not. linux/keyctl.h lacks the bits.
#define HR_KEY_PERMISSIONS 0x3f3f0000

long hr_keyring_add(const char *name, const void *payload, size_t count) {
    long key = syscall(SYS_add_key, "user", name, payload, count, HR_KEYRING);
    if (key < 0) return -1;
    if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, HR_KEY_PERMISSIONS) < 0) {
        int error = errno;
        (void)syscall(SYS_keyctl, KEYCTL_INVALIDATE, key);
        errno = error;
        return -1;
    }
    return key;
}

long hr_keyring_find(const char *name) {
    return syscall(SYS_keyctl, KEYCTL_SEARCH, HR_KEYRING, "user", name, 0);
}

long hr_keyring_read(long key, void *buffer, size_t count) {
    return syscall(SYS_keyctl, KEYCTL_READ, key, buffer, count);
}

long hr_keyring_set_timeout(long key, unsigned seconds) {
    return syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

long hr_keyring_invalidate(long key) { return syscall(SYS_keyctl, KEYCTL_INVALIDATE, key); }
#else
static long hr_no_keyring(void) {
    errno = ENOTSUP;
    return -1;
}

long hr_keyring_add(const char *name, const void *payload, size_t count) {
    (void)name, (void)payload, (void)count;
    return hr_no_keyring();
}
long hr_keyring_find(const char *name) {
    (void)name;
    return hr_no_keyring();
}
long hr_keyring_read(long key, void *buffer, size_t count) {
    (void)key, (void)buffer, (void)count;
    return hr_no_keyring();
}
long hr_keyring_set_timeout(long key, unsigned seconds) {
    (void)key, (void)seconds;
    return hr_no_keyring();
}
long hr_keyring_invalidate(long key) {
    (void)key;
    return hr_no_keyring();
}
#endif
