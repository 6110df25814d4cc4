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

    func write(to json: inout JSONWriter) {
        json.array("explanations") { json in
            for entry in entries { json.object { Self.write(entry, to: &$0) } }
        }
        if let agePause { json.member("agePause", agePause) }
    }

    private static func write(_ entry: Entry, to json: inout JSONWriter) {
        let explanation = entry.explanation
        json.member("path", explanation.path)
        json.member("summary", explanation.summary)
        json.member("subject", explanation.subject.rawValue)
        if let area = explanation.area {
            json.object("area") { json in
                json.member("path", area.root)
                json.member("class", area.purgeClass.name)
                json.member("origin", area.origin)
                json.member("unit", area.unit == .entry ? "entry" : "file")
            }
        }
        if let cache = entry.cache {
            json.object("cache") { json in
                json.member("root", cache.root)
                json.members(of: cache.entry)
            }
        }
        json.member("class", explanation.className)
        json.member("classFrom", "\(explanation.classOrigin)")
        if let whole = explanation.goesWith { json.member("goesWith", whole) }
        json.member("bytes", entry.size)
        json.member("logicalBytes", explanation.logical)
        json.member("freesBytes", explanation.frees)
        if let exclusive = entry.exclusive {
            json.member("exclusiveBytes", exclusive.exclusive)
            json.member("sharedBytes", exclusive.shared)
            json.member("unknownBytes", exclusive.unknown)
        }
        json.member("lastUse", explanation.lastUse)
        json.member("lastUseFrom", explanation.lastUseOrigin?.rawValue)
        json.object("mark") { json in
            json.member("class", entry.mark.purgeClass?.purgeClass.name)
            json.member("pinned", entry.mark.isPinned ?? false)
            json.member("importance", entry.mark.importance)
            json.member("noBackup", entry.mark.isExcludedFromBackup ?? false)
        }
        json.member("unrecorded", explanation.isUnrecorded)
        json.object("backup") { $0.members(of: entry.backup) }
        json.member("protection", entry.protection.name)
        if let reason = explanation.inUse { json.member("inUse", reason) }
        if !entry.daemon.isEmpty {
            json.objects("daemon", entry.daemon) { json, reason in
                json.member("code", reason.code.description)
                json.member("text", reason.text)
            }
        }
        if let place = explanation.place {
            json.object("place") { json in
                json.member("position", place.position)
                json.member("count", place.count)
                json.member("bytesBefore", place.bytesBefore)
            }
        }
        write(explanation.outlook, to: &json)
    }

    private static func write(_ outlook: Explanation.Outlook, to json: inout JSONWriter) {
        json.object("outlook") { json in
            switch outlook {
            case .never(let reason):
                json.member("when", "never")
                json.member("reason", reason)
            case .notNow(let reason):
                json.member("when", "not-now")
                json.member("reason", reason)
            case .expired: json.member("when", "expired")
            case .expires(let time):
                json.member("when", "expires")
                json.member("seconds", time.components.seconds)
            case .overLimit: json.member("when", "over-limit")
            case .pressure(let level):
                json.member("when", "pressure")
                json.member("level", level.name)
            case .itemByItem: json.member("when", "item-by-item")
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
