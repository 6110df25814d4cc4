//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore

/// A mark in fifteen bits, as the inventory keeps it per directory.
package struct PackedMark: Hashable {
    package var rawValue: UInt16

    package static let none = PackedMark(rawValue: 0)

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ mark: Mark) {
        let purgeClass = mark.purgeClass.map { UInt16($0.rawValue) + 1 } ?? 0
        let importance = mark.importance.map { UInt16(min($0, 100)) + 1 } ?? 0
        rawValue =
            purgeClass | Self.pack(mark.isPinned) << 2
            | Self.pack(mark.isExcludedFromBackup) << 4 | importance << 6
    }

    package var mark: Mark {
        Mark(
            purgeClass: rawValue & 3 == 0 ? nil : PurgeableClass(rawValue: UInt8(rawValue & 3) - 1),
            isPinned: Self.unpack(rawValue >> 2),
            importance: rawValue >> 6 == 0 ? nil : UInt8((rawValue >> 6) - 1),
            isExcludedFromBackup: Self.unpack(rawValue >> 4))
    }

    /// Without the class and the importance; pinned and excluded from backup stay.
    var withoutDeclaration: PackedMark { PackedMark(rawValue: rawValue & 0b11_1100) }

    private static func pack(_ value: Bool?) -> UInt16 {
        switch value {
        case nil: 0
        case false?: 1
        case true?: 2
        }
    }

    private static func unpack(_ bits: UInt16) -> Bool? {
        switch bits & 3 {
        case 1: false
        case 2: true
        default: nil
        }
    }
}
