//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom explain` found.
struct ExplainReport: Report {
    static let schema = "headroom.explain/1"

    struct Entry {
        var explanation: Explanation
        var size: ByteCount
        /// Nil unless it was asked for.
        var exclusive: ExclusiveTotals?
        /// With what the directories around hand down.
        var mark: Mark
        /// Whether it may be marked as purgeable at all.
        var allowsClassMark: Bool
        var backup: BackupExclusion
        var protection: Protection
        /// The well-known cache that it is or lies in.
        var cache: CatalogueCache?
        /// Differences between the daemon and commands.
        var daemon: [Reason] = []
    }

    var entries: [Entry]
    var now: Timestamp
    /// The reason for a pause of age rules.
    var agePause: Reason?

    // MARK: - JSON

    func write(to json: inout JSONOutput) {
        json.array("explanations") { json in
            for entry in entries { json.object { Self.write(entry, to: &$0) } }
        }
        if let agePause { json.field("agePause", agePause) }
    }

    private static func write(_ entry: Entry, to json: inout JSONOutput) {
        let explanation = entry.explanation
        json.field("path", explanation.path)
        json.field("summary", explanation.summary)
        json.field("subject", explanation.subject.rawValue)
        if let area = explanation.area {
            json.object("area") { json in
                json.field("path", area.root)
                json.field("class", area.purgeClass.name)
                json.field("origin", area.origin)
                json.field("unit", area.unit == .entry ? "entry" : "file")
            }
        }
        if let cache = entry.cache {
            json.object("cache") { json in
                json.field("root", cache.root)
                json.fields(of: cache.entry)
            }
        }
        json.field("class", explanation.className)
        json.field("classFrom", "\(explanation.classOrigin)")
        if let whole = explanation.goesWith { json.field("goesWith", whole) }
        json.field("bytes", entry.size)
        json.field("logicalBytes", explanation.logical)
        json.field("freesBytes", explanation.frees)
        if let exclusive = entry.exclusive {
            json.field("exclusiveBytes", exclusive.exclusive)
            json.field("sharedBytes", exclusive.shared)
            json.field("unknownBytes", exclusive.unknown)
        }
        json.field("lastUse", explanation.lastUse)
        json.field("lastUseFrom", explanation.lastUseOrigin?.rawValue)
        json.object("mark") { json in
            json.field("class", entry.mark.purgeClass?.purgeClass.name)
            json.field("pinned", entry.mark.isPinned ?? false)
            json.field("importance", entry.mark.importance)
            json.field("noBackup", entry.mark.isExcludedFromBackup ?? false)
        }
        json.field("unrecorded", explanation.isUnrecorded)
        json.object("backup") { $0.fields(of: entry.backup) }
        json.field("protection", entry.protection.name)
        if let reason = explanation.inUse { json.field("inUse", reason) }
        if !entry.daemon.isEmpty {
            json.objects("daemon", entry.daemon) { json, reason in
                json.field("code", reason.code.description)
                json.field("text", reason.text)
            }
        }
        if let place = explanation.place {
            json.object("place") { json in
                json.field("position", place.position)
                json.field("count", place.count)
                json.field("bytesBefore", place.bytesBefore)
            }
        }
        write(explanation.outlook, to: &json)
    }

    private static func write(_ outlook: Explanation.Outlook, to json: inout JSONOutput) {
        json.object("outlook") { json in
            switch outlook {
            case .never(let reason):
                json.field("when", "never")
                json.field("reason", reason)
            case .notNow(let reason):
                json.field("when", "not-now")
                json.field("reason", reason)
            case .expired: json.field("when", "expired")
            case .expires(let time):
                json.field("when", "expires")
                json.field("seconds", time.components.seconds)
            case .overLimit: json.field("when", "over-limit")
            case .pressure(let level):
                json.field("when", "pressure")
                json.field("level", level.name)
            case .itemByItem: json.field("when", "item-by-item")
            }
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        for entry in entries {
            document.addBlank()
            document.add(StyledText(entry.explanation.path.homeRelativeText, .strong))
            document.add(facts: ExplainText(entry: entry, now: now).facts)
        }
        if let agePause {
            document.addBlank()
            document.add(StyledText(agePause.text, .warning))
        }
        document.next = entries.first.map(next) ?? []
        return document
    }

    private func next(_ entry: Entry) -> [String] {
        let path = ShellWord(entry.explanation.path).description
        if let cache = entry.cache?.entry, !cache.isPurgeable {
            let command = cache.command.joined(separator: " ")
            return (command.isEmpty ? [] : [command]) + ["headroom catalogue \(cache.id)"]
        }
        switch entry.explanation.outlook {
        case .never(let reason) where reason.code == .pinned:
            return ["headroom mark \(path) --unpin"]
        case .never(let reason) where reason.code == .essential && entry.allowsClassMark:
            return ["headroom mark \(path) --last-resort", "headroom mark \(path) --purgeable"]
        case .never(let reason) where reason.code == .essential: return ["headroom status"]
        case .never: return ["headroom mark \(path)"]
        case _ where entry.explanation.isUnrecorded:
            return ["headroom mark \(path) --pin", "headroom mark \(path)"]
        default: return ["headroom mark \(path) --pin", "headroom plan --free 1GB"]
        }
    }
}
