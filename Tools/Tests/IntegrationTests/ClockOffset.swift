//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

/// Moves the wall clock of programs that a test starts, so that files which were just written count as idle there: no
/// system call sets the birth time of a file, and automatic purges never ignore idle times.
///
/// A library is compiled and preloaded (`LD_PRELOAD`, ld.so(8)). Monotonic clocks are unchanged.
enum ClockOffset {
    /// More than an automatic purge waits by default.
    static let pastIdleTimes = 2 * 3_600

    /// Whether clocks can be moved here.
    static let isPossible = library != nil

    /// The variables for a program whose clock is ahead.
    static func environment(_ seconds: Int) -> [String: String?] {
        guard seconds != 0, let library else { return [:] }
        return ["LD_PRELOAD": library, "CLOCK_OFFSET": "\(seconds)"]
    }

    private static let directory = try? TemporaryDirectory(on: .disk)

    /// The path of the library; nil without a C compiler.
    private static let library: String? = {
        guard let directory,
            let compiler = ["cc", "clang", "gcc"].first(where: { Privilege.has(program: $0) })
        else { return nil }
        do {
            try directory.tree.file("clock.c", text: source)
            // Programs of other users load it, too.
            try directory.tree.setPermissions(0o755, of: ".")
            let path = directory.path.appending("clock.so").string
            let result = try ChildProcess.run(
                compiler,
                [
                    "-shared", "-fPIC", "-O1", "-o", path,
                    directory.path.appending("clock.c").string, "-ldl",
                ])
            return result.succeeded ? path : nil
        } catch {
            // Without the library, the tests that need it are skipped.
            return nil
        }
    }()

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <sys/time.h>
        #include <time.h>

        int clock_gettime(clockid_t clock, struct timespec *time) {
            static int (*real)(clockid_t, struct timespec *);
            static long offset;
            if (!real) {
                const char *text = getenv("CLOCK_OFFSET");
                offset = text ? atol(text) : 0;
                real = dlsym(RTLD_NEXT, "clock_gettime");
            }
            int result = real(clock, time);
            if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                time->tv_sec += offset;
            return result;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }

        int gettimeofday(struct timeval *result, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            result->tv_sec = now.tv_sec;
            result->tv_usec = now.tv_nsec / 1000;
            return 0;
        }

        """
}
