//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("Models and images in plans")
struct CostlyContentTests {
    private func cached(_ path: String) -> Area {
        var area = Fixture.area(path, .cache)
        area.catalogueID = "tool"
        return area
    }

    @Test(
        "Defers the directory of a model in a catalog entry whose files are purged one by one",
        .tags(.r44g))
    func defersDirectoryOfCatalogEntry() {
        var fixture = Fixture(areas: [cached("c")])
        fixture.file("c/models/x.gguf")
        fixture.file("c/models/config.json")
        fixture.file("c/models/http/page")
        let inventory = fixture.make()
        #expect(inventory.plan(.all, through: .cache).itemPaths == ["c/models/http/page"])
        #expect(inventory.plan(.all).itemPaths.count == 3)
    }

    @Test("Defers only the model itself among the files at the root of an area")
    func defersLooseModel() {
        for area in [Fixture.area("c", .temporary, unit: .directory), cached("c")] {
            var fixture = Fixture(areas: [area])
            fixture.file("c/x.gguf") { $0.mark = Mark(importance: 3) }
            fixture.file("c/y.gguf")
            fixture.file("c/z.sif")
            fixture.file("c/other")
            let inventory = fixture.make()
            #expect(inventory.plan(.all, through: .cache).itemPaths == ["c/other"])
            #expect(Set(inventory.plan(.all).map(\.purgeClass)).contains(.lastResort))
        }
    }

    @Test("Leaves a declared area its class")
    func respectsDeclaredArea() {
        for unit in [PurgeUnit.file, .entry] {
            var fixture = Fixture(areas: [Fixture.area("c", .cache, unit: unit)])
            fixture.file("c/models/x.gguf")
            fixture.file("c/y.gguf")
            let plan = fixture.make().plan(.all)
            #expect(plan.map(\.purgeClass).allSatisfy { $0 == .cache })
        }
    }

    @Test("Leaves a marked file or directory the class of its mark")
    func respectsMark() {
        var fixture = Fixture(areas: [Fixture.area("c", .cache, unit: .directory)])
        fixture.directory("c/marked") { $0.mark = Mark(purgeClass: .cache) }
        fixture.file("c/marked/x.gguf")
        fixture.file("c/y.gguf") { $0.mark = Mark(purgeClass: .temporary) }
        fixture.file("c/app/z.gguf")
        let plan = fixture.make().plan(.all, through: .cache)
        #expect(Set(plan.itemPaths) == ["c/marked/x.gguf", "c/y.gguf"])
    }

    @Test("Keeps the idle time of the class that the content would have otherwise")
    func keepsIdleTime() {
        var fixture = Fixture(areas: [Fixture.area("t", .temporary, unit: .directory)])
        fixture.directory("t/app") { $0.modified = 1 }
        fixture.file("t/app/x.gguf", unusedFor: .seconds(1_800))
        var request = PlanRequest(targets: [.all], now: Fixture.now, user: Fixture.user)
        request.minIdle = .standard
        #expect(Planner.plan(fixture.make(), request).isEmpty)
    }

