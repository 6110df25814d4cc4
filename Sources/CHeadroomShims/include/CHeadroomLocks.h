//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Locks of byte ranges that belong to an open file (fcntl(2), "Open file description locks").

#ifndef C_HEADROOM_LOCKS_H
#define C_HEADROOM_LOCKS_H

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#if !defined(F_OFD_SETLK)
#if defined(__linux__)
#define F_OFD_SETLK 37
#else
#define F_OFD_SETLK 90
#endif
#endif
#if !defined(F_OFD_GETLK)
#if defined(__linux__)
#define F_OFD_GETLK 36
#else
#define F_OFD_GETLK 92
#endif
#endif

// Locks a range for the open file description, without waiting: 0 unlocks, 1 is exclusive, 2 shared.
static inline int hr_lock_range(int fd, int kind, int64_t start, int64_t count) {
    struct flock lock = {0};
    lock.l_type = kind == 0 ? F_UNLCK : kind == 1 ? F_WRLCK : F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)start;
    lock.l_len = (off_t)count;
    return fcntl(fd, F_OFD_SETLK, &lock);
}

// Whether somebody else has locked any of a range: 1, and where such a lock begins, which need not be the first; 0, or
// -1 and errno. Needs no write access.
static inline int hr_find_lock(int fd, int64_t start, int64_t count, int64_t *found) {
    struct flock lock = {0};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)start;
    lock.l_len = (off_t)count;
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0) return -1;
    *found = (int64_t)lock.l_start;
    return lock.l_type != F_UNLCK;
}

static inline int hr_range_is_locked(int fd, int64_t start, int64_t count) {
    int64_t found;
    return hr_find_lock(fd, start, count, &found);
}

#endif
