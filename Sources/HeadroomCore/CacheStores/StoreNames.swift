//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The names of the files of a cache store.
package enum StoreNames {
    /// The file that identifies a store.
    package static let identity = "store"
    /// The size of that file, in bytes.
    package static let identitySize: Int64 = 36
    package static let log = "index.log"

    package static func segment(_ number: UInt32) -> String { name(UInt64(number), "segment") }

    package static func value(_ number: UInt64) -> String { name(number, "value") }

    private static func name(_ number: UInt64, _ kind: String) -> String {
        // Sixteen digits: made with each large value that is read.
        unsafe String(unsafeUninitializedCapacity: 17 + kind.utf8.count) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index) & 15)
                unsafe buffer[index] = digit < 10 ? 48 + digit : 87 + digit
            }
            unsafe buffer[16] = UInt8(ascii: ".")
            for (index, byte) in kind.utf8.enumerated() { unsafe buffer[17 + index] = byte }
            return 17 + kind.utf8.count
        }
    }

    /// Whether a store gives files such a name.
    package static func isOurs(_ name: String) -> Bool {
        let names = [identity, log]
        return isContent(name) || names.contains(name) || names.contains { name == "\($0).new" }
    }

    /// Whether it is the name of a segment or of a value's own file.
    package static func isContent(_ name: String) -> Bool {
        guard let dot = name.firstIndex(of: "."), let number = UInt64(name[..<dot], radix: 16)
        else {
            return false
        }
        return name == value(number) || UInt32(exactly: number).map(segment) == name
    }
}
