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

/// What nobody may declare, on a volume that hangs: it guards no less than before.
@Suite("R23, S11: guarded places that do not answer", .timeLimit(.minutes(10)))
struct SilentPlaceTests {
    private let directory: TemporaryDirectory
    private let hang = Hang()

    /// Lets whoever asks for some places hang, and counts how often.
    private final class Hang: Sendable {
        let gate = ThreadGate()
        private let places = Mutex<[FilePath: Int]>([:])
        private let asked = Atomic(0)

        var count: Int { asked.load(ordering: .relaxed) }

        /// - Parameter number: so often it answers before.
        func hang(_ place: FilePath, after number: Int = 0) {
            places.withLock { $0[place] = number }
        }

        func ask(_ path: FilePath) {
            let hangs = places.withLock { places -> Bool in
                guard let number = places[path] else { return false }
                places[path] = number - 1
                return number <= 0
            }
            guard hangs else { return }
            asked.wrappingAdd(1, ordering: .relaxed)
            gate.wait()
        }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home/Documents/album", "own", "other"] as [TreePath] {
            try directory.tree.directory(name)
        }
        try directory.tree.file("other/three", size: .kilobytes(8))
    }

    private var home: Layout {
        .xdg(environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"))
    }

    private func area(_ path: FilePath) -> Area {
        Area(root: path, purgeClass: .cache, origin: "test")
    }

    private func answers() -> AreaAnswers {
        let hang = hang
        return AreaAnswers { hang.ask($0) }
    }

    private func validation(_ layout: Layout, _ answers: AreaAnswers) -> AreaValidation {
        AreaValidation(
            layouts: [layout], marks: MarkStore(calls: POSIXCalls(), ledger: MemoryMarkLedger()),
            userID: User.effective, system: .system(), answers: answers)
    }

    /// Why an area may not be one; nil: it may.
    private func refusal(_ path: FilePath, _ validation: AreaValidation) -> HeadroomError? {
        do throws(HeadroomError) {
            _ = try validation.validate(area(path))
            return nil
        } catch {
            return error
        }
    }

    @Test(.tags(.s11g)) func guardsAsWhatItWasWhenItLastAnswered() throws {
        defer { hang.gate.open() }
        let answers = answers()
        let documents = directory.path.appending("home/Documents")
        let own = directory.path.appending("own")
        #expect(refusal(own, validation(home, answers)) == nil)
        hang.hang(documents)
        for _ in 0..<2 {
            let validation = validation(home, answers)
            #expect(refusal(own, validation) == nil, "all else goes on")
            let refusals = [documents, documents.appending("album"), directory.path].map {
                refusal($0, validation)
            }
            #expect(refusals[0]?.code == .refused && refusals[2]?.code == .refused, "\(refusals)")
            // What it bears there cannot be asked.
            #expect(refusals[1]?.cause == .timedOut, "\(refusals)")
            #expect(refusals[0]?.message.contains("XDG_DOCUMENTS_DIR") == true)
        }
        #expect(hang.count == 1, "one thread hangs, however often somebody asks")
    }

    /// A link in the home may lead anywhere.
    @Test(.tags(.s11g)) func nothingGoesWhileNobodyKnowsWhatItIs() throws {
        defer { hang.gate.open() }
        let answers = answers()
        hang.hang(directory.path.appending("home/Documents"))
        let own = directory.path.appending("own")
        for path in [own, directory.path.appending("home/Documents"), directory.path] {
            let error = try #require(refusal(path, validation(home, answers)))
            #expect(error.code == .io && error.cause == .timedOut || error.code == .refused)
        }
        let error = refusal(own, validation(home, answers))
        #expect(error?.message.contains("is left alone while") == true)
        #expect(hang.count == 1)
        hang.gate.open()
        while refusal(own, validation(home, answers)) != nil {}
        // And it is known from now on.
        let again = refusal(directory.path.appending("home/Documents"), validation(home, answers))
        #expect(again?.code == .refused)
    }

    @Test func plansSayWhatTheyWaitFor() throws {
        defer { hang.gate.open() }
        hang.hang(directory.path.appending("home/Documents"))
        let workspace = Workspace(
            ledger: Ledger.open(directory: directory.path.appending("state")) { .now() },
            layouts: [home], interrupted: [], clock: { .now() }, answers: answers()
        ).declaring([area(directory.path.appending("other"))])
        let scope = workspace.scope()
        #expect(scope.roots.isEmpty)
        #expect(scope.notes.contains { $0.code == .volumeSilent })
        hang.gate.open()
        while workspace.scope().roots.isEmpty {}
        #expect(!workspace.scope().notes.contains { $0.code == .volumeSilent })
    }

    /// It was checked, and then its volume went away: what scopes read of it is asked with a limit, too.
    @Test func aRootThatHangsAfterItWasCheckedIsLeftOut() throws {
        defer { hang.gate.open() }
        let other = directory.path.appending("other")
        let workspace = Workspace(
            ledger: Ledger.open(directory: directory.path.appending("state")) { .now() },
            layouts: [home], interrupted: [], clock: { .now() }, answers: answers()
        ).declaring([area(other), area(directory.path.appending("own"))])
        hang.hang(other, after: 1)
        let scope = workspace.scope()
        #expect(scope.roots.map(\.path) == [directory.path.appending("own")])
        #expect(scope.notes.filter { $0.code == .volumeSilent }.count == 1)
        #expect(hang.count == 1)
    }

    /// What hangs may be a link to another server: what lies beside it is asked, and says what it is.
    @Test func onePlaceThatHangsSilencesNoneBesideIt() throws {
        defer { hang.gate.open() }
        hang.hang(directory.path.appending("home/.cache"))
        let validation = validation(home, answers())
        let documents = refusal(directory.path.appending("home/Documents"), validation)
        #expect(documents?.code == .refused)
        #expect(documents?.message.contains("XDG_DOCUMENTS_DIR") == true)
        let own = refusal(directory.path.appending("own"), validation)
        #expect(own?.message.contains("home/.cache lies on") == true, "\(String(describing: own))")
    }

    /// Which directories are homes is then not known of any.
    @Test func noDirectoryIsTakenForNoHome() throws {
        defer { hang.gate.open() }
        let answers = answers()
        let (home, own) = (directory.path.appending("home"), directory.path.appending("own"))
        #expect(!Homes([home], answers: self.answers()).concern(own))
        hang.hang(home)
        #expect(Homes([home], answers: answers).concern(own))
        #expect(hang.count == 1)
    }

    #if os(Linux)
    /// A server with the homes of many costs the limit once.
    @Test(.enabled(if: Privilege.canMount, "needs the right to mount"))
    func ofManyOnOneVolumeOneIsAsked() throws {
        defer { hang.gate.open() }
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        let root = try ResolvedDirectory(image.path).path
        let homes = (0..<20).map { root.appending("\($0)") }
        let places = homes.flatMap { home in
            [
                GuardedPlace(home, .essential, "a home"),
                GuardedPlace(home.appending(".cache"), .itself, "the cache directory of a home"),
            ]
        }
        for path in [root] + places.map(\.path) { hang.hang(path) }
        let layout = Layout(kind: .custom, root: homes[0], guardedPlaces: places)
        let own = directory.path.appending("own")
        #expect(refusal(own, validation(layout, answers()))?.cause == .timedOut)
        #expect(hang.count == 1)
        withExtendedLifetime(image) {}
    }

    /// What was known is of what was mounted there before.
    @Test(.enabled(if: Privilege.canMount, "needs the right to mount"))
    func whatIsMountedThereSinceIsAnother() throws {
        defer { hang.gate.open() }
        let answers = answers()
        let documents = directory.path.appending("home/Documents")
        let own = directory.path.appending("own")
        #expect(refusal(own, validation(home, answers)) == nil)
        let mount = try MountedImage.bind(directory.path.appending("other"), at: documents)
        try directory.tree.directory("other/inside")
        hang.hang(documents)
        let now = validation(home, answers)
        let error = refusal(documents.appending("inside"), now)
        #expect(
            error?.cause == .timedOut || error?.code == .refused, "\(String(describing: error))")
        // By the other name of what is mounted there now, too.
        #expect(refusal(directory.path.appending("other"), now)?.cause == .timedOut)
        withExtendedLifetime(mount) {}
    }

    /// Where something is mounted there is no link: the table of mounts says what it is.
    @Test(.tags(.r23c), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func aMountThatIsSilentHoldsUpWhatHasToDoWithItAlone() throws {
        defer { hang.gate.open() }
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        let root = try ResolvedDirectory(image.path).path
        try image.tree.directory("inside/deep")
        try directory.tree.directory("alias")
        let bound = try MountedImage.bind(
            root.appending("inside"), at: directory.tree.path("alias"))
        let layout = Layout(
            kind: .custom, root: root,
            guardedPlaces: [
                GuardedPlace(root, .essential, "a home"),
                GuardedPlace(root.appending(".cache"), .itself, "the cache directory of a home"),
            ])
        hang.hang(root)
        hang.hang(root.appending(".cache"))
        let validation = validation(layout, answers())
        #expect(refusal(directory.path.appending("own"), validation) == nil)
        for path in [root.appending("inside"), directory.path.appending("alias/deep")] {
            #expect(refusal(path, validation)?.cause == .timedOut, "\(path)")
        }
        // The bind mount lies in it.
        #expect(refusal(directory.path, validation)?.cause == .timedOut)
        withExtendedLifetime(bound) {}
    }
    #endif
}
