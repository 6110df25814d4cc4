//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "floor.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

// A level with subdirectories still to come keeps its descriptor: as many as may be.
static void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    if (argc == 3 && strcmp(what, "scan") == 0) {
        raise_descriptor_limit();
        return floor_scan(argv[2]);
    }
    if (argc == 3 && strcmp(what, "purge") == 0) {
        raise_descriptor_limit();
        return floor_purge(argv[2]);
    }
    if (strcmp(what, "time") == 0) {
        return floor_time(argv + 2);
    }
    if (argc > 4 && strcmp(what, "terminal") == 0) {
        return floor_time_in_terminal(argv[2], argv[3], argv + 4);
    }
    fprintf(stderr, "usage: headroom-floor scan DIRECTORY\n"
                    "       headroom-floor purge DIRECTORY\n"
                    "       headroom-floor time COMMAND...\n"
                    "       headroom-floor terminal TEXT KEYS COMMAND...\n");
    return 2;
}
