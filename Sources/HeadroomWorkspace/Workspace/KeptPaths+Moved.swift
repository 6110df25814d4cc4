//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

extension KeptPaths {
    /// The directories that were just moved into an area whose content is purged by whole directories.
    ///
    /// rename(2) changes no other time of a directory than that of its last status change, and changes the directory that it
    /// is moved into at the same moment. A directory with a mark is left out: setting the mark changes that time, too.
    ///
    /// - Complexity: a `stat` for each entry of these areas' roots.
    static func movedDirectories(
        in areas: [Area], below roots: [FilePath], minIdle: MinIdle, now: Timestamp
    ) -> [Entry] {
        areas.flatMap { area -> [Entry] in
            guard area.unit == .directory, !area.isTrash,
                let purgeable = PurgeableClass(area.purgeClass),
                minIdle[purgeable] > .zero,
                roots.contains(where: { area.root.lies(in: $0) || $0 == area.root }),
                let modified = try? PathCalls.status(area.root).modified
            else { return [] }
            let earliest = now.advanced(by: .zero - minIdle[purgeable])
            // One that cannot be listed cannot be scanned either.
            let names =
                (try? ContainerDirectory(area.root).names(in: nil) { _ in true }) ?? []
            guard names.count <= entryLimit else { return [] }
            return names.compactMap { name in
                let path = area.root.appending(name)
                guard let status = try? PathCalls.entryStatus(path), status.type == .directory,
                    status.changed > earliest, status.changed <= now,
                    status.changed <= modified.advanced(by: tick),
                    status.changed > max(status.modified, status.created ?? .distantPast),
                    !AttributeSupport.hasMark(at: path)
                else { return nil }
                let age = now.duration(since: status.changed)
                return Entry(
                    path: path,
                    reason: Reason(
                        .recentlyUsed,
                        "It was moved here, or its attributes were changed, \(age.ageDescription) ago."
                    ),
                    extent: .tree)
            }
        }
    }

    /// Longer than a tick of the clock that file systems use.
    private static let tick: Duration = .milliseconds(20)
    /// In directories with more entries, these are mostly files.
    private static let entryLimit = 5000
}
