//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Synchronization
import Testing

/// R26 without a storage of one's own.
struct ModuleGroupTests {
    private final class Module: StorageModule {
        let id: String
        let quota: ByteCount?
        let timeLimit: Duration?
        let deadlines = Mutex<[Duration]>([])
        let wanted = Mutex<[ByteCount]>([])
        private let hangs: Bool

        init(_ id: String, quota: ByteCount?, timeLimit: Duration? = nil, hangs: Bool = false) {
            self.id = id
            self.quota = quota
            self.timeLimit = timeLimit
            self.hangs = hangs
        }

        func usage() async throws -> ByteCount {
            // Until its time is over.
            if hangs { try await Task.sleep(for: .seconds(3_600)) }
            return .megabytes(10)
        }

        func clean(_ request: CleaningRequest) async throws {
            wanted.withLock { $0.append(request.bytesWanted) }
            deadlines.withLock { $0.append(ContinuousClock.now.duration(to: request.deadline)) }
        }
    }

    @Test(.tags(.r26c)) func eachHasItsOwnTimeLimit() async throws {
        let group = ModuleGroup()
        let patient = Module("patient", quota: .megabytes(1), timeLimit: .seconds(3_000))
        let usual = Module("usual", quota: .megabytes(2))
        group.register(Module("hanging", quota: nil, timeLimit: .milliseconds(1), hangs: true))
        group.register(usual)
        group.register(patient)
        let run = try #require(
            await group.clean(level: .normal, trigger: .interval, timeLimit: .seconds(60)))
        try #require(run.modules.map(\.id) == ["patient", "usual", "hanging"])
        #expect(run.modules.map(\.outcome) == [.cleaned, .cleaned, .timedOut])
        // By its own limit, and not by that of the others.
        #expect(run.modules[2].duration < .seconds(30))
        let deadlines = (patient.deadlines.withLock { $0 }, usual.deadlines.withLock { $0 })
        #expect(deadlines.0.count == 1 && deadlines.0[0] > .seconds(2_900))
        #expect(deadlines.1.count == 1 && deadlines.1[0] < .seconds(61))
    }

    /// Those alone, for what was shown, though they are over their quota by more; and each step is told.
    @Test(.tags(.r26a)) func thoseThatWereChosenAreAskedForWhatWasShown() async throws {
        let group = ModuleGroup()
        let modules = ["some", "more", "none"].map { Module($0, quota: .megabytes(1)) }
        for module in modules { group.register(module) }
        let steps = Mutex<[String]>([])
        let run = try #require(
            await group.cleanChosen(["some": .megabytes(4), "more": .megabytes(30)]) { step in
                steps.withLock {
                    switch step {
                    case .measuring(let name): $0.append("measuring \(name)")
                    case .cleaning(let name): $0.append("cleaning \(name)")
                    case .ended(let report): $0.append("ended \(report.id)")
                    }
                }
            })
        #expect(Set(run.modules.map(\.id)) == ["some", "more"])
        #expect(
            modules.map { $0.wanted.withLock { $0 } } == [[.megabytes(4)], [.megabytes(10)], []])
        #expect(
            steps.withLock { $0 } == [
                "measuring some", "measuring more", "cleaning more", "ended more", "cleaning some",
                "ended some",
            ])
        #expect(!group.isCleaning)
    }
}