    @Test("Explains by which file a directory is purged as a last resort")
    func explains() throws {
        var fixture = Fixture(areas: [Fixture.area("c", .cache, unit: .directory)])
        fixture.file("c/app/deep/x.gguf")
        fixture.file("c/app/index")
        fixture.file("c/box.ova")
        fixture.file("c/page")
        let request = PlanRequest(targets: [.all], now: Fixture.now, user: Fixture.user)
        let explainer = Explainer(fixture.make(), request)
        for path in ["/r/c/app", "/r/c/app/index", "/r/c/app/deep/x.gguf"] {
            let explanation = explainer.explain(FilePath(path))
            #expect(explanation.purgeClass == .lastResort && explanation.classOrigin == .shape)
            #expect(
                explanation.classReason?.text
                    == "x.gguf holds the weights of a model, which may exist nowhere else or take "
                    + "hours to download")
            #expect(explanation.summary.contains("x.gguf holds the weights of a model"))
        }
        let box = explainer.explain("/r/c/box.ova")
        #expect(box.classReason?.text.hasPrefix("box.ova is an image of a disk") == true)
        #expect(box.outlook == .pressure(.critical))
        let page = explainer.explain("/r/c/page")
        #expect(page.purgeClass == .cache && page.classReason == nil)
    }

    // MARK: - Work in temporary directories

    @Test(
        "Defers a directory with someone's work in it", .tags(.r44i),
        arguments: [
            "a.docx", "a.JPG", "a.mp4", "a.flac", "a.pdf", "a.zip", "a.swift", "a.sqlite", "a.iso",
            "a.ipynb", "a.parquet", "Makefile", "core", "core.4711", "a.hprof", "perf.data.old",
            "events.out.tfevents.17.host", "saved_model.pb", "a.las", "a.kdenlive", "a.gp5",
            "photos.7z.001", "a.tar.gz.aa", "bios.bin", "requirements.docx", "license-plan.txt",
        ])
    func defersWork(name: String) {
        var fixture = Fixture(areas: [Fixture.area("t", .temporary, unit: .directory)])
        fixture.file("t/x/deep/\(name)")
        fixture.file("t/\(name)")
        fixture.file("t/other/state")
        let inventory = fixture.make()
        #expect(inventory.plan(.all, through: .cache).itemPaths == ["t/other"])
        #expect(inventory.plan(.all).itemPaths.count == 3)
    }

    @Test(
        "Purges intermediate files and packages as temporary files", .tags(.r44i),
        arguments: [
            "a", "a.o", "a.so", "a.tmp", "a.log", "a.json", "a.xml", "a.whl", "a.deb",
            "README.md", "LICENSE.txt", "top_level.txt", "score", "core.lock",
            "tmp.aB3dE6gH1k", ".hidden", "a.s", "a.1",
        ])
    func purgesIntermediateFiles(name: String) {
        var fixture = Fixture(areas: [Fixture.area("t", .temporary, unit: .directory)])
        fixture.file("t/x/\(name)")
        fixture.file("t/\(name)")
        #expect(fixture.make().plan(.all, through: .cache).itemPaths.count == 2)
    }

    @Test(
        "Doesn't look for work in caches, declared areas, marked directories and leftovers of builds"
    )
    func looksForWorkInTemporaryDirectoriesOnly() {
        var declared = Fixture.area("d", .temporary, unit: .directory)
        declared.catalogueID = "tool"
        var fixture = Fixture(areas: [
            Fixture.area("c", .cache, unit: .directory), Fixture.area("f", .temporary), declared,
            Fixture.area("t", .temporary, unit: .directory),
        ])
        let files = [
            "c/x/a.pdf", "f/a.pdf", "d/x/a.pdf", "t/marked/a.pdf", "t/b.pdf",
            "t/pip-req-build-a1b2c3_4/lib/a.py", "t/go-build42/b001/a.go",
        ]
        fixture.directory("t/marked") { $0.mark = Mark(purgeClass: .temporary) }
        for file in files {
            fixture.file(file) { if file == "t/b.pdf" { $0.mark = Mark(purgeClass: .temporary) } }
        }
        let inventory = fixture.make()
        #expect(
            inventory.plan(.all, through: .cache).itemPaths.count
                == inventory.plan(.all).itemPaths.count)
    }

    // MARK: - Parts

    @Test(
        "Purges the parts of a model together or not at all", .tags(.r44g),
        arguments: [
            "big-0000%-of-00003.gguf", "pytorch_model-0000%-of-00003.bin",
            "train.tfrecord-0000%-of-00003", "train-0000%-of-00003.parquet",
        ])
    func purgesPartsTogether(pattern: String) {
        func name(_ number: Int) -> String {
            "c/"
                + pattern.split(separator: "%", omittingEmptySubsequences: false)
                .joined(separator: "\(number)")
        }
        var fixture = Fixture(areas: [Fixture.area("c", .cache)])
        for number in 1...3 { fixture.file(name(number), unusedFor: .days(200 + Int64(number))) }
        fixture.file("c/other", unusedFor: .days(100))
        let inventory = fixture.make()
        let plan = inventory.plan(.free(ByteCount(1)))
        #expect(plan.paths == [name(1)])
        #expect(plan[0].unit == .fileSet)
        #expect(plan[0].bytes == ByteCount(3 * 4096))
        #expect(plan[0].sidecars.map(\.text) == [name(2), name(3)].map { String($0.dropFirst(2)) })
        // The newest part counts.
        #expect(inventory.plan(.olderThan(.days(202), by: .used)).isEmpty)
        #expect(!inventory.plan(.olderThan(.days(201), by: .used)).isEmpty)
    }

    @Test("Tells the parts of different wholes apart")
    func separatesWholes() {
        var fixture = Fixture(areas: [Fixture.area("c", .cache)])
        for name in [
            "a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "b-00001-of-00002.gguf",
            "a-00001-of-00003.gguf", "a-00001-of-00002.bin", "a-0001-of-00002.gguf",
        ] { fixture.file("c/\(name)") }
        let plan = fixture.make().plan(.all)
        #expect(plan.count == 5)
        #expect(
            plan.filter { $0.unit == .fileSet }.map(\.path.lastComponent?.string) == [
                "a-00001-of-00002.gguf"
            ])
    }

    @Test("Keeps all parts of a model if one is pinned")
    func pinnedPartKeepsAll() {
        var fixture = Fixture(areas: [Fixture.area("c", .cache, unit: .directory)])
        fixture.file("c/a-00001-of-00002.gguf")
        fixture.file("c/a-00002-of-00002.gguf") { $0.mark = Mark(isPinned: true) }
        let plan = fixture.make().plan(.all)
        #expect(plan.isEmpty)
        #expect(plan.kept(.pinned) == 2)
    }

    @Test("Defers all parts of a model at the root of an area")
    func defersParts() {
        var fixture = Fixture(areas: [Fixture.area("c", .cache, unit: .directory)])
        fixture.file("c/a-00001-of-00002.gguf")
        fixture.file("c/a-00002-of-00002.gguf")
        #expect(fixture.make().plan(.all).map(\.purgeClass) == [.lastResort])
    }
}
