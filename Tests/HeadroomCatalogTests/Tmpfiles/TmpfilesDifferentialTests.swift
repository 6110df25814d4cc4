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

@Suite(
    "R40: expired by tmpfiles.d is what systemd-tmpfiles removes",
    .enabled(if: TmpfilesClean.isHere && User.isRoot, "needs systemd-tmpfiles and root"))
struct TmpfilesDifferentialTests {
    /// Trees and ages at random, under rules with nested directories, patterns and exclusions.
    @Test(.tags(.r40b), arguments: 1...6)
    func onTreesAtRandom(seed: UInt64) throws {
        let both = try TmpfilesClean()
        try both.configure(
            """
            d /a - - - m:10d
            d /a/own - - - m:2d
            d /a/kept
            x /a/x*
            x /a/d1/*.keep
            X /a/X*
            f /a/d2/file3 - - - -
            z /a/d3/[0-4]*
            e /b/* - - - m:5d
            d /c - - - ~m:3d
            q /d - - - 1d
            """)
        var random = Numbers(state: seed)
        let tops = ["a", "b/one", "b/two", "c", "d"]
        let names = [
            "d1", "d2", "d3", "own", "kept", "xd", "Xd", "plain", ".hidden", "d1/deep", "own/deep",
            "xd/deep",
            "Xd/deep", "",
        ]
        for top in tops {
            for name in names {
                let directory = name.isEmpty ? top : "\(top)/\(name)"
                try both.add(directory, modified: .zero, accessed: .zero, directory: true)
                for file in ["file1", "file3", "x1", "X1", "4", "7", "a.keep", ".dot"]
                where random.next() % 3 > 0 {
                    try both.add(
                        "\(directory)/\(file)",
                        modified: .seconds(Int64(random.next() % 15) * 86400 + 3600),
                        accessed: .seconds(Int64(random.next() % 15) * 86400 + 3600))
                }
            }
        }
        #expect(both.rules().findings.isEmpty)
        let before = try both.left("ours")
        try both.cleanTheirs()
        try both.cleanOurs()
        let (theirs, ours) = (try both.left("theirs"), try both.left("ours"))
        #expect(ours.symmetricDifference(theirs).sorted() == [], "seed \(seed)")
        #expect(theirs.count < before.count - 40)
        #expect(theirs.count > 60)
    }

    /// By default the change of an inode keeps a file, as old as its other times may be.
    @Test func whatWasChangedIsYoung() throws {
        let both = try TmpfilesClean()
        try both.configure("d /a - - - 1d\nd /b - - - 0\n")
        for top in ["a", "b"] {
            try both.add("\(top)/old", modified: .seconds(9_000_000), accessed: .seconds(9_000_000))
        }
        try both.cleanTheirs()
        try both.cleanOurs()
        #expect(try both.left("theirs") == ["a/old"])
        #expect(try both.left("ours") == ["a/old"])
    }

    @Test func filesWithTheStickyBitStay() throws {
        let both = try TmpfilesClean()
        try both.configure("d /a - - - m:1d\n")
        try both.add("a/sticky", modified: .seconds(900_000), accessed: .seconds(900_000))
        for side in ["theirs", "ours"] {
            try both.directory.tree.setPermissions(
                0o1644, of: TreePath(stringLiteral: "\(side)/a/sticky"))
        }
        try both.cleanTheirs()
        try both.cleanOurs()
        #expect(try both.left("theirs") == ["a/sticky"])
        #expect(try both.left("ours") == ["a/sticky"])
    }

    /// Directories go when they are empty and old themselves; with `~` those directly inside stay.
    @Test func emptiedDirectoriesGoByTheirOwnAge() throws {
        let both = try TmpfilesClean()
        try both.configure("d /a - - - mM:1d\nd /c - - - ~mM:1d\n")
        for top in ["a", "c"] {
            for name in ["old", "old/inner", "young"] {
                try both.add("\(top)/\(name)", modified: .zero, accessed: .zero, directory: true)
                try both.add(
                    "\(top)/\(name)/f", modified: .seconds(900_000), accessed: .seconds(900_000))
            }
            try both.add("\(top)/empty", modified: .zero, accessed: .zero, directory: true)
            for name in ["old/inner", "old", "empty"] {
                try both.setTimes(
                    "\(top)/\(name)", modified: .seconds(900_000), accessed: .seconds(900_000))
            }
        }
        try both.cleanTheirs()
        try both.cleanOurs()
        let theirs = try both.left("theirs", type: "d")
        let ours = try both.left("ours", type: "d")
        #expect(try both.left("ours") == both.left("theirs"))
        // A directory's birth cannot be set: by ours it is as young as the test. So nothing more goes.
        #expect(ours.isSuperset(of: theirs), "\(theirs.subtracting(ours))")
    }

