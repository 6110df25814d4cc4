//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One thread, getdents64 and one statx for each file, both by directory descriptor.

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

/// A directory that is known but not read yet. It holds its parent open until it is open itself.
struct node {
    struct node *parent;
    struct node *next;
    int descriptor;
    int pending;
    char name[];
};

/// The inodes with several links that were counted already.
struct link_set {
    uint64_t *inodes;
    size_t capacity;
    size_t count;
};

struct totals {
    uint64_t files, directories, blocks, errors;
};

static void *allocate(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL) {
        perror("headroom-floor");
        exit(1);
    }
    return memory;
}

static int insert(struct link_set *set, uint64_t inode) {
    if (set->count * 2 >= set->capacity) {
        struct link_set larger = {NULL, set->capacity ? set->capacity * 2 : 1024, 0};
        larger.inodes = allocate(larger.capacity * sizeof(uint64_t));
        for (size_t index = 0; index < set->capacity; index++) {
            if (set->inodes[index]) insert(&larger, set->inodes[index]);
        }
        free(set->inodes);
        *set = larger;
    }
    size_t mask = set->capacity - 1;
    size_t slot = (size_t)(inode * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (set->inodes[slot]) {
        if (set->inodes[slot] == inode) return 0;
        slot = (slot + 1) & mask;
    }
    set->inodes[slot] = inode;
    set->count++;
    return 1;
}

static struct node *push(struct node *top, struct node *parent, const char *name) {
    size_t length = strlen(name) + 1;
    struct node *node = allocate(sizeof(struct node) + length);
    memcpy(node->name, name, length);
    node->parent = parent;
    node->next = top;
    node->descriptor = -1;
    if (parent) parent->pending++;
    return node;
}

// A directory is closed when it was read and each of its subdirectories is open or given up.
static void release(struct node *node) {
    if (--node->pending == 0) {
        if (node->descriptor >= 0) close(node->descriptor);
        free(node);
    }
}

int floor_scan(const char *path) {
    static char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct link_set links = {0};
    struct totals totals = {0};
    struct statx status;
    uint32_t major = 0, minor = 0;
    struct node *top = push(NULL, NULL, path);

    while (top) {
        struct node *node = top;
        struct node *parent = node->parent;
        top = node->next;
        node->pending = 1;
        node->descriptor = openat(parent ? parent->descriptor : AT_FDCWD, node->name, flags);
        if (node->descriptor < 0
            || syscall(SYS_statx, node->descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status)
                   != 0) {
            totals.errors++;
        } else if (!parent || (status.stx_dev_major == major && status.stx_dev_minor == minor)) {
            if (!parent) {
                major = status.stx_dev_major;
                minor = status.stx_dev_minor;
            }
            totals.directories++;
            totals.blocks += status.stx_blocks;
            long count;
            while ((count = syscall(SYS_getdents64, node->descriptor, buffer, BUFFER_SIZE)) > 0) {
                for (long offset = 0; offset < count;) {
                    struct entry *entry = (struct entry *)(buffer + offset);
                    const char *name = entry->name;
                    offset += entry->length;
                    if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
                    if (entry->type == DT_DIR) {
                        top = push(top, node, name);
                        continue;
                    }
                    if (syscall(SYS_statx, node->descriptor, name,
                                AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &status)
                        != 0) {
                        totals.errors++;
                        continue;
                    }
                    if (entry->type == DT_UNKNOWN && S_ISDIR(status.stx_mode)) {
                        top = push(top, node, name);
                        continue;
                    }
                    totals.files++;
                    if (status.stx_nlink == 1 || insert(&links, status.stx_ino)) {
                        totals.blocks += status.stx_blocks;
                    }
                }
            }
            if (count < 0) totals.errors++;
        }
        if (parent) release(parent);
        release(node);
    }
    free(links.inodes);
    printf("%llu %llu %llu\n", (unsigned long long)totals.blocks * 512,
           (unsigned long long)totals.files, (unsigned long long)totals.directories);
    return totals.errors ? 1 : 0;
}
