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

    func write(to json: inout JSONOutput) {
        json.objects("places", audit.places) { json, place in
            json.field("path", place.path)
            json.field("layout", place.layout?.rawValue)
            json.field("allocatedBytes", place.allocated)
            json.field("backedUpBytes", place.backedUp)
        }
        json.object("backup") { json in
            Self.write(audit.backup.total, to: &json)
            json.field("recreatableBytes", audit.backup.recreatable)
            json.array("byKind") { json in
                for (kind, sum) in audit.backup.sortedKinds {
                    json.object { json in
                        json.field("kind", kind.name)
                        Self.write(sum, to: &json)
                    }
                }
            }
            json.array("leftOut") { json in
                for (backup, sum) in audit.backup.sortedLeftOut {
                    json.object { json in
                        json.field("by", backup.name)
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
                    json.field("code", code.description)
                    json.field("count", count)
                }
            }
        }
        json.array("largest") { json in
            for file in audit.largest { json.object { Self.write(file, to: &$0) } }
        }
        if let repairs {
            json.objects("repairs", repairs) { json, repair in
                json.field("path", repair.finding.path)
                json.field("code", repair.finding.code.description)
                json.field("command", repair.finding.fix?.shellCommand)
                json.field("done", repair.failure == nil)
                json.field("error", repair.failure)
            }
        }
        json.field("unreadable", audit.unreadableCount)
        json.field("interrupted", !audit.isComplete)
    }

    private static func write(_ sum: InventorySum, to json: inout JSONOutput) {
        json.field("allocatedBytes", sum.allocated)
        json.field("logicalBytes", sum.logical)
        json.field("items", sum.items)
    }

    private static func write(_ finding: AuditFinding, to json: inout JSONOutput) {
        json.field("code", finding.code.description)
        json.field("severity", finding.severity.name)
        json.field("path", finding.path)
        json.field("bytes", finding.bytes)
        json.field("items", finding.items)
        json.field("text", finding.text)
        json.field("fix", finding.fix?.shellCommand)
        json.field("safe", finding.fix?.isSafe ?? false)
    }

    private static func write(_ file: Audit.LargeFile, to json: inout JSONOutput) {
        json.field("path", file.path)
        json.field("kind", file.kind.name)
        json.field("mediaType", file.mediaType)
        json.field("allocatedBytes", file.allocated)
        json.field("logicalBytes", file.logical)
        json.field("lastUse", file.lastUse)
        json.field("backup", file.backup.name)
        json.field("recreatable", file.isRecreatable)
        json.field("origin", file.origin)
        json.field("protection", file.protection?.name)
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
