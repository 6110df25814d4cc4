//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
public import SystemPackage

/// A file that the system swaps to, until the end of its life. Needs root.
public final class SwapFile {
    private let path: FilePath
    private var isOn = true

    /// Prepares a file of some pages, without holes, and swaps to it.
    public init(_ path: FilePath) throws {
        self.path = path
        for (program, arguments) in [("mkswap", ["-q", path.string]), ("swapon", [path.string])] {
            let result = try ChildProcess.run(
                program, arguments, environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"])
            guard result.succeeded else {
                throw FixtureError(program, on: path.string, details: result.errors)
            }
        }
    }

    /// Swaps to it no more.
    public func end() {
        guard isOn else { return }
        // What fails here shows in the test: the file is still in use.
        _ = try? ChildProcess.run(
            "swapoff", [path.string], environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"])
        isOn = false
    }

    deinit { end() }
}

extension Privilege {
    /// Whether the system can be made to swap to a file on an ext4.
    public static let canSwap: Bool = {
        guard canMount(.ext4), has(program: "mkswap"), has(program: "swapon"),
            // Why it failed matters to nobody: the test says what it needs.
            let image = try? MountedImage(.ext4),
            (try? image.tree.file("swap", size: .mebibytes(1))) != nil,
            (try? image.tree.setPermissions(0o600, of: "swap")) != nil,
            let swap = try? SwapFile(image.path.appending("swap"))
        else { return false }
        swap.end()
        return true
    }()
}
#endif
