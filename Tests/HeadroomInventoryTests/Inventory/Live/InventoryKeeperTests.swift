//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What a policy is planned from, by a keeper and by scans.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
struct InventoryKeeperTests {
    private static let file = ByteCount.kilobytes(64)

    /// A keeper, and what it has told.
    private final class Told: Sendable {
        private let content = Mutex<[InventoryReading]>([])

        var readings: [InventoryReading] { content.withLock { $0 } }
        var last: InventoryReading? { readings.last }

        func keeper(_ options: LiveOptions = LiveOptions()) -> InventoryKeeper {
            InventoryKeeper(options: options) { reading in
                self.content.withLock { $0.append(reading) }
            }
        }
    }

    /// Everything that may go without a level, as it is planned now.
    private func propose(
        _ volume: PolicyVolume, _ source: (any PlanSource)?, withheld: Set<FilePath> = []
    ) throws -> [String] {
        let due = PolicyStep(.due, spending: .caches)
        let proposal = try volume.runner(withheld: withheld, source: source)
            .prepare(due, trigger: .interval)
        return proposal.plan?.map {
            "\($0.path) \($0.purgeClass) \($0.bytes) \($0.lastUse) \($0.reason.code)"
        } ?? []
    }

    /// Of which everything in the cache has expired after an hour.
    private func volume() throws -> PolicyVolume {
        try PolicyVolume {
            $0.ageBasis = .modified
            if $0.purgeClass != .essential { $0.retention = .seconds(3_600 * 3 + 60) }
        }
    }

    @Test func theSecondLookReadsOnlyWhatHasChanged() throws {
        let volume = try volume()
        let told = Told()
        let keeper = told.keeper()
        try volume.fill("cache", 10, of: Self.file)
        try volume.image.tree.files(500, in: "temporary/many")
        #expect(try propose(volume, keeper).count == 7)
        #expect(told.last?.isScan == true)
        #expect(told.last?.items == 510)
        #expect(try propose(volume, keeper).count == 7)
        #expect(told.last?.isScan == false)
        #expect(told.last?.entriesRead == 0, "nothing has happened")
        try volume.image.tree.file("cache/later", size: Self.file)
        try volume.image.tree.age("cache/later", by: .seconds(86_400))
        let entries = try propose(volume, keeper)
        #expect(entries.count == 8)
        #expect(entries.contains { $0.contains("cache/later ") })
        #expect(told.last?.isScan == false)
        #expect(told.last?.directoriesRead == 1)
        #expect(told.last?.entriesRead == 1)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func plansWhatAScanWouldLeadTo(_ seed: UInt64) throws {
        let volume = try volume()
        let told = Told()
        let keeper = told.keeper()
        var generator = SeededGenerator(seed: seed)
        for area in ["temporary", "cache", "lastResort"] {
            try volume.fill(area, 12, of: Self.file)
        }
        for round in 0..<20 {
            for _ in 0..<6 {
                let area = ["temporary", "cache", "lastResort"].randomElement(using: &generator)
                let name =
                    TreePath(area ?? "cache")
                    / TreePath("\(area ?? "cache")-\(Int.random(in: 0..<14, using: &generator))")
                if Bool.random(using: &generator) {
                    try volume.image.tree.file(name, size: Self.file)
                    let hours = Int64.random(in: 0...9, using: &generator)
                    try volume.image.tree.age(name, by: .seconds(3_600 * hours + 1_800))
                } else if volume.image.tree.exists(name) {
                    try volume.image.tree.remove(name)
                }
            }
            let withheld: Set<FilePath> =
                round % 7 == 6 ? [volume.image.path.appending("cache")] : []
            let (ours, theirs) = (
                try propose(volume, keeper, withheld: withheld),
                try propose(volume, nil, withheld: withheld)
            )
            #expect(ours == theirs, "seed \(seed), round \(round)")
        }
        // The first, and two times that a declaration began or ceased to be new.
        #expect(told.readings.filter(\.isScan).count == 5, "seed \(seed)")
    }

    @Test func otherAreasBeginAnewAndTheSameGoOn() throws {
        let volume = try volume()
        let told = Told()
        let keeper = told.keeper()
        try volume.fill("cache", 10, of: Self.file)
        try volume.fill("temporary", 10, of: Self.file)
        let cache = volume.image.path.appending("cache")
        #expect(try propose(volume, keeper, withheld: [cache]).count == 7)
        #expect(try propose(volume, keeper, withheld: [cache]).count == 7)
        #expect(try propose(volume, keeper).count == 14)
        #expect(try propose(volume, keeper).count == 14)
        #expect(told.readings.map(\.isScan) == [true, false, true, false])
    }

