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

private func kib(_ number: Int64) -> ByteCount { ByteCount(number << 10) }

/// What grew since a moment, and since a listing.
struct GrowthSurveyTests {
    private func scan(_ directory: TemporaryDirectory) throws -> Inventory {
        var options = ScanOptions(now: .now())
        options.keepsChanges = true
        return try Scanner.scan([ScanRoot(path: directory.path)], options: options)
    }

    private func listing(_ inventory: Inventory) -> FormerListing {
        var builder = FormerListing.Builder()
        inventory.visit(root: 0) { builder.add($0.ncduEvent) }
        return builder.finish(time: .now())
    }

    private func growth(
        _ baseline: GrowthSurvey.Baseline, _ directory: TemporaryDirectory, top: Int = 10,
        depth: Int = 9
    ) throws -> Growth {
        GrowthSurvey(since: baseline, top: top, depth: depth)
            .growth(in: try scan(directory), root: 0)
    }

    private func names(_ growth: Growth, _ directory: TemporaryDirectory) -> [String] {
        growth.items.map { item in
            var path = item.path
            _ = path.removePrefix(directory.path)
            return "\(item.kind) \(path) \(item.bytes.bytes)"
        }
    }

    private static let size = kib(64)

    // MARK: - By a listing

    @Test func aListingTellsWhatCameGrewAndWent() throws {
        try TemporaryDirectory.with { directory in
            let tree = directory.tree
            for name in ["a/same", "a/grows", "a/shrinks", "b/goes", "b/deep/goes", "c/same"] {
                try tree.file(TreePath(name), size: Self.size)
            }
            let listing = listing(try scan(directory))
            try tree.file("a/grows", size: kib(192))
            try tree.file("a/shrinks", size: kib(16))
            try tree.remove("b/goes")
            try tree.remove("b/deep")
            try tree.file("b/new/big", size: kib(256))
            try tree.file("new", size: kib(4))
            let growth = try growth(.listing(listing), directory)
            #expect(
                names(growth, directory) == [
                    "new b/new/big \(256 << 10)", "grown a/grows \(128 << 10)",
                    "new new \(4 << 10)",
                ])
            #expect(growth.sums.new == kib(260))
            #expect(growth.sums.grown == kib(128))
            #expect(growth.sums.gone == kib(48 + 128))
            let places = growth.directories.map { "\($0.path.lastComponent?.string ?? "")" }
            #expect(places == ["b", "new", "a"], "c did not grow")
            #expect(growth.directories[0].sums.gone == kib(128))
            #expect(growth.directories[1].sums.gone == .zero)
            #expect(growth.directories[2].sums.gone == kib(48))
        }
    }

    @Test func anEqualListingTellsOfNothing() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.files(200, in: "many")
            try directory.tree.file("a/x", size: Self.size)
            try directory.tree.hardLink("a/y", to: "a/x")
            try directory.tree.hardLink("b/z", to: "a/x")
            let listing = listing(try scan(directory))
            let growth = try growth(.listing(listing), directory)
            #expect(growth.items.isEmpty && growth.directories.isEmpty)
            #expect(growth.sums.come == .zero && growth.sums.gone == .zero)
        }
    }

    @Test func aFurtherNameOccupiesNothing() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.file("a/x", size: Self.size)
            try directory.tree.file("a/y", size: Self.size)
            let listing = listing(try scan(directory))
            try directory.tree.hardLink("a/z", to: "a/x")
            let growth = try growth(.listing(listing), directory)
            #expect(growth.sums.come <= Self.size)
            #expect(growth.sums.come - (growth.sums.gone ?? .zero) == .zero)
        }
    }

    @Test func aPartOfAListingIsComparedWithItsPart() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.file("a/x", size: Self.size)
            try directory.tree.file("b/x", size: Self.size)
            let listing = listing(try scan(directory))
            try directory.tree.file("a/y", size: Self.size)
            let inventory = try Scanner.scan(
                [ScanRoot(path: directory.path.appending("a"))], options: .init(now: .now()))
            let growth = GrowthSurvey(since: .listing(listing), top: 5, depth: 1)
                .growth(in: inventory, root: 0)
            #expect(growth.items.map(\.path) == [directory.path.appending("a/y")])
            #expect(growth.sums.gone == .zero)
        }
    }

    // MARK: - By times

    @Test(.tags(.r41a)) func timesTellWhatIsNewWrittenAndTouched() throws {
        try TemporaryDirectory.with(on: .disk) { directory in
            let tree = directory.tree
            try tree.file("old", size: Self.size)
            try tree.file("unpacked", size: kib(128))
            // As cp -a and tar leave it: the time of writing is old, the birth is not.
            try tree.age("unpacked", by: .seconds(86_400 * 300))
            let all = try growth(.time(.now().advanced(by: .seconds(-3_600))), directory)
            #expect(
                names(all, directory) == ["new unpacked \(128 << 10)", "new old \(64 << 10)"])
            #expect(all.sums.gone == nil, "times say nothing of it")
            // Everything is older than a moment that is still to come.
            let none = try growth(.time(.now().advanced(by: .seconds(3_600))), directory)
            #expect(none.items.isEmpty && none.sums == Growth.Sums())
        }
    }

    @Test func theLaterOfItsTimesCounts() throws {
        try TemporaryDirectory.with(on: .disk) { directory in
            let tree = directory.tree
            for name in ["written", "moved", "left"] {
                try tree.file(TreePath(name), size: Self.size)
            }
            // Whole seconds are kept: what follows is in a later one.
            let birth = try #require(try tree.status(of: "left").created)
            var now = Timestamp.now()
            while now.seconds <= birth.seconds + 1 { now = .now() }
            try tree.file("written", size: Self.size)
            try tree.rename("moved", to: "there/moved")
            let growth = try growth(
                .time(Timestamp(seconds: birth.seconds + 1)), directory)
            #expect(
                Set(names(growth, directory)) == [
                    "grown written \(64 << 10)", "touched there/moved \(64 << 10)",
                ])
            #expect(growth.sums.touched == Self.size && growth.sums.grown == Self.size)
            #expect(growth.sums.new == .zero)
        }
    }

    @Test func keepsTheLargestOfMany() throws {
        try TemporaryDirectory.with { directory in
            for number in 1...40 {
                try directory.tree.file(
                    "d\(number % 7)/\(number)" as TreePath, size: kib(Int64(number) * 4))
            }
            let growth = try growth(
                .time(.distantPast), directory, top: 3, depth: 1)
            #expect(growth.items.map(\.bytes) == [160, 156, 152].map { kib($0) })
            #expect(growth.directories.count == 3)
            #expect(growth.sums.newFiles + growth.sums.grownFiles == 40)
        }
    }
}
