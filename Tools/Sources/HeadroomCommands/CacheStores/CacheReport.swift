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

    func write(to json: inout JSONWriter) {
        json.member("path", path)
        json.member("entries", inspection.entries)
        json.objects("classes", Self.classes) { json, purgeClass in
            let sum = inspection.sums[purgeClass] ?? CacheInspection.Sum()
            json.member("class", purgeClass.purgeClass.name)
            json.member("entries", sum.entries)
            json.member("bytes", ByteCount(sum.bytes))
        }
        json.member("expiredEntries", inspection.expired.entries)
        json.member("expiredBytes", ByteCount(inspection.expired.bytes))
        json.member("knownMissing", inspection.negative)
        json.member("tags", inspection.tags)
        json.member("segments", inspection.segments)
        json.member("files", inspection.files)
        json.member("liveBytes", ByteCount(inspection.liveBytes))
        json.member("allocatedBytes", ByteCount(inspection.allocated))
        json.member("limitBytes", inspection.limit)
        json.member("policy", inspection.policy?.rawValue)
        let totals = inspection.totals
        json.member("hits", totals.hits)
        json.member("misses", totals.misses)
        json.member("puts", totals.puts)
        json.member("evictions", totals.evictions)
        json.member("regrets", totals.regrets)
        json.member("indexBytes", ByteCount(inspection.indexBytes))
        json.member("processes", inspection.processes)
        json.member("verified", inspection.isVerified)
        json.member("unsettledEntries", inspection.unsettled)
        json.objects("problems", inspection.problems) { json, problem in
            json.member("kind", problem.kind.rawValue)
            json.member("file", problem.name)
            json.member("entries", problem.entries)
            json.member("message", problem.message)
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

    func write(to json: inout JSONWriter) {
        json.member("path", path)
        json.member("beforeBytes", ByteCount(outcome.before))
        json.member("afterBytes", ByteCount(outcome.after))
        json.member("movedRecords", outcome.moved)
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
