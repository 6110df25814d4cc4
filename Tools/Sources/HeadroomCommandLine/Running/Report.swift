//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine

/// What a command found or did: a value that is printed as text or as JSON.
package protocol Report {
    /// The name and version of the JSON form: `headroom.scan/1`. The version grows when a member
    /// goes or changes its meaning, not when one is added.
    static var schema: String { get }

    /// The form for people.
    var document: Document { get }

    /// What is printed in place of the document, byte for byte: what other programs read.
    var rawBytes: [UInt8]? { get }

    /// Writes the members of the JSON form.
    func write(to json: inout JSONWriter)

    var status: ExitStatus { get }
}

extension Report {
    package var rawBytes: [UInt8]? { nil }

    package var status: ExitStatus { .done }
}
