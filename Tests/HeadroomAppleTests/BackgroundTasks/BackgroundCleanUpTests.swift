//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomPromises
import Synchronization
import Testing

struct BackgroundCleanUpTests {
    private let scheduler = ScriptedScheduler()
    private let registry = BackgroundRegistry()

    private func makeCleanUp(
        _ identifier: String = "clean-up", options: BackgroundCleanUp.Options = .init(),
        work: @escaping @Sendable () async throws -> Void = {}
    ) -> BackgroundCleanUp {
        BackgroundCleanUp(
            identifier: identifier, options: options, scheduler: scheduler, registry: registry,
            work: work)
    }

    // MARK: - Registering

    @Test(.tags(.r27b)) func registersOnceHoweverOftenItIsAsked() throws {
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        try cleanUp.register()
        #expect(cleanUp.status.isRegistered)
        #expect(scheduler.faults.isEmpty)
    }

    @Test(.tags(.r27b)) func neverRegistersAfterTheLaunch() {
        scheduler.finishLaunching()
        let cleanUp = makeCleanUp()
        #expect { try cleanUp.register() } throws: { error in
            (error as? BackgroundError)?.code == .tooLate
        }
        #expect(scheduler.faults.isEmpty)
        #expect(!cleanUp.status.isRegistered)
    }

    @Test func refusesASecondOneOfTheSameIdentifier() throws {
        let first = makeCleanUp()
        try first.register()
        #expect { try makeCleanUp().register() } throws: { error in
            (error as? BackgroundError)?.code == .alreadyRegistered
        }
        #expect(scheduler.faults.isEmpty)
    }

    @Test func saysWhatIsMissingInTheInfoPlist() throws {
        let other = makeCleanUp("other")
        for _ in 0..<2 {
            // The second time too: nobody has taken the identifier.
            #expect { try other.register() } throws: { error in
                let error = error as? BackgroundError
                return error?.code == .notPermitted
                    && error?.message.contains("BGTaskSchedulerPermittedIdentifiers") == true
            }
        }
    }

    // MARK: - Submitting

    @Test func neverSubmitsWhatIsNotRegistered() async {
        let cleanUp = makeCleanUp()
        await #expect { try await cleanUp.submit() } throws: { error in
            (error as? BackgroundError)?.code == .notRegistered
        }
        #expect(scheduler.faults.isEmpty)
    }

    @Test func submitsWithItsOptionsAndReplacesWhatIsPending() async throws {
        var options = BackgroundCleanUp.Options()
        options.interval = .seconds(3600)
        options.requiresExternalPower = false
        options.requiresNetwork = true
        let cleanUp = makeCleanUp(options: options)
        try cleanUp.register()
        try await cleanUp.submit()
        try await cleanUp.submit()
        #expect(
            scheduler.pending == [
                BackgroundRequest(
                    identifier: "clean-up", delay: .seconds(3600), requiresExternalPower: false,
                    requiresNetwork: true)
            ])
        cleanUp.cancel()
        #expect(scheduler.pending.isEmpty)
    }

    @Test("Submitting again keeps the time of a pending request", .tags(.r27b))
    func keepsThePendingTime() async throws {
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        try await cleanUp.submit()
        // Launched every hour: the request of the first launch is due after a day all the same.
        for _ in 0..<23 {
            scheduler.advance(by: .seconds(3600))
            try await cleanUp.submit()
        }
        #expect(scheduler.pending.map(\.delay) == [.seconds(3600)])
        scheduler.advance(by: .seconds(7200))
        try await cleanUp.submit()
        #expect(scheduler.pending.map(\.delay) == [.seconds(-3600)])
    }

    @Test("Changed options replace a pending request and keep its earlier time", .tags(.r27b))
    func keepsTheTimeOfOtherOptions() async throws {
        scheduler.replacePending(
            with: BackgroundRequest(
                identifier: "clean-up", delay: .seconds(60), requiresExternalPower: false,
                requiresNetwork: false))
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        try await cleanUp.submit()
        #expect(scheduler.pending.count == 1)
        #expect(scheduler.pending.first?.delay == .seconds(60))
        #expect(scheduler.pending.first?.requiresExternalPower == true)
    }

    @Test("A request that is later than the interval is brought forward")
    func bringsForwardALaterRequest() async throws {
        var options = BackgroundCleanUp.Options()
        options.interval = .seconds(3600)
        let cleanUp = makeCleanUp(options: options)
        try cleanUp.register()
        scheduler.replacePending(
            with: BackgroundRequest(
                identifier: "clean-up", delay: .seconds(86400), requiresExternalPower: true,
                requiresNetwork: false))
        try await cleanUp.submit()
        #expect(scheduler.pending.map(\.delay) == [.seconds(3600)])
    }

    @Test func remembersWhyARequestWasNotTakenUntilOneIs() async throws {
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        scheduler.refuseNext(BackgroundError(.unavailable, "switched off"))
        await #expect(throws: BackgroundError(.unavailable, "switched off")) {
            try await cleanUp.submit()
        }
        #expect(cleanUp.status.submissionError?.code == .unavailable)
        try await cleanUp.submit()
        #expect(cleanUp.status.submissionError == nil)
    }

    // MARK: - Runs

    @Test(.tags(.r27b)) func asksForTheNextRunBeforeItBegins() async throws {
        let scheduler = scheduler
        let cleanUp = makeCleanUp { #expect(scheduler.pending.count == 1) }
        try cleanUp.register()
        let run = ScriptedRun()
        scheduler.launch(run)
        #expect(await run.completion() == true)
        #expect(await run.allCompletions() == [])
        #expect(scheduler.pending.count == 1)
    }

    @Test func worksThoughTheNextRunIsRefused() async throws {
        let done = Atomic<Bool>(false)
        let cleanUp = makeCleanUp { done.store(true, ordering: .relaxed) }
        try cleanUp.register()
        scheduler.refuseNext(BackgroundError(.tooManyRequests, "ten"))
        let run = ScriptedRun()
        scheduler.launch(run)
        #expect(await run.completion() == true)
        let isDone = done.load(ordering: .relaxed)
        #expect(isDone)
        #expect(cleanUp.status.submissionError?.code == .tooManyRequests)
        // The app's next launch tries again.
        try await cleanUp.submit()
        #expect(scheduler.pending.count == 1)
    }

    @Test func completesWithoutSuccessWhenTheWorkFails() async throws {
        struct Trouble: Error {}
        let cleanUp = makeCleanUp { throw Trouble() }
        try cleanUp.register()
        let run = ScriptedRun()
        scheduler.launch(run)
        #expect(await run.completion() == false)
        #expect(await run.allCompletions() == [])
    }

    @Test(.tags(.r27b)) func cancelsTheWorkAtTheExpiryAndCompletesOnce() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let cleanUp = makeCleanUp {
            begin.yield()
            // Until it is cancelled.
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            end.yield(Task.isCancelled)
        }
        try cleanUp.register()
        let run = ScriptedRun()
        scheduler.launch(run)
        for await _ in begun { break }
        run.expire()
        // At once: nobody waits for the work.
        #expect(await run.completion() == false)
        for await wasCancelled in ended {
            #expect(wasCancelled)
            break
        }
        #expect(cleanUp.status.expiredRuns == 1)
        #expect(await run.allCompletions() == [])
    }

    @Test func doesNothingWhenTheTimeIsOverAtOnce() async throws {
        let cleanUp = makeCleanUp { Issue.record("worked after the time was over") }
        try cleanUp.register()
        let run = ScriptedRun(expiresAtOnce: true)
        scheduler.launch(run)
        #expect(await run.completion() == false)
        #expect(await run.allCompletions() == [])
        #expect(cleanUp.status.runs == 1)
    }

    @Test func ignoresAnExpiryThatComesAfterTheEnd() async throws {
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        let run = ScriptedRun()
        scheduler.launch(run)
        #expect(await run.completion() == true)
        run.expire()
        #expect(await run.allCompletions() == [])
        #expect(cleanUp.status.expiredRuns == 0)
    }

    @Test("A registered cleanup works although the app keeps no reference to it", .tags(.r27b))
    func worksWithoutAReference() async throws {
        let done = Atomic<Int>(0)
        try makeCleanUp { done.add(1, ordering: .relaxed) }.register()
        let run = ScriptedRun()
        scheduler.launch(run)
        #expect(await run.completion() == true)
        let runs = done.load(ordering: .relaxed)
        #expect(runs == 1)
        // And has asked for the next run.
        #expect(scheduler.pending.count == 1)
    }

    @Test func countsItsRuns() async throws {
        let cleanUp = makeCleanUp()
        try cleanUp.register()
        for _ in 0..<3 {
            let run = ScriptedRun()
            scheduler.launch(run)
            #expect(await run.completion() == true)
        }
        #expect(cleanUp.status.runs == 3)
        #expect(scheduler.faults.isEmpty)
    }
}
