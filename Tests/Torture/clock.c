//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A wall clock that is wrong, for one program (LD_PRELOAD): by as many seconds as the first eight bytes of the file
// in TORTURE_CLOCK say, which is looked at each time. The clocks that nobody can set go on as they are.
//
// libfaketime is of no use here: it changes the environment before the program starts, and the runtime of Swift finds
// its arguments beside that.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *wrong_by;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TORTURE_CLOCK");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *wrong_by, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) wrong_by = page;
}

static int64_t shift(void) { return wrong_by == NULL ? 0 : *wrong_by; }

int clock_gettime(clockid_t clock, struct timespec *result) {
    long failure = syscall(SYS_clock_gettime, clock, result);
    if (failure == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) result->tv_sec += shift();
    return (int)failure;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    long failure = syscall(SYS_gettimeofday, result, zone);
    if (failure == 0) result->tv_sec += shift();
    return (int)failure;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}
