//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection
import SystemPackage

/// What `headroom unlock` and `headroom lock` have done with the keys.
struct KeysReport: Report {
    static let schema = "headroom.keys/1"

    /// Which files can be read from now on, by any command of this user.
    var readable: Set<ProtectionLevel>
    /// What was done, in a sentence.
    var summary: String
    var next: [String] = []

    func write(to json: inout JSONWriter) {
        json.array("readable", ordered.map(\.name))
        json.member("summary", summary)
    }

    var document: Document {
        var document = Document()
        document.add(StyledText(summary))
        if !ordered.isEmpty {
            document.add(
                StyledText("Readable: " + ordered.map(\.name).joined(separator: ", "), .faint))
        }
        document.next = next
        return document
    }

    private var ordered: [ProtectionLevel] {
        ProtectionLevel.allCases.filter { $0 != .none && readable.contains($0) }
    }
}
