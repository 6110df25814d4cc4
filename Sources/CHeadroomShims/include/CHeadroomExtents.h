//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Where the content of a file lies on its volume, and what of it is shared (ioctl_fiemap(2)).

#ifndef C_HEADROOM_EXTENTS_H
#define C_HEADROOM_EXTENTS_H

#if defined(__linux__)
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

// Where a file lies, some of its extents at a time.
enum {
    HR_EXTENT_COUNT = 128,
    HR_EXTENT_LAST = FIEMAP_EXTENT_LAST,
    HR_EXTENT_SHARED = FIEMAP_EXTENT_SHARED,
};

// struct fiemap with room for extents behind it.
struct hr_extent_map {
    uint64_t start;
    uint64_t length;
    uint32_t flags;
    uint32_t mapped;
    uint32_t capacity;
    uint32_t reserved;
    struct fiemap_extent extents[HR_EXTENT_COUNT];
};

static inline int hr_map_extents(int fd, uint64_t start, struct hr_extent_map *map) {
    *map = (struct hr_extent_map){
        .start = start, .length = FIEMAP_MAX_OFFSET - start, .capacity = HR_EXTENT_COUNT};
    return ioctl(fd, FS_IOC_FIEMAP, map);
}

static inline struct fiemap_extent hr_extent(const struct hr_extent_map *map, uint32_t index) {
    return map->extents[index];
}

// The kind of the file system of an open file (f_type), whose width differs between machines.
static inline int hr_file_system_magic(int fd, uint64_t *magic) {
    struct statfs figures;
    if (fstatfs(fd, &figures) != 0) return -1;
    *magic = (uint64_t)(uint32_t)figures.f_type;
    return 0;
}
#endif

#endif
