//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// What the age of what lies in trash directories counts from: when it was thrown away, which no scan of
/// the items themselves can tell.
package struct TrashDates: Sendable {
    /// How young trash may be to go by itself.
    package static let youngest = Duration.seconds(24 * 3600)

    /// Seconds since 1970, by the root of the area and the name in it.
    private var dates: [FilePath: [FileName: UInt32]] = [:]

    package init() {}

    package mutating func set(_ date: Timestamp, of name: FileName, in root: FilePath) {
        dates[root, default: [:]][name] = UInt32(clampedSeconds: date)
    }

    /// - Returns: nil for what was not there when the dates were read.
    func date(of name: FileName, in root: FilePath) -> UInt32? { dates[root]?[name] }
}
