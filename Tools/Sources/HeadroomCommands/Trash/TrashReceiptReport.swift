//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom trash PATH…` and `headroom trash restore --receipt` say: a receipt, with what did not
/// go and why.
struct TrashReceiptReport: Report {
    static let schema = "headroom.disposal/1"

    var receipt: Receipt
    var freesWhenEmptied: ByteCount

    var status: ExitStatus {
        if receipt.outcome == .interrupted { return .interrupted }
        if receipt.skippedCount == 0 { return .done }
        return receipt.removedCount == 0 ? .failed : .partly
    }

    func write(to json: inout JSONWriter) {
        receipt.write(to: &json)
        json.member("freesNowBytes", 0)
        json.member("freesWhenEmptiedBytes", freesWhenEmptied)
    }

    var document: Document {
        var document = Document()
        for skipped in receipt.skipped {
            let text = skipped.reason.text
            document.add(
                StyledText(
                    text.contains(skipped.path.displayText)
                        ? text : "\(skipped.path.displayText) was left alone. \(text)", .warning))
        }
        guard receipt.removedCount > 0 else {
            if receipt.skipped.isEmpty { document.add(StyledText("There was nothing to do.")) }
            return document
        }
        let items = StyledText(receipt.removedCount.counted("item"), .strong)
        if receipt.kind == .disposal {
            document.add(
                StyledText("Moved ") + items
                    + StyledText(" to the trash: frees 0 now, \(freesWhenEmptied) when emptied."))
            document.next = [
                "headroom trash restore --receipt \(receipt.shortID)", "headroom trash empty",
            ]
        } else {
            document.add(StyledText("Brought back ") + items + StyledText("."))
            document.next = ["headroom trash list"]
        }
        for note in receipt.notes { document.add(StyledText(note, .faint)) }
        return document
    }
}

/// What `headroom trash restore ITEM…` says.
struct TrashRestoreReport: Report {
    static let schema = "headroom.restore/1"

    var restored: [FilePath] = []
    var failures: [(path: FilePath, error: HeadroomError)] = []

    var status: ExitStatus {
        failures.isEmpty ? .done : restored.isEmpty ? .failed : .partly
    }

    func write(to json: inout JSONWriter) {
        json.array("restored") { json in
            for path in restored { json.object { $0.member("path", path) } }
        }
        json.objects("failures", failures) { json, failure in
            json.member("path", failure.path)
            json.member("code", failure.error.code.description)
            json.member("message", failure.error.message)
        }
    }

    var document: Document {
        var document = Document()
        for failure in failures { document.add(StyledText(failure.error.message, .warning)) }
        for path in restored {
            document.add(StyledText("Brought back ") + StyledText(path.homeRelativeText, .strong))
        }
        return document
    }
}
