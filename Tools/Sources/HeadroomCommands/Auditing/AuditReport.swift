//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom audit` found, and did.
struct AuditReport: Report {
    static let schema = "headroom.audit/1"

    var audit: Audit
    /// The paths as they were typed.
    var arguments: [String]
    /// The largest files were asked for.
    var showsLarge = false
    /// Nil: nothing was to be fixed.
    var repairs: [AuditRepair]?

    var status: ExitStatus {
        if !audit.isComplete { return .interrupted }
        let hasFailed = repairs?.contains { $0.failure != nil } ?? false
        return audit.unreadableCount > 0 || hasFailed ? .partly : .done
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("places", audit.places) { json, place in
            json.member("path", place.path)
            json.member("layout", place.layout?.rawValue)
            json.member("allocatedBytes", place.allocated)
            json.member("backedUpBytes", place.backedUp)
        }
        json.object("backup") { json in
            Self.write(audit.backup.total, to: &json)
            json.member("recreatableBytes", audit.backup.recreatable)
            json.array("byKind") { json in
                for (kind, sum) in audit.backup.sortedKinds {
                    json.object { json in
                        json.member("kind", kind.name)
                        Self.write(sum, to: &json)
                    }
                }
            }
            json.array("leftOut") { json in
                for (backup, sum) in audit.backup.sortedLeftOut {
                    json.object { json in
                        json.member("by", backup.name)
                        Self.write(sum, to: &json)
                    }
                }
            }
        }
        json.array("findings") { json in
            for finding in audit.findings { json.object { Self.write(finding, to: &$0) } }
        }
        json.array("unlisted") { json in
            for (code, count) in audit.unlisted.sorted(by: { "\($0.key)" < "\($1.key)" }) {
                json.object { json in
                    json.member("code", code.description)
                    json.member("count", count)
                }
            }
        }
        json.array("largest") { json in
            for file in audit.largest { json.object { Self.write(file, to: &$0) } }
        }
        if let repairs {
            json.objects("repairs", repairs) { json, repair in
                json.member("path", repair.finding.path)
                json.member("code", repair.finding.code.description)
                json.member("command", repair.finding.fix?.shellCommand)
                json.member("done", repair.failure == nil)
                json.member("error", repair.failure)
            }
        }
        json.member("unreadable", audit.unreadableCount)
        json.member("interrupted", !audit.isComplete)
    }

    private static func write(_ sum: InventorySum, to json: inout JSONWriter) {
        json.member("allocatedBytes", sum.allocated)
        json.member("logicalBytes", sum.logical)
        json.member("items", sum.items)
    }

    private static func write(_ finding: AuditFinding, to json: inout JSONWriter) {
        json.member("code", finding.code.description)
        json.member("severity", finding.severity.name)
        json.member("path", finding.path)
        json.member("bytes", finding.bytes)
        json.member("items", finding.items)
        json.member("text", finding.text)
        json.member("fix", finding.fix?.shellCommand)
        json.member("safe", finding.fix?.isSafe ?? false)
    }

    private static func write(_ file: Audit.LargeFile, to json: inout JSONWriter) {
        json.member("path", file.path)
        json.member("kind", file.kind.name)
        json.member("mediaType", file.mediaType)
        json.member("allocatedBytes", file.allocated)
        json.member("logicalBytes", file.logical)
        json.member("lastUse", file.lastUse)
        json.member("backup", file.backup.name)
        json.member("recreatable", file.isRecreatable)
        json.member("origin", file.origin)
        json.member("protection", file.protection?.name)
    }

    // MARK: - Text

    var document: Document { AuditText(report: self).document }
}

extension Audit.Backup {
    /// The largest first.
    var sortedKinds: [(FileKind, InventorySum)] {
        byKind.map { ($0.key, $0.value) }.sorted {
            $0.1.allocated > $1.1.allocated
                || ($0.1.allocated == $1.1.allocated && $0.0.rawValue < $1.0.rawValue)
        }
    }

    var sortedLeftOut: [(AuditBackup, InventorySum)] {
        leftOut.map { ($0.key, $0.value) }.sorted { $0.0.rawValue < $1.0.rawValue }
    }
}

extension AuditFix {
    /// The command with whole paths, for programs.
    var shellCommand: String { command { $0.shellText } }

    /// The command for people, with `~`.
    var shownCommand: String { command { ShellWord($0).description } }
}
