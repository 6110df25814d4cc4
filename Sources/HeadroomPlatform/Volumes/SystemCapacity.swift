//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

/// What the system itself says of the room on a volume, where it knows more than statfs(2): on Apple
/// platforms its own purgeable content is counted in.
///
/// Missing is not 0. What the figures mean, and how they fail, is in
/// `Documentation/Design/0034-apple-platforms.md`.
package struct SystemCapacity: Hashable, Sendable {
    package var total: Int64?
    package var available: Int64?
    /// For what a person asked for and could be had again. The system says 0 where it does not know.
    package var important: Int64?
    /// For what nobody asked for.
    package var opportunistic: Int64?

    package init(
        total: Int64? = nil, available: Int64? = nil, important: Int64? = nil,
        opportunistic: Int64? = nil
    ) {
        self.total = total
        self.available = available
        self.important = important
        self.opportunistic = opportunistic
    }

    /// Asks about the volume of a path, or of its nearest existing ancestor.
    ///
    /// Blocks: the answer comes from another process (0.03 s was seen), so never on the main actor and
    /// never per file.
    ///
    /// - Returns: nil where the system says no more than statfs(2), or does not answer.
    package static func of(_ path: FilePath) -> SystemCapacity? {
        #if canImport(Darwin)
        guard let place = PathCalls.nearestExisting(path) else { return nil }
        // A new one each time: a URL keeps the values that it has read, and off the main thread nothing
        // ever clears them.
        let url = URL(fileURLWithPath: place.string)
        var keys: Set<URLResourceKey> = [.volumeTotalCapacityKey, .volumeAvailableCapacityKey]
        #if os(iOS) || os(macOS) || os(visionOS)
        keys.insert(.volumeAvailableCapacityForImportantUsageKey)
        keys.insert(.volumeAvailableCapacityForOpportunisticUsageKey)
        #endif
        guard let values = try? url.resourceValues(forKeys: keys) else { return nil }
        var capacity = SystemCapacity(
            total: values.volumeTotalCapacity.map { Int64($0) },
            available: values.volumeAvailableCapacity.map { Int64($0) })
        #if os(iOS) || os(macOS) || os(visionOS)
        // By key: the properties are not there on visionOS.
        func number(_ key: URLResourceKey) -> Int64? {
            (values.allValues[key] as? NSNumber)?.int64Value
        }
        capacity.important = number(.volumeAvailableCapacityForImportantUsageKey)
        capacity.opportunistic = number(.volumeAvailableCapacityForOpportunisticUsageKey)
        #endif
        return capacity
        #else
        return nil
        #endif
    }
}
