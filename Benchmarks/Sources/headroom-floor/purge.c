//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One thread, getdents64 and one unlinkat for each file: no status, no check, no record.

#define _GNU_SOURCE
#include "floor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BUFFER_SIZE = 64 << 10 };

struct entry {
    uint64_t inode;
    int64_t cookie;
    unsigned short length;
    unsigned char type;
    char name[];
};

/// A directory on the way down, with the names of the subdirectories that are still to do.
struct level {
    int descriptor;
    char *names;
    size_t used, capacity;
    char *own_name;
};

static unsigned long long removed, errors;

static void remember(struct level *level, const char *name) {
    size_t length = strlen(name) + 1;
    if (level->used + length > level->capacity) {
        level->capacity = (level->capacity + length) * 2;
        level->names = realloc(level->names, level->capacity);
        if (level->names == NULL) {
            perror("headroom-floor");
            exit(1);
        }
    }
    memcpy(level->names + level->used, name, length);
    level->used += length;
}

// Unlinks the files of a directory as they are read.
static void empty(struct level *level) {
    static char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
    long count;
    while ((count = syscall(SYS_getdents64, level->descriptor, buffer, BUFFER_SIZE)) > 0) {
        for (long offset = 0; offset < count;) {
            struct entry *entry = (struct entry *)(buffer + offset);
            const char *name = entry->name;
            offset += entry->length;
            if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
            if (entry->type != DT_DIR) {
                if (unlinkat(level->descriptor, name, 0) == 0) {
                    removed++;
                    continue;
                }
                if (errno != EISDIR) {
                    errors++;
                    continue;
                }
            }
            remember(level, name);
        }
    }
    if (count < 0) errors++;
}

int floor_purge(const char *path) {
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    size_t capacity = 64, depth = 0;
    struct level *levels = calloc(capacity, sizeof(struct level));
    if (levels == NULL || (levels[0].descriptor = open(path, flags)) < 0) {
        perror(path);
        return 1;
    }
    empty(&levels[depth++]);
    while (depth) {
        struct level *level = &levels[depth - 1];
        if (level->used == 0) {
            close(level->descriptor);
            free(level->names);
            depth--;
            if (depth) {
                if (unlinkat(levels[depth - 1].descriptor, level->own_name, AT_REMOVEDIR) == 0) {
                    removed++;
                } else {
                    errors++;
                }
                free(level->own_name);
            }
            continue;
        }
        // The last name: its start follows the NUL of the one before.
        size_t start = level->used - 1;
        while (start > 0 && level->names[start - 1]) start--;
        char *name = strdup(level->names + start);
        level->used = start;
        int descriptor = name ? openat(level->descriptor, name, flags) : -1;
        if (descriptor < 0) {
            errors++;
            free(name);
            continue;
        }
        if (depth == capacity) {
            capacity *= 2;
            levels = realloc(levels, capacity * sizeof(struct level));
            if (levels == NULL) {
                perror("headroom-floor");
                return 1;
            }
        }
        levels[depth] = (struct level){descriptor, NULL, 0, 0, name};
        empty(&levels[depth++]);
    }
    free(levels);
    printf("%llu %llu\n", removed, errors);
    return errors ? 1 : 0;
}
