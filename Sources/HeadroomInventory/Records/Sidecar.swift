//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The files that SQLite keeps beside a database and that are worthless, or dangerous, without it.
///
/// https://www.sqlite.org/tempfiles.html; in the order in which they go after the database itself.
package enum Sidecar: UInt8, CaseIterable {
    case journal
    case writeAheadLog
    case sharedMemory

    /// Recognises a sidecar by the end of its name.
    package init?(_ name: EntryName) {
        for sidecar in Self.allCases {
            let suffix = sidecar.suffix
            guard name.count > suffix.utf8Count else { continue }
            let end = unsafe name.base + (name.count - suffix.utf8Count)
            if unsafe suffix.isEqual(to: end) {
                self = sidecar
                return
            }
        }
        return nil
    }

    package var suffix: Suffix {
        switch self {
        case .journal: Suffix("-journal")
        case .writeAheadLog: Suffix("-wal")
        case .sharedMemory: Suffix("-shm")
        }
    }

    /// The end of a name, compared byte by byte without an allocation.
    package struct Suffix {
        private let text: StaticString
        package var utf8Count: Int { text.utf8CodeUnitCount }
        package var bytes: [UInt8] {
            unsafe Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        fileprivate init(_ text: StaticString) {
            self.text = text
        }

        /// - Parameter other: valid for ``utf8Count`` bytes.
        fileprivate func isEqual(to other: UnsafePointer<CChar>) -> Bool {
            unsafe memcmp(text.utf8Start, other, text.utf8CodeUnitCount) == 0
        }
    }
}
