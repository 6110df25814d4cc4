//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R11: a tag is never purged from a directory that stays.
@Suite("R11: CACHEDIR.TAG in what is purged")
struct DirectoryTagPurgeTests {
    let fixture: BackupFixture
    private static let foreign = "Signature: 8a477f597d28d172789f06886806bc55\n# by ccache\n"

    init() throws { fixture = try BackupFixture() }

    private func purgeAll(as purgeClass: PurgeClass? = nil, unit: PurgeUnit = .file) throws
        -> Receipt
    {
        let scope =
            try purgeClass.map {
                try fixture.workspace.scope(
                    paths: [fixture.path("build")], as: $0, unit: unit)
            } ?? fixture.workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        return try scope.purge(plan, requester: "test")
    }

    @Test func aTagStaysWithItsDirectoryWhenAllElseInItGoes() throws {
        try fixture.workspace.mark(try fixture.folder("build")) { $0.purgeClass = .cache }
        try fixture.file("build/wheel")
        try fixture.file("build/CACHEDIR.TAG", Self.foreign)
        let receipt = try purgeAll(as: .cache)
        #expect(receipt.outcome == .completed)
        #expect(receipt.skipped == [])
        #expect(try fixture.tree.names(in: "home/build").map(\.text) == ["CACHEDIR.TAG"])
        #expect(try fixture.exclusion("build").dialects.contains(.foreignTag))
    }

    @Test func ourOwnTagInAnExcludedCacheStays() throws {
        try fixture.file(".cache/app/data")
        try fixture.exclude(".cache/app")
        #expect(try purgeAll().outcome == .completed)
        #expect(try fixture.tree.names(in: "home/.cache/app").map(\.text) == ["CACHEDIR.TAG"])
        #expect(try fixture.exclusion(".cache/app").dialects.contains([.ownTag, .mark]))
    }

    @Test func aDirectoryThatGoesWholeTakesItsTagAlong() throws {
        try fixture.file("tool/x")
        try fixture.workspace.mark(try fixture.folder("build")) { $0.purgeClass = .cache }
        try fixture.file("build/unit/data")
        try fixture.file("build/unit/CACHEDIR.TAG", Self.foreign)
        #expect(try purgeAll(as: .cache, unit: .entry).outcome == .completed)
        #expect(!fixture.tree.exists("home/build/unit"))
    }

    @Test func aLargeFileOfTheNameIsContentAndGoes() throws {
        try fixture.folder(".cache/pip")
        try fixture.tree.file("home/.cache/pip/CACHEDIR.TAG", size: .kilobytes(100))
        _ = try purgeAll()
        #expect(!fixture.tree.exists("home/.cache/pip"))
    }

    @Test func explainSaysWhyATagStays() throws {
        try fixture.workspace.mark(try fixture.folder("build")) { $0.purgeClass = .cache }
        let tag = try fixture.file("build/CACHEDIR.TAG", Self.foreign)
        let scope = try fixture.workspace.scope(paths: [fixture.path("build")], as: .cache)
        let request = try scope.request(targets: [.all], through: .lastResort)
        let explanation = Explainer(try scope.scan(), request).explain(tag)
        guard case .never(let reason) = explanation.outlook else {
            Issue.record("it would go: \(explanation.summary)")
            return
        }
        #expect(reason.code == .directoryTag)
    }
}
