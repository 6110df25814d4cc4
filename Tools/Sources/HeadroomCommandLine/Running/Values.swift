//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
package import HeadroomPlatform

/// Reads option values, so that a wrong one is answered with what is accepted.
package enum Values {
    @Sendable package static func size(_ text: String) throws -> ByteCount {
        try ByteCount(parsing: text)
    }

    /// A size of which 0 makes no sense.
    @Sendable package static func positiveSize(_ text: String) throws -> ByteCount {
        let size = try ByteCount(parsing: text)
        guard size > .zero else { throw InvalidValue("it must be more than 0.") }
        return size
    }

    @Sendable package static func age(_ text: String) throws -> Duration {
        try Duration(parsingAge: text)
    }

    @Sendable package static func count(_ text: String) throws -> Int {
        guard let count = Int(text), count > 0 else {
            throw InvalidValue("write a whole number above 0.")
        }
        return count
    }
}
