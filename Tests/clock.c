//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Moves the wall clock of one program (LD_PRELOAD, ld.so(8)). Monotonic clocks stay as they are.
//
// CLOCK_OFFSET is a number of seconds. CLOCK_OFFSET_FILE names a file whose first eight bytes are that number; a test
// can change it while the program runs.
//
// libfaketime can't be used: it changes the environment before the program starts, and the Swift runtime finds the
// arguments by the environment's address.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t fixed_offset;
static const volatile int64_t *offset = &fixed_offset;

__attribute__((constructor)) static void begin(void) {
    const char *seconds = getenv("CLOCK_OFFSET");
    if (seconds != NULL) fixed_offset = atoll(seconds);
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) offset = page;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
    long failure = syscall(SYS_clock_gettime, clock, result);
    if (failure == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) result->tv_sec += *offset;
    return (int)failure;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    long failure = syscall(SYS_gettimeofday, result, zone);
    if (failure == 0) result->tv_sec += *offset;
    return (int)failure;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result != NULL) *result = now.tv_sec;
    return now.tv_sec;
}
