//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Walks a directory tree with the options of a scan.
enum TreeWalk {
    static func run(
        _ path: FilePath, _ options: ScanOptions, _ progress: ScanProgress,
        makeSink: (@Sendable () -> any WalkSink)?
    ) throws(HeadroomError) -> WalkResult {
        let walkOptions = WalkOptions(options)
        do {
            let root = try Descriptor.openDirectory(path)
            if let calls = options.calls {
                return try Walk.run(
                    calls, root, path, walkOptions, progress.walk, makeSink)
            }
            return try Walk.run(
                root: root, path: path, options: walkOptions, progress: progress.walk,
                makeSink: makeSink)
        } catch .notDirectory where FileStatus.isSymbolicLink(path) {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is a symbolic link. Name the directory that it points to.")
        } catch {
            throw HeadroomError("scan", path, error)
        }
    }
}

extension WalkOptions {
    init(_ options: ScanOptions) {
        self.init()
        crossesMounts = options.crossesMounts
        threads = options.threads
        usesPOSIXRoute = options.usesPOSIXRoute
        maximumThreads = options.maximumThreads
        descriptorLimit = options.descriptorLimit
    }
}
