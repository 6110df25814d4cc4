//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests

struct APIReason: Encodable, Hashable, Sendable {
    var code: String
    var text: String

    init(_ reason: Reason) {
        code = reason.code.description
        // Names of processes are in it as they are.
        text = reason.text.escapingControls
    }
}

extension ByteCount {
    /// As the document has sizes: never below zero.
    var apiSize: Int64 { max(0, bytes) }
}

extension String {
    /// Text that somebody else has written, of a length that does not fill an answer.
    var apiShort: String { shortened(to: 1_000).escapingControls }
}

extension Area {
    /// Its class as the document names it.
    var apiClass: String { isTrash ? PlannedClass.trash.name : purgeClass.name }
}
