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

/// What a policy shows of its looks at areas.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
struct PolicyLookTests {
    private let volume: PolicyVolume

    init() throws { volume = try PolicyVolume() }

    /// Runs what is due, and sums up what the policy saw.
    private func surveys(
        withheld: Set<FilePath> = [], recentWithin spans: [Duration] = [], items: Int = 0,
        source: (any PlanSource)? = nil
    ) throws -> [AreaSurvey] {
        let looks = Mutex<[AreaSurvey]>([])
        let errors = Mutex<[HeadroomError]>([])
        let workspace = volume.workspace.showingLooks { look in
            do throws(HeadroomError) {
                #expect(look.duration > .zero)
                let survey = try look.survey(recentWithin: spans, items: items)
                looks.withLock { $0.append(survey) }
            } catch {
                errors.withLock { $0.append(error) }
            }
        }
        let runner = PolicyRunner(
            workspace, Policy.eager, place: volume.image.path, requester: "test",
            withheld: withheld,
            source: source)
        _ = runner.run(PolicyStep(.due, spending: .due), trigger: .interval)
        #expect(errors.withLock { $0.isEmpty })
        return looks.withLock { $0 }
    }

    private func root(_ name: String) -> FilePath { volume.image.path.appending(name) }

    @Test func aRunShowsWhatAreasOccupyAndWhatMayGo() throws {
        try volume.fill("temporary", 2, of: .mebibytes(1))
        try volume.fill("cache", 5, of: .mebibytes(1))
        try volume.fill("lastResort", 3, of: .mebibytes(1))
        let surveys = try surveys()
        let survey = try #require(surveys.first)
        #expect(surveys.count == 1)
        #expect(survey.volume == volume.image.path)
        #expect(survey.areas.map(\.root) == ["cache", "lastResort", "temporary"].map(root))
        #expect(survey.areas.map(\.purgeClass) == [.cache, .lastResort, .temporary])
        #expect(survey.areas.map(\.items) == [5, 3, 2])
        #expect(survey.areas.map(\.allocated) == [5, 3, 2].map { .mebibytes($0) })
        #expect(survey.areas.map(\.purgeable) == [5, 3, 2].map { .mebibytes($0) })
        #expect(
            survey.purgeable == [
                .temporary: .mebibytes(2), .cache: .mebibytes(5), .lastResort: .mebibytes(3),
            ])
        #expect(survey.leasedItems == 0)
        #expect(survey.stores.isEmpty)
    }

    @Test func whatIsInItsGraceKeepsItsClassAndMayNotGo() throws {
        try volume.fill("temporary", 1, of: .mebibytes(1))
        try volume.fill("cache", 5, of: .mebibytes(1))
        let survey = try #require(try surveys(withheld: [root("cache")]).first)
        let cache = try #require(survey.areas.first { $0.root == root("cache") })
        #expect(cache.purgeClass == .cache)
        #expect(cache.allocated == .mebibytes(5))
        #expect(cache.purgeable == .zero)
        #expect(survey.purgeable == [.temporary: .mebibytes(1)])
    }

    @Test func namesTheLargestThatWasWrittenLately() throws {
        // On a tmpfs all is born now: only what is modified in the future counts by its birth alone.
        for (name, size) in [("small", 1), ("large", 3), ("middle", 2)] {
            try volume.image.tree.file(
                TreePath("cache/\(name)"), size: .mebibytes(Int64(size)))
        }
        let survey = try #require(
            try surveys(recentWithin: [.seconds(3_600), .seconds(7_200)], items: 2).first)
        let cache = try #require(survey.areas.first { $0.root == root("cache") })
        #expect(cache.recent.map(\.path) == ["cache/large", "cache/middle"].map(root))
        #expect(cache.recent.map(\.allocated) == [.mebibytes(3), .mebibytes(2)])
        #expect(abs(cache.recent[0].written.duration(since: .now()) / .seconds(1)) < 60)
    }

    @Test func countsWhatIsLeased() throws {
        try volume.fill("cache", 5, of: .kilobytes(4))
        try volume.image.tree.files(3, in: "cache/unit")
        let file = try Lease.acquire(root("cache/cache-1"))
        let unit = try Lease.acquire(root("cache/unit"))
        // A lock that is no lease: of the directory nobody has one.
        let foreign = try volume.image.tree.open("temporary", creating: false)
        #expect(FileLock.tryShared(foreign.rawValue) == .granted)
        let survey = try #require(try surveys().first)
        #expect(survey.leasedItems == 2)
        file.release()
        unit.release()
        #expect(try #require(try surveys().first).leasedItems == 0)
    }

    @Test func aScanOfSomebodyElseIsShownToo() throws {
        try volume.fill("cache", 2, of: .mebibytes(1))
        let survey = try #require(
            try surveys(source: InventoryKeeper()).first)
        #expect(survey.areas.contains { $0.allocated == .mebibytes(2) })
    }
}
#endif
