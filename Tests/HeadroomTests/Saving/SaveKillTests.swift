//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// At its name there is the old file or the new one, whole, whenever the process is killed.
@Suite(
    "R3: kill -9 at each step of a save",
    .enabled(if: BuiltProgram.path("StorageDriver") != nil, "needs the program StorageDriver"))
struct SaveKillTests {
    private static let old = Data(repeating: 0x4F, count: 200_000)
    private static let new = Data(repeating: 0x4E, count: 300_000)
    /// From here on the name stands for the new one.
    private static let later: Set<SaveStep> = [.renamed, .markRecorded, .directorySynchronized]

    /// A way of saving, and what it does.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var file = "photo"
        /// Whether something with a mark has the name.
        var replaces = false
        var steps: Set<SaveStep>

        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(name: "new", file: "Trip/photo", steps: [.made, .written, .renamed]),
        Kind(name: "short", steps: [.made, .written, .renamed]),
        Kind(name: "pieces", steps: [.made, .reserved, .written, .renamed]),
        Kind(
            name: "replacing", replaces: true,
            steps: [.made, .written, .handedOn, .renamed, .markRecorded]),
        Kind(
            name: "full", replaces: true,
            steps: Set(SaveStep.allCases).subtracting([.reserved])),
    ]

    private let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    /// The driver's storage, some time later.
    private func racer() throws -> Storage {
        try Storage(
            home: fixture.tree.path("home"),
            environment: ["TMPDIR": fixture.tree.path("home/tmp").string], owner: "Racer",
            ledgerDirectory: fixture.tree.path("ledger"),
            clock: { Timestamp.wallClock().advanced(by: .seconds(120)) })
    }

    @Test func everyStepIsInOneOfTheKinds() {
        let all = Self.kinds.reduce(into: Set<SaveStep>()) { $0.formUnion($1.steps) }
        #expect(all == Set(SaveStep.allCases))
    }

    @Test(.tags(.r3c), arguments: SaveKillTests.kinds)
    func theOldOrTheNewIsThereWhole(kind: Kind) async throws {
        let place = URL(filePath: fixture.tree.path("home/.cache/Racer").string)
        let url = place.appending(path: kind.file)
        var killed: Set<SaveStep> = []
        for step in SaveStep.allCases {
            if FileManager.default.fileExists(atPath: url.path) {
                try FileManager.default.removeItem(at: url)
            }
            if kind.replaces {
                let storage = try racer()
                try await storage.save(Self.old, as: .cache, named: kind.file)
                try storage.mark(url, .pinned)
            }
            let driver = try fixture.startDriver(["save", kind.name, "\(step.rawValue)"])
            let result = try driver.wait()
            if result.signal == 9 { killed.insert(step) }
            #expect(result.signal == 9 || result.output == "done\n", "\(step): \(result)")
            try await check(kind, url, after: step, wasKilled: result.signal == 9)
        }
        #expect(killed == kind.steps)
    }

    private func check(
        _ kind: Kind, _ url: URL, after step: SaveStep, wasKilled: Bool
    ) async throws {
        let isNew = !wasKilled || Self.later.contains(step)
        let content = try? Data(contentsOf: url)
        #expect(content == (isNew ? Self.new : kind.replaces ? Self.old : nil), "\(step)")
        // What it was going to be has a name that no scan shows, until the next launch.
        let place: TreePath = kind.file == "photo" ? "home/.cache/Racer" : "home/.cache/Racer/Trip"
        let orphans = try fixture.names(place).filter { $0.hasPrefix(".") }
        #expect(orphans.count == (isNew ? 0 : 1), "\(step)")
        #expect(orphans.allSatisfy { $0.hasPrefix(".headroom-saving-") }, "\(step)")
        let visible = try Set(fixture.names(place)).subtracting(orphans)
        #expect(visible.isSubset(of: ["photo", "first", "Trip"]), "\(step)")
        let storage = try racer()
        #expect(await storage.start().removedOrphans == orphans.count, "\(step)")
        #expect(try fixture.names(place).allSatisfy { !$0.hasPrefix(".") }, "\(step)")
        guard kind.replaces else { return }
        #expect(try storage.mark(of: url).isPinned == true, "\(step)")
    }
}
