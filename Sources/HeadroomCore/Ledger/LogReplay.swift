//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is built up from the records of a ``CheckedLog``.
package protocol LogReplay: ~Copyable {
    /// Forgets everything: the log was replaced, or could not be read to its end, and its records follow from
    /// the first one on.
    mutating func restart()

    /// Takes the next record.
    ///
    /// - Parameters:
    ///   - payload: a slice that shares memory with its neighbours; copied if it is to be kept.
    ///   - offset: where the record stands, for ``CheckedLog/payload(at:)``; good until `restart`.
    mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64)
}

/// A record as it is appended: a type of the caller's, and up to 16 MiB − 1.
package struct LogRecord: Hashable, Sendable {
    package var type: UInt8
    package var payload: [UInt8]

    package init(_ type: UInt8, _ payload: [UInt8]) {
        self.type = type
        self.payload = payload
    }
}

/// What was found broken while a log was replayed.
package struct LogDamage: Hashable, Sendable {
    /// How many stretches of bytes between good records could not be read.
    package var places = 0
    package var bytes: UInt64 = 0
    /// The file's own header could not be read.
    package var headerIsDamaged = false

    package init() {}

    package var isEmpty: Bool { places == 0 && !headerIsDamaged }
}
