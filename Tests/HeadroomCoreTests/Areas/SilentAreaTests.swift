//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// One area on a volume that hangs, and the others.
@Suite("R23: areas that do not answer", .timeLimit(.minutes(10)))
struct SilentAreaTests {
    private let directory: TemporaryDirectory
    private let hang = Hang()

    /// Lets areas hang, and counts how often they are asked.
    private final class Hang: Sendable {
        let gate = ThreadGate()
        private let asked = Atomic(0)

        var count: Int { asked.load(ordering: .relaxed) }

        func ask() {
            asked.wrappingAdd(1, ordering: .relaxed)
            gate.wait()
        }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home", "data/hung", "other"] as [TreePath] {
            try directory.tree.directory(name)
        }
        try directory.tree.file("data/one", size: .kilobytes(8))
        try directory.tree.file("data/hung/two", size: .kilobytes(8))
        try directory.tree.file("other/three", size: .kilobytes(8))
    }

    private func area(_ name: String, _ purgeClass: PurgeClass = .cache) -> Area {
        Area(root: directory.path.appending(name), purgeClass: purgeClass, origin: "test")
    }

    /// A workspace in which `data/hung` hangs.
    private func workspace(layout areas: [Area] = []) -> Workspace {
        let hung = directory.path.appending("data/hung")
        let hang = hang
        var layouts = [
            Layout.xdg(
                environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"))
        ]
        if !areas.isEmpty {
            layouts.append(Layout(kind: .custom, root: directory.path, areas: areas))
        }
        return Workspace(
            ledger: Ledger.open(directory: directory.path.appending("state")) { .now() },
            layouts: layouts, interrupted: [], clock: { .now() },
            answers: AreaAnswers { path in
                if path == hung { hang.ask() }
            })
    }

    private func planned(_ scope: Scope) throws -> [String] {
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        return plan.filter { $0.unit == .file }.compactMap { $0.path.lastComponent?.string }
            .sorted()
    }

    @Test(.tags(.r23c)) func isLeftOutAndNamedUntilItAnswers() throws {
        let workspace = workspace().declaring([area("data/hung"), area("other")])
        defer { hang.gate.open() }
        for _ in 0..<2 {
            let scope = workspace.scope()
            #expect(try planned(scope) == ["three"])
            let notes = scope.notes.filter { $0.code == .volumeSilent }
            #expect(notes.count == 1)
            #expect(notes.first?.text.contains("data/hung does not answer") == true)
        }
        #expect(hang.count == 1, "one thread hangs, however often somebody asks")
        hang.gate.open()
        while try planned(workspace.scope()) != ["three", "two"] {}
        #expect(!workspace.scope().notes.contains { $0.code == .volumeSilent })
    }

    /// Nobody knows what is there: it does not go as a part of what is around it.
    @Test(.tags(.r23c)) func nothingInItGoesWithWhatIsAroundIt() throws {
        let workspace = workspace().declaring([area("data"), area("data/hung", .lastResort)])
        defer { hang.gate.open() }
        #expect(try planned(workspace.scope()) == ["one"])
        hang.gate.open()
        while try planned(workspace.scope()) != ["one", "two"] {}
    }

    @Test func nothingInAnAreaOfALayoutGoesEither() throws {
        let workspace = workspace(layout: [area("data"), area("data/hung")])
        defer { hang.gate.open() }
        let scope = workspace.scope()
        #expect(try planned(scope) == ["one"])
        #expect(scope.notes.contains { $0.code == .volumeSilent })
        hang.gate.open()
        while try planned(workspace.scope()) != ["one", "two"] {}
    }

    @Test("Ten plans in a row are equal while the machine is busy")
    func plansAreEqualUnderLoad() throws {
        let load = Load(threads: 20)
        defer { load.end() }
        // Far less than it takes until a thread runs on a machine with this load.
        let workspace = Workspace(
            ledger: Ledger.open(directory: directory.path.appending("state")) { .now() },
            layouts: [
                Layout.xdg(
                    environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"))
            ], interrupted: [], clock: { .now() },
            answers: AreaAnswers(limit: .milliseconds(1)) { _ in
                // Longer than the limit.
                let end = ContinuousClock.now.advanced(by: .milliseconds(3))
                while ContinuousClock.now < end {}
            }
        ).declaring([area("data"), area("other", .lastResort)])
        for _ in 0..<10 {
            let scope = workspace.scope()
            #expect(try planned(scope) == ["one", "three", "two"])
            #expect(!scope.notes.contains { $0.code == .volumeSilent })
        }
    }

    @Test func refusalsNameIt() throws {
        defer { hang.gate.open() }
        let refusals = workspace().refusals(of: [area("data/hung"), area("other")])
        #expect(refusals.count == 1)
        let refusal = try #require(refusals[directory.path.appending("data/hung")])
        #expect(refusal.code == .io && refusal.cause == .timedOut)
        #expect(refusal.message.contains("data/hung does not answer"))
    }
}

/// Threads that compute.
private final class Load: Sendable {
    private let isOver = Atomic(false)

    init(threads: Int) {
        for _ in 0..<threads {
            // With fewer threads the machine is less busy.
            try? WorkerThread { [self] in
                while !isOver.load(ordering: .relaxed) {}
            }.detach()
        }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
}