    @Test func areasComeAndGo() throws {
        let volume = try volume()
        let told = Told()
        let keeper = told.keeper()
        try volume.fill("cache", 10, of: Self.file)
        try volume.fill("temporary", 10, of: Self.file)
        #expect(try propose(volume, keeper).count == 14)
        try volume.image.tree.remove("temporary")
        #expect(try propose(volume, keeper).count == 7)
        try volume.image.tree.directory("temporary")
        try volume.fill("temporary", 10, of: Self.file)
        #expect(try propose(volume, keeper).count == 14)
        let areScans = told.readings.allSatisfy(\.isScan)
        #expect(areScans)
        for area in ["temporary", "cache", "lastResort"] {
            try volume.image.tree.remove(TreePath(area))
        }
        #expect(try propose(volume, keeper).isEmpty)
        #expect(told.readings.count == 3, "there was nothing to look at")
    }

    @Test func whatItKeepsCanBeGivenBack() throws {
        let volume = try volume()
        let told = Told()
        let keeper = told.keeper()
        try volume.fill("cache", 10, of: Self.file)
        #expect(try propose(volume, keeper).count == 7)
        let scope = volume.workspace.scope()
        keeper.release(unlessOf: scope)
        #expect(try propose(volume, keeper).count == 7)
        keeper.release(unlessOf: scope.on(try Volume.containing(volume.state.path)))
        #expect(try propose(volume, keeper).count == 7)
        keeper.release()
        #expect(try propose(volume, keeper).count == 7)
        #expect(told.readings.map(\.isScan) == [true, false, true, true])
    }

    // MARK: - What cannot be followed

    @Test func whatIsNotFollowedIsReadEachTimeAndSaidOnce() throws {
        let volume = try volume()
        let told = Told()
        var options = LiveOptions()
        options.makeWatch = { LosingWatch.make($0, refuses: true) }
        let keeper = told.keeper(options)
        try volume.fill("cache", 10, of: Self.file)
        for _ in 0..<3 { #expect(try propose(volume, keeper).count == 7) }
        // Every other of the areas' directories.
        #expect(told.readings.map(\.isScan) == [true, false, false])
        #expect(told.readings.map(\.directoriesRead) == [0, 1, 1])
        #expect(told.readings.map(\.news.count) == [1, 0, 0])
        #expect(told.readings[0].news[0].text.contains("max_user_watches"))
    }

    @Test func ofWhatIsNotFollowedAtAllNothingIsKept() throws {
        let volume = try volume()
        let told = Told()
        var options = LiveOptions()
        options.makeWatch = { _ in RefusingWatch() }
        let keeper = told.keeper(options)
        try volume.fill("cache", 10, of: Self.file)
        for _ in 0..<3 { #expect(try propose(volume, keeper).count == 7) }
        try volume.image.tree.remove("cache/cache-0")
        #expect(try propose(volume, keeper).count == 6)
        #expect(told.readings.map(\.isScan) == [true, true, true, true])
        #expect(told.readings.map(\.news.count) == [3, 0, 0, 0], "one for each area")
    }

    @Test func whatOverflowsIsReadAnewAndSaidOnce() throws {
        let volume = try volume()
        let told = Told()
        var options = LiveOptions()
        options.makeWatch = { LosingWatch.make($0, refuses: false) }
        let keeper = told.keeper(options)
        try volume.fill("cache", 10, of: Self.file)
        for number in 0..<8 {
            try volume.image.tree.file("temporary/\(number)" as TreePath, size: Self.file)
            try volume.image.tree.age("temporary/\(number)" as TreePath, by: .seconds(86_400))
            #expect(try propose(volume, keeper).count == 8 + number)
        }
        #expect(told.readings.filter(\.hasOverflowed).count >= 2)
        #expect(told.readings.flatMap(\.news).count == 1)
    }
}

/// A system whose limit of watches has been reached.
private final class RefusingWatch: ChangeWatch {
    let mechanism = WatchMechanism.inotify

    func watch(_ directory: Int32, as id: UInt32) throws(Errno) { throw .noSpace }
    func forget(_ id: UInt32) {}
    func take() -> ChangeBatch { ChangeBatch() }
    func close() {}
}
#endif
