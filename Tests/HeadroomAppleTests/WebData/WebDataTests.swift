//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomApple
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Synchronization
import Testing

struct WebDataTests {
    private let store = RecordedWebData()
    private var cleaner: WebDataCleaner { WebDataCleaner(store) }

    @Test(.tags(.r32f)) func takesOnlyCachesUnlessAskedForMore() async throws {
        try await cleaner.remove()
        #expect(
            store.calls == [
                .since([.diskCache, .memoryCache, .fetchCache], Date(timeIntervalSince1970: 0))
            ])
    }

    @Test(
        .tags(.r32f),
        arguments: [
            WebDataKind.cookies, .localStorage, .sessionStorage, .indexedDB, .webSQL,
            .serviceWorkers,
            .fileSystem,
        ])
    func neverCountsWhatLogsPeopleOutAsCache(kind: WebDataKind) {
        #expect(!kind.isCache)
        #expect(!WebDataSelection().kinds.contains(kind))
    }

    @Test(.tags(.r32f)) func takesWhatWasChangedSince() async throws {
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try await cleaner.remove(WebDataSelection(kinds: [.cookies], modifiedSince: time))
        #expect(store.calls == [.since([.cookies], time)])
    }

    @Test(.tags(.r32f)) func takesSitesByTheirWholeNames() async throws {
        store.add("Example.org", [.diskCache, .cookies])
        store.add("notexample.org", [.diskCache])
        store.add("example.org.evil.net", [.diskCache])
        let missing = try await cleaner.remove(
            WebDataSelection(domains: ["example.org", "absent.net", "www.example.org"]))
        #expect(missing == ["absent.net", "www.example.org"])
        #expect(store.calls == [.domains(WebDataKind.caches, ["Example.org"])])
    }

    @Test func asksForNothingWhenNoSiteIsKnown() async throws {
        #expect(try await cleaner.remove(WebDataSelection(domains: ["a.org"])) == ["a.org"])
        #expect(try await cleaner.remove(WebDataSelection(kinds: [])).isEmpty)
        #expect(store.calls.isEmpty)
    }

    @Test func refusesSitesAndTimeTogether() async {
        await #expect(throws: WebDataError.self) {
            try await cleaner.remove(WebDataSelection(domains: ["a.org"], modifiedSince: .now))
        }
        #expect(store.calls.isEmpty)
    }

    @Test func cleansAsAModuleWhatIsAllowed() async throws {
        let module = WebDataModule(cleaner, quota: nil) { .megabytes(3) }
        #expect(try await module.usage() == .megabytes(3))
        for allowed in [PurgeableClass.temporary, .cache] {
            try await module.clean(
                CleaningRequest(
                    level: .warning, trigger: .byHand, bytesWanted: .megabytes(1),
                    allowedClass: allowed, deadline: .now + .seconds(30)))
        }
        #expect(store.calls.count == 1)
    }
}

/// Takes down what is removed.
final class RecordedWebData: WebDataStoring {
    enum Call: Hashable {
        case domains(Set<WebDataKind>, Set<String>)
        case since(Set<WebDataKind>, Date)
    }

    private struct State {
        var records: [WebDataRecord] = []
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    var calls: [Call] { state.withLock { $0.calls } }

    func add(_ domain: String, _ kinds: Set<WebDataKind>) {
        state.withLock { $0.records.append(WebDataRecord(domain: domain, kinds: kinds)) }
    }

    func records(of kinds: Set<WebDataKind>) async -> [WebDataRecord] {
        state.withLock { $0.records.filter { !$0.kinds.isDisjoint(with: kinds) } }
    }

    func remove(_ kinds: Set<WebDataKind>, ofDomains domains: Set<String>) async {
        state.withLock { $0.calls.append(.domains(kinds, domains)) }
    }

    func remove(_ kinds: Set<WebDataKind>, modifiedSince time: Date) async {
        state.withLock { $0.calls.append(.since(kinds, time)) }
    }
}
