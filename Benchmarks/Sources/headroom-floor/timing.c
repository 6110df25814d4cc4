//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A process of its own, because wait4 reports at least the memory of whoever started the child: the
// peak of a small program would be that of the Swift runtime beside it.

#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int report(pid_t child, long long start) {
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) return 1;
    }
    long long wall = now() - start;
    printf("%lld %lld %lld %ld %d\n", wall,
           usage.ru_utime.tv_sec * 1000000LL + usage.ru_utime.tv_usec,
           usage.ru_stime.tv_sec * 1000000LL + usage.ru_stime.tv_usec, usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}

int floor_time(char **command) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    long long start = now();
    int error = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    if (error) {
        fprintf(stderr, "%s: %s\n", command[0], strerror(error));
        return 1;
    }
    return report(child, start);
}

int floor_time_in_terminal(const char *text, const char *keys, char **command) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct winsize size = {24, 80, 0, 0};
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) {
        perror("terminal");
        return 1;
    }
    ioctl(terminal, TIOCSWINSZ, &size);
    const char *name = ptsname(terminal);
    // A text that never comes must not hang a measurement; closing the terminal ends the program.
    alarm(600);
    long long start = now();
    pid_t child = fork();
    if (child == 0) {
        alarm(0);
        setsid();
        int other = open(name, O_RDWR);
        ioctl(other, TIOCSCTTY, 0);
        dup2(other, 0);
        dup2(other, 1);
        dup2(other, 2);
        if (other > 2) close(other);
        setenv("TERM", "xterm", 1);
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0) {
        perror("fork");
        return 1;
    }
    // The screen so far; the text may be cut by two reads, never by more than its length.
    static char screen[1 << 16];
    size_t used = 0;
    int typed = 0;
    for (;;) {
        if (used >= sizeof(screen) - 1) {
            memmove(screen, screen + used - 256, 256);
            used = 256;
        }
        ssize_t count = read(terminal, screen + used, sizeof(screen) - 1 - used);
        if (count < 0 && errno == EINTR) continue;
        // EIO: the last program of the terminal has ended.
        if (count <= 0) break;
        used += (size_t)count;
        screen[used] = 0;
        if (!typed && memmem(screen, used, text, strlen(text))) {
            typed = 1;
            if (write(terminal, keys, strlen(keys)) < 0) break;
        }
    }
    return report(child, start);
}
