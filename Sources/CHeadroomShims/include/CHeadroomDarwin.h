//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Darwin alone has, and Swift cannot import or should not spell out.

#ifndef C_HEADROOM_DARWIN_H
#define C_HEADROOM_DARWIN_H

#if defined(__APPLE__)
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/attr.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>

// When a process was started, in microseconds since 1970. An app's sandbox tells it of its own alone.
static inline int hr_process_start(pid_t process, uint64_t *microseconds) {
    int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    struct kinfo_proc known = {0};
    size_t size = sizeof known;
    if (sysctl(name, 4, &known, &size, NULL, 0) != 0) return -1;
    // Of no process it tells with no bytes.
    if (size < sizeof known) {
        errno = ESRCH;
        return -1;
    }
    *microseconds = (uint64_t)known.kp_proc.p_starttime.tv_sec * 1000000
        + (uint64_t)known.kp_proc.p_starttime.tv_usec;
    return 0;
}

// The blocks of a file that it shares with no clone, in bytes.
static inline int hr_private_size(int fd, int64_t *size) {
    struct attrlist wanted = {.bitmapcount = ATTR_BIT_MAP_COUNT, .forkattr = ATTR_CMNEXT_PRIVATESIZE};
    // The answer is packed to four bytes.
    struct { uint32_t length; uint32_t size[2]; } answer = {0};
    if (fgetattrlist(fd, &wanted, &answer, sizeof answer, FSOPT_ATTR_CMN_EXTENDED) != 0) return -1;
    // A file system that does not know leaves it out.
    if (answer.length < sizeof answer) {
        errno = ENOTSUP;
        return -1;
    }
    memcpy(size, answer.size, sizeof *size);
    return 0;
}

// Whether the calling thread may have the content of files in the cloud fetched; returns the old rule.
enum { HR_KEEP_DATALESS = IOPOL_MATERIALIZE_DATALESS_FILES_OFF };

static inline int hr_set_dataless_rule(int rule) {
    int old = getiopolicy_np(IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_SCOPE_THREAD);
    if (old < 0) return -1;
    int result = setiopolicy_np(
        IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_SCOPE_THREAD, rule);
    return result == 0 ? old : -1;
}
#endif

#endif
