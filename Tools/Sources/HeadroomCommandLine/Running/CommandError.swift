//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine

/// An error that ends a command, with a message for people and a code for programs.
package protocol CommandError: Error {
    var message: String { get }
    /// The `code` of the JSON document `headroom.error/1`.
    var codeName: String { get }
}

extension HeadroomError: CommandError {
    package var codeName: String { code.description }
}
