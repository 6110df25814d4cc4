//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Synchronization
import Testing

/// Modules that a person chooses (R26, R31): those that were confirmed clean, and no others.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APIModuleTests {
    /// Holds 100 MB, and keeps a tenth of it when it is cleaned.
    private final class Module: StorageModule {
        enum Manner { case willing, failing, hanging, silent, pensive }

        struct Failure: Error, CustomStringConvertible { let description = "the disk is on strike" }

        let id: String
        let manner: Manner
        let timeLimit: Duration?
        private let state = Mutex((held: ByteCount.megabytes(100), asked: [CleaningRequest]()))
        /// Finishes when a hanging one may return.
        private let gate: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation
        let begun: AsyncStream<Void>
        private let beginning: AsyncStream<Void>.Continuation

        init(_ id: String, _ manner: Manner = .willing, timeLimit: Duration? = nil) {
            self.id = id
            self.manner = manner
            self.timeLimit = timeLimit
            (gate, opener) = AsyncStream.makeStream()
            (begun, beginning) = AsyncStream.makeStream()
        }

        var displayName: String { "The \(id)" }
        var asked: [CleaningRequest] { state.withLock { $0.asked } }

        func grow(to bytes: ByteCount) { state.withLock { $0.held = bytes } }
        func open() { opener.finish() }

        func usage() async throws -> ByteCount {
            if manner == .silent { throw Failure() }
            if manner == .pensive {
                beginning.yield()
                await wait()
            }
            return state.withLock { $0.held }
        }

        func clean(_ request: CleaningRequest) async throws {
            state.withLock { $0.asked.append(request) }
            beginning.yield()
            switch manner {
            case .failing: throw Failure()
            case .hanging: await wait()
            case .willing, .silent, .pensive: state.withLock { $0.held = .megabytes(10) }
            }
        }

        /// Deaf to its cancellation, as a module may be.
        private func wait() async {
            let gate = gate
            await Task.detached { for await _ in gate {} }.value
        }
    }

    private func listed(_ served: ServedAPI) async throws -> ServedAPI.Answer {
        var answer = try await served.ask("GET", "/cleanables?section=modules")
        while try answer.value("state") == "searching" {
            _ = try await served.finished(try answer.value("job"))
            answer = try await served.ask("GET", "/cleanables?section=modules")
        }
        return answer
    }

    private func preview(
        _ served: ServedAPI, _ ids: [String], _ more: String = ""
    ) async throws -> ServedAPI.Answer {
        _ = try await listed(served)
        let items = ids.map { "\"module:\($0)\"" }.joined(separator: ",")
        return try await served.ask(
            "POST", "/cleanables/preview", "{\"items\":[\(items)]\(more)}")
    }

    private func confirm(
        _ served: ServedAPI, _ preview: ServedAPI.Answer
    ) async throws -> ServedAPI.Answer {
        try await served.ask(
            "POST", "/module-runs/\(try preview.value("moduleRun.id"))/confirm")
    }

    private func run(
        _ served: ServedAPI, _ preview: ServedAPI.Answer
    ) async throws -> ServedAPI.Answer {
        let begun = try await confirm(served, preview)
        #expect(begun.status == 202, "\(begun.text)")
        return try await served.finished(try begun.value("job.id"))
    }

    // MARK: - Choosing

    @Test(.tags(.r31e)) func aChosenModuleIsCleanedAndTheOthersAreNotCalled() async throws {
        let (tiles, mail) = (Module("tiles"), Module("mail"))
        try await ServedAPI.serving(modules: [tiles, mail]) { served async throws in
            let shown = try await preview(served, ["tiles"])
            #expect(shown.status == 201)
            #expect(try shown.value("freesBytes") == "0")
            #expect(try shown.value("freesByModulesBytes") == "100000000")
            #expect(try shown.count("modules") == 1)
            #expect(try shown.value("modules.0.name") == "The tiles")
            #expect(try shown.value("modules.0.bytes") == "100000000")
            #expect(try !shown.has("plan") && !shown.has("disposal"))
            #expect(tiles.asked.isEmpty)

            let job = try await run(served, shown)
            #expect(try job.value("state") == "done")
            #expect(try job.value("kind") == "modules")
            #expect(try job.count("modules") == 1)
            #expect(try job.value("modules.0.id") == "module:tiles")
            #expect(try job.value("modules.0.outcome") == "cleaned")
            #expect(try job.value("modules.0.freedBytes") == "90000000")
            #expect(try job.value("modules.0.afterBytes") == "10000000")
            #expect(
                try job.value("text") == "The module freed 90.0 MB, by its own measure.")
            #expect(try job.value("progress.items") == "1")
            #expect(try job.value("progress.totalItems") == "1")
            #expect(try job.value("progress.bytes") == "90000000")
            #expect(tiles.asked.count == 1)
            #expect(tiles.asked.first?.trigger == .byHand)
            #expect(tiles.asked.first?.allowedClass == .lastResort)
            #expect(mail.asked.isEmpty)
            // What is listed now is what it holds now.
            #expect(try await listed(served).text.contains("\"bytes\":10000000"))
        }
    }

    /// Nobody was shown what has come since.
    @Test func noMoreIsAskedThanWasShown() async throws {
        let tiles = Module("tiles")
        try await ServedAPI.serving(modules: [tiles]) { served async throws in
            let shown = try await preview(served, ["tiles"])
            tiles.grow(to: .megabytes(500))
            _ = try await run(served, shown)
            #expect(tiles.asked.map(\.bytesWanted) == [.megabytes(100)])
        }
    }

    @Test func deepAsksAllThatSayWhatTheyHold() async throws {
        let modules = [Module("tiles"), Module("mail"), Module("mute", .silent)]
        try await ServedAPI.serving(modules: modules) { served async throws in
            let shown = try await preview(served, [], ",\"deep\":true")
            #expect(try shown.count("modules") == 2)
            let job = try await run(served, shown)
            #expect(try job.count("modules") == 2)
            #expect(modules.map(\.asked.count) == [1, 1, 0])
        }
    }

    @Test func oneThatDoesNotSayWhatItHoldsCannotBeChosen() async throws {
        let modules = [Module("mute", .silent), Module("empty")]
        modules[1].grow(to: .zero)
        try await ServedAPI.serving(modules: modules) { served async throws in
            let text = try await listed(served).text
            #expect(text.contains("does not say what it holds: the disk is on strike"))
            #expect(!text.contains("\"selectable\":true"))
            for name in ["mute", "empty"] {
                #expect(try await preview(served, [name]).status == 400)
            }
            #expect(try await preview(served, ["other"]).status == 404)
        }
    }

    /// It neither waits for the one that is measured nor measures the next.
    @Test func stoppingTheLookStopsMeasuring() async throws {
        let (pensive, good) = (Module("pensive", .pensive), Module("good"))
        defer { pensive.open() }
        try await ServedAPI.serving(modules: [pensive, good]) { served async throws in
            let begun = try await served.ask("POST", "/cleanables")
            let job = try begun.value("job.id")
            for await _ in pensive.begun { break }
            _ = try await served.ask("POST", "/jobs/\(job)/cancel")
            let ended = try await served.finished(job)
            #expect(try ended.value("state") == "cancelled")
            let answer = try await served.ask("GET", "/cleanables?section=modules")
            #expect(try answer.value("state") == "stopped")
            for index in 0..<2 {
                #expect(
                    try answer.value("sections.0.items.\(index).note")
                        == "was not measured: looking was stopped")
            }
        }
    }

    // MARK: - Confirming

    @Test(.tags(.r31e)) func aStaleConfirmationCallsNothing() async throws {
        let tiles = Module("tiles")
        try await ServedAPI.serving(modules: [tiles]) { served async throws in
            let looked = try await preview(served, ["tiles"], ",\"keep\":false")
            #expect(looked.status == 200)
            #expect(try !looked.has("moduleRun"))
            let shown = try await preview(served, ["tiles"])
            // Other commands may stand under its name now.
            await served.api.use(ServedAPI.situation(served.workspace, modules: [tiles]))
            let stale = try await confirm(served, shown)
            #expect(stale.status == 409)
            #expect(try stale.value("error.code") == "plan-unknown")
            #expect(try await served.ask("POST", "/module-runs/none/confirm").status == 409)
            #expect(tiles.asked.isEmpty)

            let next = try await preview(served, ["tiles"])
            _ = try await run(served, next)
            #expect(tiles.asked.count == 1)
            #expect(try await confirm(served, next).status == 409)
            #expect(tiles.asked.count == 1)
        }
    }

    // MARK: - Trouble

    @Test(.tags(.r26b)) func failingAndHangingOnesDoNotStopTheRest() async throws {
        let modules = [
            Module("bad", .failing), Module("deaf", .hanging, timeLimit: .milliseconds(200)),
            Module("good"),
        ]
        // Those that hold the most come first.
        modules[2].grow(to: .megabytes(50))
        defer { modules[1].open() }
        try await ServedAPI.serving(modules: modules) { served async throws in
            let job = try await run(served, try await preview(served, modules.map(\.id)))
            #expect(try job.value("state") == "done")
            var words: [String: String] = [:]
            for index in 0..<(try job.count("modules")) {
                let name = try job.value("modules.\(index).id")
                words[name] = try job.value("modules.\(index).outcome")
            }
            #expect(
                words == [
                    "module:bad": "failed", "module:deaf": "timedOut", "module:good": "cleaned",
                ])
            #expect(job.text.contains("the disk is on strike"))
            #expect(
                try job.value("text")
                    == "The 3 modules freed 40.0 MB, by their own measure; 2 in trouble.")
            #expect(modules.map(\.asked.count) == [1, 1, 1])

            // It has not returned: it is told so, and neither measured nor cleaned meanwhile.
            let text = try await listed(served).text
            #expect(text.contains("has not yet returned from an earlier call"))
            #expect(try await preview(served, ["deaf"]).status == 400)
            #expect(modules[1].asked.count == 1)
        }
    }

    /// What does not fit is counted.
    @Test func aListThatIsCutSaysSo() async throws {
        let modules = (0..<80).map { Module("m\($0)", $0 < 70 ? .failing : .willing) }
        try await ServedAPI.serving(modules: modules) { served async throws in
            let job = try await run(served, try await preview(served, modules.map(\.id)))
            let count = try job.count("modules")
            #expect(count < 80)
            #expect(try job.value("unlistedModules") == "\(80 - count)")
            #expect(try job.value("modulesInTrouble") == "70")
            #expect(try job.value("progress.bytes") == "900000000")
        }
    }

    /// Two confirmations at once: the second is told, and holds.
    @Test func modulesAreCleanedByOneAtATimeAndCanBeStopped() async throws {
        let (deaf, good) = (Module("deaf", .hanging), Module("good"))
        good.grow(to: .megabytes(50))
        try await ServedAPI.serving(modules: [deaf, good]) { served async throws in
            let both = try await preview(served, ["deaf", "good"])
            let other = try await preview(served, ["good"])
            let begun = try await confirm(served, both)
            let job = try begun.value("job.id")
            for await _ in deaf.begun { break }
            let running = try await served.ask("GET", "/jobs/\(job)")
            #expect(try running.value("progress.phase") == "Cleaning: The deaf")
            let busy = try await confirm(served, other)
            #expect(busy.status == 409)
            #expect(try busy.value("error.code") == "busy")

            _ = try await served.ask("POST", "/jobs/\(job)/cancel")
            let ended = try await served.finished(job)
            #expect(try ended.value("state") == "cancelled")
            #expect(good.asked.isEmpty)
            deaf.open()
            // What was confirmed while it could not be done can be still.
            _ = try await run(served, other)
            #expect(good.asked.count == 1)
        }
    }
}
