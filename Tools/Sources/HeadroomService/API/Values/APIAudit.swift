//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// What an audit found, kept without what it was made from.
struct APIAudit: Encodable, Sendable {
    struct Place: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var bytes: Int64
        var backedUpBytes: Int64
    }

    struct LargeFile: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var bytes: Int64
        var kind: String
        var recreatable: Bool
        var protection: String?
        var lastUse: String?
    }

    struct Finding: Encodable, Sendable {
        var code: String
        var severity: String
        var path: String
        var pathBytes: String?
        var bytes: Int64
        var items: Int
        var text: String
        var fix: String?
        var safe: Bool

        var cost: Int {
            200 + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0) + AnswerBudget.cost(text)
                + AnswerBudget.cost(fix ?? "")
        }
    }

    struct Unlisted: Encodable, Sendable {
        var code: String
        var count: Int
    }

    var id: String
    var scanned: String
    var complete: Bool
    var places: [Place]
    var backedUpBytes: Int64
    var recreatableBytes: Int64
    var byKind: [APITotal]
    var leftOut: [APITotal]
    var largest: [LargeFile]
    var findings: [Finding]
    var unlisted: [Unlisted]
    var cursor: String?

    init(_ audit: Audit, id: String) {
        self.id = id
        scanned = audit.scanned.iso8601
        complete = audit.isComplete
        places = audit.places.prefix(100).map { place in
            let text = PathText(place.path)
            return Place(
                path: text.text, pathBytes: text.encoded, bytes: place.allocated.apiSize,
                backedUpBytes: place.backedUp.apiSize)
        }
        backedUpBytes = audit.backup.total.allocated.apiSize
        recreatableBytes = audit.backup.recreatable.apiSize
        byKind = audit.backup.byKind.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            APITotal("\($0.key)", $0.value.allocated, $0.value.items)
        }
        leftOut = audit.backup.leftOut.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            APITotal($0.key.name, $0.value.allocated, $0.value.items)
        }
        largest = audit.largest.prefix(50).map { file in
            let text = PathText(file.path)
            return LargeFile(
                path: text.text, pathBytes: text.encoded, bytes: file.allocated.apiSize,
                kind: "\(file.kind)", recreatable: file.isRecreatable,
                protection: file.protection?.name, lastUse: file.lastUse.iso8601)
        }
        findings = audit.findings.map { finding in
            let text = PathText(finding.path)
            return Finding(
                code: finding.code.description, severity: finding.severity.name, path: text.text,
                pathBytes: text.encoded, bytes: finding.bytes.apiSize, items: finding.items,
                text: finding.text.apiShort,
                fix: finding.fix?.command { $0.shellText },
                safe: finding.fix?.isSafe ?? false)
        }
        unlisted = audit.unlisted.sorted { "\($0.key)" < "\($1.key)" }.map {
            Unlisted(code: $0.key.description, count: $0.value)
        }
    }

    /// The same with some of its findings.
    func page(offset: Int, limit: Int) -> APIAudit {
        var page = self
        var budget = AnswerBudget(500_000)
        page.findings = []
        for finding in findings.dropFirst(offset).prefix(limit) {
            guard budget.admits(finding.cost) else { break }
            page.findings.append(finding)
        }
        let next = offset + page.findings.count
        page.cursor = next < findings.count ? "\(next)" : nil
        return page
    }
}
