//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What GNU `du` says, to compare with.
public enum DiskUsage {
    /// Whether there is a `du` that counts single bytes.
    public static let isAvailable: Bool = {
        // Whatever is wrong with it, it is not to be compared with.
        ((try? ChildProcess.run("du", ["-s", "--block-size=1", "/dev/null"]))?.succeeded) ?? false
    }()

    /// The allocated bytes of a tree, each file with several links once.
    ///
    /// - Parameters:
    ///   - crossingMounts: false: `-x`.
    ///   - user: who runs it; nil: this process's user. What it cannot read does not matter.
    public static func allocated(
        _ path: FilePath, crossingMounts: Bool = false, as user: UInt32? = nil
    ) throws -> ByteCount {
        var command = ["du", crossingMounts ? "-s" : "-sx", "--block-size=1", path.string]
        if let user { command = ["setpriv", "--reuid=\(user)", "--clear-groups"] + command }
        let result = try ChildProcess.run(command[0], Array(command.dropFirst()))
        let figure = result.output.prefix { $0 != "\t" }
        guard result.succeeded || user != nil, let bytes = Int64(figure) else {
            throw FixtureError("du", on: path.description, details: result.errors)
        }
        return ByteCount(bytes)
    }
}
