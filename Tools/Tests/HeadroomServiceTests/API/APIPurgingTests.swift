//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomRequests
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// From a plan to its receipt: what is confirmed is what is purged.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APIPurgingTests {
    private static func fill(_ tree: Tree) throws {
        try tree.file("home/.cache/app/one", size: .kibibytes(64))
        try tree.file("home/.cache/app/two", size: .kibibytes(32))
        try tree.hardLink("home/.cache/app/two-too", to: "home/.cache/app/two")
        try tree.file("home/.cache/lone", size: .kibibytes(8))
        try tree.file("home/Documents/letter", size: .kibibytes(16))
    }

    private func plan(
        _ served: ServedAPI, _ target: String = #"{"kind":"all"}"#
    ) async throws -> ServedAPI.Answer {
        let plan = try await served.ask("POST", "/plans", #"{"target":\#(target)}"#)
        #expect(plan.status == 201)
        return plan
    }

    private func index(
        of name: String, in plan: String, _ served: ServedAPI
    ) async throws -> Int {
        let entries = try await served.ask("GET", "/plans/\(plan)/entries")
        for index in 0..<(try entries.count("entries"))
        where try entries.value("entries.\(index).path").hasSuffix(name) {
            return try #require(Int(try entries.value("entries.\(index).index")))
        }
        Issue.record("no \(name)")
        return 0
    }

    private func purge(
        _ served: ServedAPI, _ plan: String, _ digest: String
    ) async throws -> ServedAPI.Answer {
        try await served.ask(
            "POST", "/purges", #"{"plan":"\#(plan)","selection":"\#(digest)"}"#)
    }

    @Test(.tags(.r29b)) func whatIsConfirmedIsWhatGoes() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await plan(served)
            let id = try plan.value("id")
            // A directory of tmpfs occupies nothing.
            #expect(try plan.value("freesBytes") == "\(104 * 1_024)")
            let two = try await index(of: "app/two", in: id, served)
            let chosen = try await served.ask(
                "PUT", "/plans/\(id)/selection", #"{"entries":[\#(two)]}"#)
            // The other name of the file and the directory around stay with it.
            #expect(try chosen.value("freesBytes") == "\(72 * 1_024)")
            #expect(try chosen.count("alsoDeselected") >= 1)
            #expect(try chosen.value("items") == "2")
            let stale = try await purge(served, id, try plan.value("selection.digest"))
            #expect(stale.status == 409)
            #expect(try stale.value("error.code") == "selection-changed")
            #expect(served.tree.exists("home/.cache/app/one"))

            let begun = try await purge(served, id, try chosen.value("digest"))
            #expect(begun.status == 202)
            let job = try await served.finished(try begun.value("job.id"))
            #expect(try job.value("state") == "done")
            #expect(!served.tree.exists("home/.cache/app/one"))
            #expect(!served.tree.exists("home/.cache/lone"))
            #expect(served.tree.exists("home/.cache/app/two"))
            #expect(served.tree.exists("home/.cache/app/two-too"))
            #expect(served.tree.exists("home/Documents/letter"))

            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("removedCount") == "2")
            #expect(try receipt.value("requester").contains("API"))
            #expect(try await served.ask("GET", "/receipts").count("receipts") == 1)
            let paths = try await served.ask(
                "GET", "/receipts/\(try job.value("receipt"))/paths?limit=1")
            #expect(try paths.value("cursor") == "1")
            // It is carried out once.
            let again = try await purge(served, id, try chosen.value("digest"))
            #expect(again.status == 409)
            #expect(try again.value("error.code") == "plan-unknown")
            // What is seen now is what is there now.
            let status = try await self.plan(served)
            #expect(try status.value("items") == "2")
        }
    }

    /// R37: it is counted and kept as what the policy purges by itself.
    @Test func whatAPersonHasConfirmedIsTold() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let told = Mutex<[(receipt: Receipt, volume: FilePath?)]>([])
            let metrics = ServiceMetrics(version: "1.2.3")
            let feed = MetricsFeed(metrics)
            await served.api.use(
                ServedAPI.situation(served.workspace) { event in
                    feed.note(event, at: .now())
                    guard case .purgedByHand(let receipt, let volume) = event else { return }
                    told.withLock { $0.append((receipt, volume)) }
                })
            let plan = try await plan(served)
            let begun = try await purge(
                served, try plan.value("id"), try plan.value("selection.digest"))
            let job = try await served.finished(try begun.value("job.id"))
            #expect(try job.value("state") == "done")
            let (receipt, volume) = try #require(told.withLock { $0.first })
            #expect(told.withLock { $0.count } == 1)
            #expect(try job.value("receipt") == receipt.id)
            #expect(try Volume.containing(served.home).mountPoint == volume)
            let read = try Exposition(metrics.text().body, isOpen: false)
            let trigger = ["trigger": "byHand"]
            let freed = trigger.merging(["class": "cache"]) { $1 }
            #expect(read.value("headroom_freed_bytes_total", freed) == Double(104 * 1_024))
            let reached = trigger.merging(["outcome": "reached"]) { $1 }
            #expect(read.value("headroom_purges_total", reached) == 1)
            #expect(read.value("headroom_purge_duration_seconds_count", trigger) == 1)
        }
    }

    @Test func nothingOfADeselectedGroupGoes() async throws {
        try await ServedAPI.serving(fill: { tree in
            try Self.fill(tree)
            try tree.directory("home/.local/share/Trash/files")
        }) { served async throws in
            let plan = try await plan(served)
            let id = try plan.value("id")
            let list = try (0..<plan.count("selection.groups")).map { "\($0)" }
                .joined(separator: ",")
            let lone = try await index(of: "lone", in: id, served)
            let chosen = try await served.ask(
                "PUT", "/plans/\(id)/selection", #"{"groups":[\#(list)],"except":[\#(lone)]}"#)
            #expect(try chosen.value("items") == "1")
            #expect(try chosen.value("freesBytes") == "\(8 * 1_024)")
            let none = try await served.ask(
                "PUT", "/plans/\(id)/selection", #"{"groups":[\#(list)]}"#)
            #expect(try none.value("freesBytes") == "0")
            #expect(try await purge(served, id, try none.value("digest")).status == 400)
            let all = try await served.ask("PUT", "/plans/\(id)/selection", "{}")
            #expect(try all.value("deselectedItems") == "0")
            for (body, status) in [
                (#"{"entries":[99999]}"#, 404), (#"{"groups":[77]}"#, 404),
                (#"{"entries":[1,1]}"#, 400), (#"{"entries":[-1]}"#, 400), (#"{"x":[]}"#, 400),
            ] {
                #expect(
                    try await served.ask("PUT", "/plans/\(id)/selection", body).status == status)
            }
        }
    }

    @Test func plansOfOthersAreUnknown() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let one = try await plan(served)
            let other = try await plan(served, #"{"kind":"free","bytes":1000}"#)
            let mixed = try await purge(
                served, try one.value("id"), try other.value("selection.digest"))
            #expect(mixed.status == 409)
            #expect(try await purge(served, "none", "none").status == 409)
            #expect(try await served.ask("GET", "/plans/none").status == 404)
            #expect(try await served.ask("GET", "/plans/none/entries").status == 404)
            #expect(try await served.ask("DELETE", "/plans/\(try one.value("id"))").status == 204)
            let gone = try await purge(
                served, try one.value("id"), try one.value("selection.digest"))
            #expect(gone.status == 409)
            #expect(served.tree.exists("home/.cache/lone"))
        }
    }

    /// Two pages at once: the later choice makes the earlier confirmation void.
    @Test func onlyTheLastChoiceCanBeConfirmed() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await plan(served)
            let id = try plan.value("id")
            let one = try await served.ask("PUT", "/plans/\(id)/selection", #"{"entries":[0]}"#)
            let two = try await served.ask("PUT", "/plans/\(id)/selection", #"{"entries":[1]}"#)
            #expect(try await purge(served, id, try one.value("digest")).status == 409)
            #expect(served.tree.exists("home/.cache/lone"))
            // The same once more changes nothing.
            let same = try await served.ask("PUT", "/plans/\(id)/selection", #"{"entries":[1]}"#)
            #expect(try same.value("digest") == two.value("digest"))
            let begun = try await purge(served, id, try two.value("digest"))
            #expect(begun.status == 202)
            _ = try await served.finished(try begun.value("job.id"))
        }
    }

    @Test func aPlanOfManyPlansIsForgotten() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let first = try await plan(served)
            for _ in 0..<16 { _ = try await plan(served) }
            #expect(try await served.ask("GET", "/plans/\(try first.value("id"))").status == 404)
        }
    }

    @Test func whatChangedSinceStays() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await plan(served)
            try served.tree.remove("home/.cache/lone")
            try served.tree.file("home/.cache/lone", size: .kibibytes(80))
            let begun = try await purge(
                served, try plan.value("id"), try plan.value("selection.digest"))
            let job = try await served.finished(try begun.value("job.id"))
            #expect(served.tree.exists("home/.cache/lone"))
            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("skipped.0.reason.code") == "changed")
        }
    }

    @Test func oneClassIsPlannedAlone() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let trash = try await plan(served, #"{"kind":"class","class":"trash"}"#)
            #expect(try trash.value("items") == "0")
            let cache = try await plan(served, #"{"kind":"class","class":"cache"}"#)
            #expect(try cache.value("items") == "4")
            #expect(try cache.value("target") == "everything cache")
        }
    }

    /// A tree of which one path is longer than an answer may be.
    @Test func aPathThatFillsAnAnswerHoldsUpNoPage() async throws {
        try await ServedAPI.serving(fill: { tree in
            let name = try #require(FileName(Array(repeating: 1, count: 250)))
            let deep = try tree.chain("home/.cache", depth: 900, name: name)
            try tree.file(deep / "file", size: .kibibytes(4))
        }) { served async throws in
            let plan = try await plan(served)
            let answer = try await served.ask(
                "GET", "/plans/\(try plan.value("id"))/entries?limit=1")
            #expect(try answer.count("entries") == 1)
            #expect(try answer.value("entries.0.path").hasSuffix("/file"))
        }
    }

    @Test func entriesArePagedAndSorted() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let id = try await plan(served).value("id")
            let page = try await served.ask("GET", "/plans/\(id)/entries?sort=bytes&limit=1")
            #expect(try page.value("entries.0.path").hasSuffix("app/one"))
            let next = try await served.ask(
                "GET",
                "/plans/\(id)/entries?sort=bytes&limit=100&cursor=\(try page.value("cursor"))")
            #expect(try next.count("entries") + 1 == Int(page.value("total")))
            #expect(try await served.ask("GET", "/plans/\(id)/entries?group=9").status == 404)
        }
    }

    // MARK: - The trash

    @Test func whatIsThrownAwayComesBack() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let path = served.home.appending("Documents/letter").string
            let shown = try await served.ask(
                "POST", "/disposals", #"{"files":[{"path":"\#(path)"}]}"#)
            #expect(shown.status == 201)
            #expect(try shown.count("files") == 1)
            #expect(served.tree.exists("home/Documents/letter"))
            let begun = try await served.ask(
                "POST", "/disposals/\(try shown.value("id"))/confirm")
            #expect(begun.status == 202)
            let job = try await served.finished(try begun.value("job.id"))
            #expect(!served.tree.exists("home/Documents/letter"))
            #expect(
                try await served.ask(
                    "POST", "/disposals/\(try shown.value("id"))/confirm"
                ).status == 409)
            let trash = try await served.ask("GET", "/trash")
            #expect(try trash.value("items.0.path") == path)
            let receipt = try job.value("receipt")
            let disposed = try await served.ask("GET", "/receipts/\(receipt)")
            let listed = try await served.ask("GET", "/receipts")
            for answer in [disposed, listed] {
                #expect(answer.text.contains("\"undoable\":true"), "\(answer.text)")
            }
            let undone = try await served.ask("POST", "/receipts/\(receipt)/undo")
            #expect(undone.status == 200)
            #expect(served.tree.exists("home/Documents/letter"))
            #expect(try await served.ask("POST", "/receipts/\(receipt)/undo").status == 409)
            // Nobody is offered what cannot be done any more.
            for path in ["/\(receipt)", "/\(try undone.value("id"))", ""] {
                let answer = try await served.ask("GET", "/receipts\(path)")
                #expect(answer.text.contains("\"undoable\":false"))
                #expect(!answer.text.contains("\"undoable\":true"))
            }
        }
    }

    /// A directory is shown with what is in it, and goes with that.
    @Test func whatWasPutIntoADirectorySinceKeepsIt() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let path = served.home.appending("Documents/old").string
            try served.tree.file("home/Documents/old/one", text: "1")
            let shown = try await served.ask(
                "POST", "/disposals", #"{"files":[{"path":"\#(path)"}]}"#)
            #expect(try shown.value("files.0.items") == "2")
            try served.tree.file("home/Documents/old/letter", text: "new")
            let begun = try await served.ask(
                "POST", "/disposals/\(try shown.value("id"))/confirm")
            let job = try await served.finished(try begun.value("job.id"))
            #expect(served.tree.exists("home/Documents/old/letter"))
            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("removedCount") == "0")
            #expect(try receipt.value("skipped.0.reason.text").contains("changed since"))
        }
    }

    /// A place that was taken meanwhile is not overwritten.
    @Test func undoReplacesNothing() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let path = served.home.appending("Documents/letter").string
            let shown = try await served.ask(
                "POST", "/disposals", #"{"files":[{"path":"\#(path)"}]}"#)
            let begun = try await served.ask(
                "POST", "/disposals/\(try shown.value("id"))/confirm")
            let job = try await served.finished(try begun.value("job.id"))
            try served.tree.file("home/Documents/letter", text: "another")
            let undone = try await served.ask(
                "POST", "/receipts/\(try job.value("receipt"))/undo")
            #expect(try undone.value("skippedCount") == "1")
            #expect(
                try served.tree.contents(of: "home/Documents/letter") == Array("another".utf8))
            #expect(try await served.ask("GET", "/trash").count("items") == 1)
        }
    }

    @Test func oneItemOfTheTrashComesBack() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let selection = served.workspace.select(userFiles: [
                served.home.appending("Documents/letter")
            ])
            _ = served.workspace.dispose(of: selection, requester: "test")
            let id = try await served.ask("GET", "/trash").value("items.0.id")
            let foreign = ServedAPI.encoded(served.home.appending(".cache/lone"))
            let answer = try await served.ask(
                "POST", "/trash/restore", #"{"items":["\#(id)","\#(foreign)"]}"#)
            #expect(try answer.count("restored") == 1)
            #expect(try answer.count("failed") == 1)
            #expect(served.tree.exists("home/Documents/letter"))
            #expect(served.tree.exists("home/.cache/lone"))
        }
    }

    @Test func whatMayNotBeThrownAwayIsRefused() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let answer = try await served.ask(
                "POST", "/disposals",
                #"{"files":[{"path":"/etc/passwd"},{"path":"\#(served.home.string)"}]}"#)
            #expect(try answer.count("files") == 0)
            #expect(try answer.count("refused") == 2)
            for body in [
                #"{"files":[]}"#, #"{"files":[{}]}"#, #"{"files":[{"path":"x"}]}"#,
                #"{"files":[{"path":"/a","pathBytes":"/a"}]}"#, #"{"files":[{"path":"/a","x":1}]}"#,
            ] {
                #expect(try await served.ask("POST", "/disposals", body).status == 400)
            }
        }
    }

    // MARK: - Jobs

    @Test func whatIsNotKnownIsSaidSo() async throws {
        try await ServedAPI.serving { served async throws in
            #expect(try await served.ask("GET", "/jobs/none").status == 404)
            #expect(try await served.ask("POST", "/jobs/none/cancel").status == 404)
            #expect(try await served.ask("GET", "/receipts/none").status == 404)
        }
    }

    @Test func aFollowerWhoComesLateHearsTheEnd() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await plan(served)
            let begun = try await purge(
                served, try plan.value("id"), try plan.value("selection.digest"))
            let id = try begun.value("job.id")
            _ = try await served.finished(id)
            let late = try await served.bare(
                "GET", "/jobs/\(id)/events",
                more: [
                    "-H", "Authorization: Bearer \(served.api.token.text)", "-H",
                    "Last-Event-ID: 1",
                ])
            #expect(late.headers.lowercased().contains("content-type: text/event-stream"))
            #expect(late.text.contains("event: done"))
            #expect(late.text.contains("\"receipt\""))
            let cancelled = try await served.ask("POST", "/jobs/\(id)/cancel")
            #expect(try cancelled.value("state") == "done")
        }
    }

    /// Others at work in an area are named, and nothing is taken from the plan.
    @Test func aBusyAreaIsAConflict() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await plan(served)
            let holder = try await PurgingHolder(served.workspace)
            let answer = try await purge(
                served, try plan.value("id"), try plan.value("selection.digest"))
            #expect(answer.status == 409)
            #expect(try answer.value("error.code") == "busy")
            try await holder.release()
            let begun = try await purge(
                served, try plan.value("id"), try plan.value("selection.digest"))
            #expect(begun.status == 202)
            _ = try await served.finished(try begun.value("job.id"))
        }
    }
}
