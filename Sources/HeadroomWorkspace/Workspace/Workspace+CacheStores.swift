//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Makes a cache store as small as it can be without losing a value: `CacheCompaction.compact(_:)`. Blocks.
    ///
    /// - Throws: what that does; `refused` where the store, a directory around it or a file of it is pinned, since
    ///   files of it go.
    public func compactCacheStore(at path: FilePath) throws(HeadroomError)
        -> CacheCompaction.Outcome
    {
        var isPinned = try effectiveMark(of: path).isPinned == true
        do throws(Errno) {
            let directory = try Descriptor.openDirectory(path)
            if !isPinned {
                isPinned = try StorePins.hasPinnedFile(
                    directory.rawValue, markSource(in: [path]), calls)
            }
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
        // mutation: r20f-4
        if isPinned {
            throw HeadroomError(
                .refused,
                "\(path.displayText) or a file in it is pinned, and files of a store go when it is compacted. "
                    + "Take the pin off first: headroom mark --unpin")
        }
        return try CacheCompaction.compact(path)
    }
}
