//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The words for what a plan comes to: shown by `plan`, and by `purge` before it asks.
struct PlanText {
    let plan: Plan
    let summary: PlanSummary

    init(_ plan: Plan) {
        self.plan = plan
        summary = plan.summary(depth: 2)
    }

    /// `5.0 GB in 71,402 items: temporary 1.2 GB, then cache 3.8 GB unused for 5 months or more.`
    var headline: StyledText {
        guard summary.items > 0 else {
            // Of all that may go, nothing is no target that was reached.
            let isReached = plan.reachesTarget && !plan.request.targets.contains(.all)
            return StyledText(
                isReached ? "Nothing needs to go: that is reached already." : "Nothing may go.",
                .strong)
        }
        let items = summary.items.counted("item")
        var text = StyledText("\(plan.frees) in \(items)", .strong) + StyledText(": ")
        for (index, part) in summary.classes.enumerated() {
            if index > 0 { text += ", then " }
            text += StyledText(part.purgeClass.spokenName, Style(part.purgeClass))
            text += StyledText(" \(part.sum.bytes)")
            if index == summary.classes.count - 1, let newest = part.sum.newestUse {
                let age = plan.request.now.duration(since: newest)
                if age >= .seconds(3600) {
                    let what = part.purgeClass == .trash ? "thrown away" : "unused for"
                    let end = part.purgeClass == .trash ? " ago or earlier" : " or more"
                    text += StyledText(" \(what) \(age.inWords)\(end)")
                }
            }
        }
        if summary.emptyDirectories > 0 {
            let own = summary.classes.reduce(plan.frees) { $0 - $1.sum.bytes }
            let emptied = summary.emptyDirectories.counted("directory", "directories")
            text += StyledText(", and \(own) of \(emptied) that they leave empty")
        }
        return text + StyledText(". " + staying)
    }

    /// What the request leaves alone.
    private var staying: String {
        switch plan.request.through {
        case .temporary: "Cache, last resort and essential stay."
        case .cache: "Last resort and essential stay."
        case .lastResort: "Essential stays."
        }
    }

    /// Why a target is out of reach, a sentence or two; nil if it is not.
    var shortfall: StyledText? {
        guard !plan.reachesTarget else { return nil }
        var parts: [String] = []
        if plan.missing > .zero { parts.append("\(plan.missing)") }
        if plan.missingInodes > 0 { parts.append(plan.missingInodes.counted("inode")) }
        for (area, excess) in plan.overLimit {
            parts.append("\(excess) in \(area.root.homeRelativeText)")
        }
        let missing = parts.isEmpty ? "" : ": \(parts.joined(separator: ", ")) short"
        return StyledText("Not enough\(missing).", .warning)
    }

    /// Says that it is not whole.
    ///
    /// - Parameter count: the places that could not be looked at, each of which was named before.
    func describe(unread count: Int, in document: inout Document) {
        guard count > 0 else { return }
        document.add(
            StyledText(
                "\(count.counted("place")) could not be looked at: what may go there is not in this.",
                .warning))
    }

    /// What stays although it was looked at, by reason; the largest first.
    var kept: [(code: Reason.Code, bytes: ByteCount, count: Int)] {
        plan.kept.byReason.filter { $0.value.count > 0 }
            .map { ($0.key, ByteCount($0.value.bytes), $0.value.count) }
            .sorted { ($1.bytes, $0.code.description) < ($0.bytes, $1.code.description) }
    }

    /// A line about what stays, for people.
    ///
    /// - Parameter through: the last class that may be spent, where more can be asked for.
    static func words(for code: Reason.Code, through: PurgeableClass? = nil) -> String {
        switch code {
        case .notNeeded: "not needed for this"
        case .classNotAllowed:
            switch through {
            case .temporary: "of a later class: needs --through cache or last-resort"
            case .cache: "of a later class: needs --through last-resort"
            case .lastResort, nil: "of a later class"
            }
        case .essential: "essential"
        case .pinned: "pinned, or with a mark that cannot be read"
        case .freshTrash: "thrown away less than 24 hours ago"
        case .notSelected: "not chosen"
        case .hidden: "hidden"
        case .newest: "among the newest"
        case .linkedElsewhere: "has another name outside the plan, so that nothing would be freed"
        case .mountPoint: "on another volume"
        case .special: "FIFOs, sockets and devices"
        case .unreadable: "could not be read"
        case .foreignOwner: "belongs to another user"
        case .directoryTag: "keeps its directory out of backups"
        case .cacheStore: "what cache stores hold beside their values"
        case .immutable: "immutable"
        case .leased: "leased"
        case .inUse: "in use"
        case .readOnly: "on a read-only volume"
        case .notPermitted: "in a directory that this user may not change"
        default: code.description
        }
    }

    /// Paragraphs and tables that go before a question.
    func describe(in document: inout Document, places count: Int) {
        document.add(headline)
        if let shortfall { document.add(shortfall) }
        guard summary.items > 0, count > 0 else { return }
        document.addBlank()
        document.add(placesTable(count))
    }

    private func placesTable(_ count: Int) -> Table {
        var table = Table(
            [
                .figure("bytes"), .fixed(), .figure("items"), .fixed("class"),
                .path("where"), .fixed("unused"),
            ], indent: 2)
        for place in summary.places.prefix(count) {
            let share = Double(place.sum.bytes.bytes) / Double(max(1, plan.frees.bytes))
            let kind = place.purgeClass
            table.add(
                .size(place.sum.bytes), .bar(share, width: 8, Style(kind)),
                .figure(place.sum.items),
                .text(StyledText(place.purgeClass.spokenName, Style(kind))),
                .text(StyledText(place.path.homeRelativeText)),
                .text(StyledText(ages(of: place.sum), .faint)))
        }
        let rest = summary.places.dropFirst(count)
        if !rest.isEmpty {
            let bytes = rest.reduce(ByteCount.zero) { $0 + $1.sum.bytes }
            table.note(
                StyledText("and \(bytes) in \(rest.count.counted("more place"))", .faint),
                column: 4)
        }
        return table
    }

    private func ages(of sum: PlanSummary.Sum) -> String {
        guard let newest = sum.newestUse, let oldest = sum.oldestUse else { return "" }
        let ages = [newest, oldest].map { plan.request.now.duration(since: $0).ageDescription }
        return ages[0] == ages[1] ? ages[0] : "\(ages[0]) – \(ages[1])"
    }
}

extension Style {
    /// The colour of a class, the same everywhere.
    init(_ purgeClass: PurgeClass) {
        self =
            switch purgeClass {
            case .temporary: .temporary
            case .cache: .cache
            case .lastResort: .lastResort
            case .essential: .essential
            }
    }

    init(_ planned: PlannedClass) {
        self =
            switch planned {
            case .temporary: .temporary
            case .cache: .cache
            case .trash: .trash
            case .lastResort: .lastResort
            }
    }
}
