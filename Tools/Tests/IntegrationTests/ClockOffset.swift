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
/// `Tests/clock.c` is compiled and preloaded. Monotonic clocks are unchanged.
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
    static let library: String? = {
        guard let directory,
            let compiler = ["cc", "clang", "gcc"].first(where: { Privilege.has(program: $0) })
        else { return nil }
        var source = FilePath(#filePath)
        for _ in 0..<4 { source.removeLastComponent() }
        source.append("Tests/clock.c")
        do {
            // Programs of other users load it, too.
            try directory.tree.setPermissions(0o755, of: ".")
            let path = directory.path.appending("clock.so").string
            let result = try ChildProcess.run(
                compiler, ["-shared", "-fPIC", "-O1", "-o", path, source.string])
            return result.succeeded ? path : nil
        } catch {
            // Without the library, the tests that need it are skipped.
            return nil
        }
    }()
}