    /// A pattern names several directories of one last name: each has its own exclusions.
    @Test(.tags(.r40b), arguments: ["one", "two", "three"])
    func whatOneDirectoryOfAPatternExcludesStays(_ excluded: String) throws {
        let both = try TmpfilesClean()
        try both.configure(
            "e /g/*/x - - - m:1d\nx /g/\(excluded)/x/kept\n")
        for top in ["one", "two", "three"] {
            for name in ["kept", "old", "inner/old"] {
                try both.add(
                    "g/\(top)/x/\(name)", modified: .seconds(900_000), accessed: .seconds(900_000))
            }
        }
        try both.cleanTheirs()
        try both.cleanOurs()
        #expect(try both.left("theirs") == ["g/\(excluded)/x/kept"])
        #expect(try both.left("ours") == ["g/\(excluded)/x/kept"])
    }

    @Test(.tags(.r40b)) func eachDirectoryOfAPatternKeepsItsFirstLevel() throws {
        let both = try TmpfilesClean()
        try both.configure("e /g/*/x - - - ~m:1d\n")
        for top in ["one", "two"] {
            for name in ["old", "inner/old"] {
                try both.add(
                    "g/\(top)/x/\(name)", modified: .seconds(900_000), accessed: .seconds(900_000))
            }
        }
        try both.cleanTheirs()
        try both.cleanOurs()
        #expect(try both.left("theirs") == ["g/one/x/old", "g/two/x/old"])
        #expect(try both.left("ours") == ["g/one/x/old", "g/two/x/old"])
    }

    // MARK: - Where Headroom keeps more

    /// systemd cleans by each path for itself: what one of them excludes goes by the other.
    @Test(.tags(.r40b)) func whatIsExcludedByOneOfTwoPathsStays() throws {
        let both = try TmpfilesClean()
        try both.configure("d /way/a - - - m:1d\nd /b/a - - - ~m:1d\nx /b/a/*/kept\n")
        for name in ["old", "inner/kept", "inner/old"] {
            try both.add(
                "b/a/\(name)", modified: .seconds(900_000), accessed: .seconds(900_000))
        }
        try both.directory.tree.symbolicLink("ours/way", to: "b")
        try both.cleanOurs()
        #expect(try both.left("ours") == ["b/a/inner/kept", "b/a/old"])
    }

    @Test func whatIsNeverPurgedStays() throws {
        let both = try TmpfilesClean()
        try both.configure("d /a - - - m:1d\n")
        for name in ["pinned", "plain"] {
            try both.add("a/\(name)", modified: .seconds(900_000), accessed: .seconds(900_000))
        }
        try both.directory.tree.fifo("ours/a/fifo")
        try both.directory.tree.setTimes(
            of: "ours/a/fifo", accessed: .init(seconds: 1_000_000),
            modified: .init(seconds: 1_000_000))
        let workspace = Workspace.open(
            environment: [:], home: both.directory.path.appending("nobody"),
            ledgerDirectory: both.directory.path.appending("state"), minIdle: .none,
            clock: { Timestamp.now() })
        try workspace.mark(both.directory.path.appending("ours/a/pinned")) { $0.isPinned = true }
        try both.cleanOurs()
        #expect(try both.left("ours") == ["a/pinned"])
        #expect(both.directory.tree.exists("ours/a/fifo"))
    }

    @Test func nothingButTheExpiredIsPlannedAndNothingElsewhere() throws {
        let both = try TmpfilesClean()
        try both.configure("d /a - - - m:10d\n")
        try both.add("a/old", modified: .seconds(900_000), accessed: .zero)
        try both.add("a/young", modified: .zero, accessed: .zero)
        try both.directory.tree.file("nobody/.cache/tool/file", size: .kilobytes(4))
        try both.cleanOurs()
        #expect(try both.left("ours") == ["a/young"])
        #expect(both.directory.tree.exists("nobody/.cache/tool/file"))
    }
}

/// Random numbers that a seed brings back.
private struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
