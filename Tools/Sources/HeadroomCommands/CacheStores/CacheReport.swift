//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom cache inspect` and `verify` show.
struct CacheReport: Report {
    static let schema = "headroom.cache/1"

    var path: FilePath
    var inspection: CacheInspection

    var status: ExitStatus { inspection.problems.isEmpty ? .done : .partly }

    private static let classes: [PurgeableClass] = [.temporary, .cache, .lastResort]

    // MARK: - JSON

    func write(to json: inout JSONOutput) {
        json.field("path", path)
        json.field("entries", inspection.entries)
        json.objects("classes", Self.classes) { json, purgeClass in
            let sum = inspection.sums[purgeClass] ?? CacheInspection.Sum()
            json.field("class", purgeClass.purgeClass.name)
            json.field("entries", sum.entries)
            json.field("bytes", ByteCount(sum.bytes))
        }
        json.field("expiredEntries", inspection.expired.entries)
        json.field("expiredBytes", ByteCount(inspection.expired.bytes))
        json.field("knownMissing", inspection.negative)
        json.field("tags", inspection.tags)
        json.field("segments", inspection.segments)
        json.field("files", inspection.files)
        json.field("liveBytes", ByteCount(inspection.liveBytes))
        json.field("allocatedBytes", ByteCount(inspection.allocated))
        json.field("limitBytes", inspection.limit)
        json.field("policy", inspection.policy?.rawValue)
        let totals = inspection.totals
        json.field("hits", totals.hits)
        json.field("misses", totals.misses)
        json.field("puts", totals.puts)
        json.field("evictions", totals.evictions)
        json.field("regrets", totals.regrets)
        json.field("indexBytes", ByteCount(inspection.indexBytes))
        json.field("processes", inspection.processes)
        json.field("verified", inspection.isVerified)
        json.field("unsettledEntries", inspection.unsettled)
        json.objects("problems", inspection.problems) { json, problem in
            json.field("kind", problem.kind.rawValue)
            json.field("file", problem.name)
            json.field("entries", problem.entries)
            json.field("message", problem.message)
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        document.add(StyledText(path.homeRelativeText, .strong))
        document.addBlank()
        var table = Table([.text(), .figure(), .figure()])
        for purgeClass in Self.classes {
            guard let sum = inspection.sums[purgeClass] else { continue }
            table.add(
                .text(StyledText(purgeClass.spokenName)),
                .text(StyledText(sum.entries.counted("value"))),
                .text(StyledText("\(ByteCount(sum.bytes))", .strong)))
        }
        if inspection.entries == 0 {
            document.add(StyledText("There is nothing in it."))
        } else {
            document.add(table)
        }
        document.addBlank()
        document.add(facts: facts)
        if !inspection.problems.isEmpty { document.addBlank() }
        for problem in inspection.problems {
            let count = problem.entries > 0 ? " (\(problem.entries.counted("value")))" : ""
            document.add(StyledText("\(problem.name)\(count): \(problem.message)", .warning))
        }
        return document
    }

    private var facts: [Document.Fact] {
        let allocated = ByteCount(inspection.allocated)
        let live = ByteCount(inspection.liveBytes)
        var facts: [Document.Fact] = [
            .init(
                "On the volume",
                StyledText("\(allocated)", .strong)
                    + StyledText(", of which \(live) are of use")),
            .init(
                "Lies in",
                StyledText(
                    "\(inspection.segments.counted("segment")) and "
                        + "\(inspection.files.counted("file"))")),
            .init("Index", StyledText("\(ByteCount(inspection.indexBytes))")),
            .init(
                "Open in", StyledText(inspection.processes.counted("process", "processes"))),
        ]
        let totals = inspection.totals
        if let ratio = totals.hitRatio {
            let evicted =
                totals.evictions == 0
                ? "" : ", \(Int(clamping: totals.evictions).grouped) evicted"
            let regretted =
                totals.regrets == 0
                ? "" : " and \(Int(clamping: totals.regrets).grouped) of them soon put again"
            facts.append(
                .init(
                    "Asked for",
                    StyledText("\(Int(clamping: totals.hits &+ totals.misses).counted("time"))")
                        + StyledText(", found \(Int(ratio * 100)) %", .strong)
                        + StyledText("\(evicted)\(regretted)", .faint)))
        }
        if let limit = inspection.limit, let policy = inspection.policy {
            facts.insert(
                .init("Limit", StyledText("\(limit), in the order \(policy.rawValue)")), at: 1)
        }
        if inspection.expired.entries > 0 {
            facts.append(
                .init(
                    "Expired",
                    StyledText(
                        "\(inspection.expired.entries.counted("value")), "
                            + "\(ByteCount(inspection.expired.bytes))")))
        }
        if inspection.unsettled > 0 {
            facts.append(
                .init(
                    "Gone meanwhile",
                    StyledText(
                        "\(inspection.unsettled.counted("value")): replaced or evicted by who has "
                            + "the store open, who has not told the index yet")))
        }
        if inspection.isVerified, inspection.problems.isEmpty {
            let rest = inspection.unsettled > 0 ? "every other value" : "every value"
            facts.append(.init("Verified", StyledText("\(rest) is as it was put", .good)))
        }
        return facts
    }
}

/// What `headroom cache compact` has done.
struct CacheCompactReport: Report {
    static let schema = "headroom.cache.compact/1"

    var path: FilePath
    var outcome: CacheCompaction.Outcome

    func write(to json: inout JSONOutput) {
        json.field("path", path)
        json.field("beforeBytes", ByteCount(outcome.before))
        json.field("afterBytes", ByteCount(outcome.after))
        json.field("movedRecords", outcome.moved)
    }

    var document: Document {
        var document = Document()
        let before = ByteCount(outcome.before)
        let after = ByteCount(outcome.after)
        document.add(
            StyledText("\(path.homeRelativeText): ")
                + StyledText("\(before) before, \(after) now", .strong)
                + StyledText("; \(outcome.moved.counted("value")) moved."))
        return document
    }
}
