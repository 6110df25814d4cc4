//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// What of an area stays though its age is over, by patterns of paths.
package struct EntryExclusions: Hashable, Sendable {
    /// The paths of the area as the patterns have it.
    private var roots: [[FileName]]
    /// What lies directly in the area stays, but for what is in directories there.
    package private(set) var keepsFirstLevel: Bool
    /// For directories that are left empty.
    package private(set) var retention: Duration
    /// By how many names they have.
    private var patterns: [Int: [PathGlob]] = [:]

    package enum Answer {
        case free
        /// It stays, and what is in it does not for that.
        case itself
        /// It stays with all that is in it.
        case whole
    }

    package init(
        root: FilePath, keepsFirstLevel: Bool, retention: Duration,
        patterns: [PathGlob]
    ) {
        let root = root.names
        roots = [root]
        self.keepsFirstLevel = keepsFirstLevel
        self.retention = retention
        for pattern in patterns { self.patterns[pattern.names.count, default: []].append(pattern) }
        // What the kernel and quota tools keep at the root of a volume.
        for name in ["lost+found", ".journal", "aquota.user", "aquota.group"] {
            guard let name = FileName(name) else { continue }
            self.patterns[root.count + 1, default: []].append(
                PathGlob(exactly: root + [name]))
        }
    }

    /// Of two declarations of one directory, the more protective holds.
    package func joined(with other: Self) -> Self {
        var joined = self
        joined.roots += other.roots
        joined.keepsFirstLevel = keepsFirstLevel || other.keepsFirstLevel
        joined.retention = max(retention, other.retention)
        joined.patterns.merge(other.patterns) { $0 + $1 }
        return joined
    }

    /// - Parameter relative: the names from the area's root on.
    package func answer(for relative: [FileName]) -> Answer {
        for root in roots {
            let names = root + relative
            if patterns[names.count]?.contains(where: { $0.matches(names) }) == true {
                return .whole
            }
        }
        return keepsFirstLevel && relative.count == 1 ? .itself : .free
    }
}
