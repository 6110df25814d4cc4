//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The words for one explanation.
struct ExplainText {
    let entry: ExplainReport.Entry
    let now: Timestamp

    private var explanation: Explanation { entry.explanation }

    var facts: [Document.Fact] {
        [
            .init("What", what), cache.map { .init("Cache", $0) }, .init("Area", area),
            .init("Class", purgeClass),
            .init("Size", size), exclusive.map { .init("Its own", $0) },
            lastUse.map { .init("Last use", $0) },
            .init("Mark", StyledText(entry.mark.isEmpty ? "none" : entry.mark.words)),
            .init("In use", inUse), .init("Backup", backup),
            protection.map { .init("Protected", $0) },
            order.map { .init("Order", $0) }, .init("Goes", goes),
            daemon.map { .init("Daemon", $0) },
            counts.map { .init("Counts", $0) },
        ].compactMap { $0 }
    }

    private var what: StyledText {
        switch explanation.subject {
        case .file: StyledText("a file")
        case .fileSet:
            StyledText("files that are purged together, such as a database with its sidecars")
        case .directoryUnit: StyledText("a directory that goes whole")
        case .memberOfUnit:
            StyledText("part of ")
                + StyledText(explanation.goesWith?.homeRelativeText ?? "a directory")
                + StyledText(", which goes whole")
        case .directory: StyledText("a directory whose files go one by one")
        case .cacheStore:
            StyledText("a cache store, whose values go one by one, least worth first")
        case .memberOfStore:
            StyledText("part of the cache store ")
                + StyledText(explanation.goesWith?.homeRelativeText ?? "around it")
                + StyledText(", which alone knows what of it may go")
        case .unknown: StyledText("outside of all that may go")
        }
    }

    private var cache: StyledText? {
        guard let entry = entry.cache?.entry else { return nil }
        return StyledText(entry.name, .strong)
            + StyledText(
                ": \(entry.summary.lowercasedFirst). If it is gone: \(entry.cost.lowercasedFirst)")
    }

    private var area: StyledText {
        guard let area = explanation.area else { return StyledText("none") }
        return StyledText(area.root.homeRelativeText) + StyledText(" (\(area.origin))", .faint)
    }

    private var purgeClass: StyledText {
        let name = StyledText(
            explanation.spokenClass,
            explanation.isTrash ? .trash : Style(explanation.purgeClass))
        if explanation.isTrash { return name + StyledText(", thrown away by a person", .faint) }
        switch explanation.classOrigin {
        case .area: return name + StyledText(", as its area", .faint)
        case .mark: return name + StyledText(", by a mark", .faint)
        case .values: return name + StyledText(", as the first of its values", .faint)
        case .shape:
            return name + StyledText(": \(explanation.classReason?.text ?? "by its shape")", .faint)
        case .nothing: return name + StyledText(", as all that nobody declared", .faint)
        }
    }

    private var size: StyledText {
        var text = StyledText("\(entry.size)")
        guard explanation.subject != .unknown else { return text }
        text +=
            explanation.frees == entry.size
            ? StyledText("; deleting it frees all of that", .faint)
            : explanation.frees == .zero
                ? StyledText("; deleting it alone frees nothing: it has other names", .faint)
                : StyledText("; deleting it frees \(explanation.frees)", .faint)
        return text
    }

    private var exclusive: StyledText? {
        guard let totals = entry.exclusive else { return nil }
        var text = StyledText("\(totals.exclusive)")
        if totals.shared > .zero {
            text += StyledText(
                "; \(totals.shared) are in reflinks, clones or snapshots too", .faint)
        }
        if totals.unknown > .zero {
            text += StyledText("; of \(totals.unknown) the file system does not tell", .warning)
        }
        if totals.exclusive == totals.allocated {
            text += StyledText("; nothing shares it", .faint)
        }
        return text
    }

    private var lastUse: StyledText? {
        guard let time = explanation.lastUse else { return nil }
        let age = now.duration(since: time)
        let source: String =
            switch explanation.lastUseOrigin {
            case .modified: "when it was modified"
            case .created: "when it was made"
            case .read: "when it was read"
            case .recorded: "as recorded in the ledger"
            case nil: "of the newest file in it"
            }
        return StyledText("\(age.inWords) ago")
            + StyledText("  \(time.minuteDescription) UTC, \(source)", .faint)
    }

    private var inUse: StyledText {
        explanation.inUse.map { StyledText($0.text, .warning) } ?? StyledText("no")
    }

    private var backup: StyledText {
        switch entry.backup {
        case .none: StyledText("not left out")
        case .own(let dialects):
            StyledText("left out") + StyledText(", by \(dialects.spoken)", .faint)
        case .inherited(let directory, let dialects):
            StyledText("left out, with \(directory.homeRelativeText)")
                + StyledText(", by \(dialects.spoken)", .faint)
        case .byLocation(let place):
            StyledText("left out, as \(place.purgeClass.spokenName)")
                + StyledText(
                    " (\(place.origin)), by programs that are given headroom audit --excludes",
                    .faint)
        }
    }

    /// Nothing for what is not: most files are not, and not all of them could be.
    private var protection: StyledText? {
        switch entry.protection {
        case .level(.none): nil
        case .level(let level): StyledText(level.name) + StyledText(", \(level.summary)", .faint)
        case .unknown: StyledText("unknown: it cannot be read, or nobody says", .warning)
        }
    }

    private var order: StyledText? {
        guard let place = explanation.place else { return nil }
        var text = StyledText("\(place.position.grouped) of \(place.count.grouped)")
        text += StyledText(" of its class")
        if place.bytesBefore > .zero { text += StyledText(", after \(place.bytesBefore)") }
        return text
    }

    private func why(_ reason: Reason) -> String {
        guard reason.code == .essential, let cache = entry.cache?.entry, cache.cleaning == .command
        else { return reason.text }
        return "only its own tool empties it: \(cache.command.joined(separator: " "))"
    }

    private var daemon: StyledText? {
        entry.daemon.isEmpty
            ? nil : StyledText(entry.daemon.map(\.text).joined(separator: "; "), .warning)
    }

    private var counts: StyledText? {
        guard explanation.isUnrecorded else { return nil }
        return StyledText("only in a plan that names its directory, or comes there", .warning)
            + StyledText(
                ": the ledger does not know its mark, which is on the disk alone, as in a home that was "
                    + "restored. Marking it anew records it")
    }

    private var goes: StyledText {
        switch explanation.outlook {
        case .never(let reason): StyledText("never", .strong) + StyledText(": \(why(reason))")
        case .notNow(let reason):
            StyledText("not now", .strong) + StyledText(": \(why(reason))")
        case .expired: StyledText("with the next purge: it has expired")
        case .expires(let time):
            StyledText("in \(time.inWords), when it expires, or when space is short")
        case .overLimit: StyledText("with the next purge: its area is over its limit")
        case .pressure(let level):
            StyledText(
                "when the volume is at \(level.name) level and it is its turn"
                    + (explanation.purgeClass == .lastResort || explanation.isTrash
                        ? ", after all caches" : ""))
        case .itemByItem: StyledText("file by file: explain one of them")
        }
    }
}

extension String {
    /// As it stands within a sentence; a name in capitals stays.
    fileprivate var lowercasedFirst: String {
        guard let first, dropFirst().first?.isUppercase != true else { return self }
        return first.lowercased() + dropFirst()
    }
}
