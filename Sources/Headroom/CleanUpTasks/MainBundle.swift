//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

/// Where the files are that come with the program.
enum MainBundle {
    /// The path of a file of the main bundle; where it would be if it is not there.
    static func path(of name: String) -> FilePath {
        #if canImport(Darwin)
        let name = FilePath(name)
        let url = Bundle.main.url(
            forResource: name.stem, withExtension: name.extension)
        return url.map { FilePath($0.path) }
            ?? FilePath(Bundle.main.bundlePath).appending(name.string)
        #else
        // As swift-corelibs-foundation has it, without linking all of it.
        guard let program = FilePath("/proc/self/exe").linkTarget, let own = program.lastComponent
        else { return FilePath(name) }
        let directory = program.removingLastComponent()
        let resources = "\(own.stem).resources"
        let candidates = [
            directory.appending(resources).appending(name),
            directory.removingLastComponent().appending("share").appending(resources)
                .appending(name),
            directory.appending(name),
        ]
        return candidates.first(where: exists) ?? candidates[2]
        #endif
    }

    #if !canImport(Darwin)
    private static func exists(_ path: FilePath) -> Bool {
        do throws(Errno) {
            _ = try SmallFile.read(path)
            return true
        } catch {
            // Whatever else is wrong with it is said when it is read.
            return error != .noSuchFileOrDirectory && error != .notDirectory
        }
    }
    #endif
}
