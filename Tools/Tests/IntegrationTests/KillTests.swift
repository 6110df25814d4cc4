//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Foundation
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// `kill -9` at any moment: what is there is whole, and the next purge finishes.
@Suite(
    .blocks,
    .enabled(
        if: HostileProcess.isPossible && Privilege.has(program: "sqlite3"),
        "needs python3 and sqlite3 for databases"))
struct KillTests {
    private static let units = 8
    private static let members = 80
    private static let databases = 3
    private static let rounds = Privilege.isSoak ? 500 : 8

    private let home: Home
    private let sidecars = ["", "-wal", "-shm"]
    /// A database of which a part is in its `-wal` only: by suffix.
    private let template: [String: [UInt8]]

    init() throws {
        home = try Home()
        let maker = try HostileProcess.python(
            """
            c = sqlite3.connect('made.sqlite')
            c.execute('pragma journal_mode=wal')
            c.execute('create table t(x)')
            c.executemany('insert into t values (?)', [(n,) for n in range(100)])
            c.commit()
            print('ready', flush=True)
            time.sleep(1000)
            """, in: home.directory.path)
        maker.send(9)
        try maker.wait()
        var template: [String: [UInt8]] = [:]
        for suffix in sidecars {
            template[suffix] = try home.tree.contents(of: TreePath("made.sqlite" + suffix))
        }
        self.template = template
    }

    private var data: String { home.directory.path.appending("data").string }

    private func makeTree() throws {
        if home.tree.exists("data") { try home.tree.remove("data") }
        for unit in 0..<Self.units {
            try home.tree.files(Self.members, in: TreePath("data/unit\(unit)/sub"))
        }
        for number in 0..<Self.databases {
            for (suffix, contents) in template {
                try home.tree.file(TreePath("data/\(number).sqlite\(suffix)"), contents: contents)
            }
        }
    }

    private var purge: [String] {
        ["purge", data, "--as", "cache", "--unit", "entry", "--all", "--yes", "--json"]
    }

    @Test(.tags(.s6d)) func anyMomentWillDo() throws {
        try makeTree()
        let whole = try home.run(purge)
        #expect(whole.exitCode == 0, "\(whole.errors)")
        let given = ProcessInfo.processInfo.environment["HEADROOM_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0..<1_000_000)
        var generator = SplitMix(state: seed)
        var cutShort = 0
        for round in 0..<Self.rounds {
            try makeTree()
            let longest =
                Double(whole.wallTime.components.attoseconds) / 1e18
                + Double(whole.wallTime.components.seconds)
            let delay = Double.random(in: 0...longest, using: &generator)
            let hint: Comment = "HEADROOM_SEED=\(seed), round \(round), after \(delay) s"
            let child = try home.start(purge)
            Thread.sleep(forTimeInterval: delay)
            child.send(9)
            if try child.wait().signal == 9 { cutShort += 1 }
            let begun = try checkWhatIsLeft(hint)
            try checkStart(begun, deletesLedger: round.isMultiple(of: 2), hint)
        }
        // Else the test tests nothing.
        #expect(cutShort > Self.rounds / 4)
    }

    /// - Returns: whether something has gone, and something has not: then it cannot have ended.
    private func checkWhatIsLeft(_ hint: Comment) throws -> Bool {
        var units = 0
        for name in try home.tree.names(in: "data").map(\.text) where name.hasPrefix("unit") {
            units += 1
            let count = try home.tree.names(in: TreePath("data/\(name)/sub")).count
            #expect(count == Self.members, hint)
        }
        var databases = 0
        for number in 0..<Self.databases where home.tree.exists(TreePath("data/\(number).sqlite")) {
            databases += 1
            let result = try ChildProcess.run(
                "sqlite3",
                ["\(data)/\(number).sqlite", "pragma integrity_check; select count(*) from t"])
            #expect(result.output == "ok\n100\n", hint)
        }
        let isPartly = units < Self.units || databases < Self.databases
        return try isPartly && !home.tree.names(in: "data").isEmpty
    }

    private func checkStart(_ begun: Bool, deletesLedger: Bool, _ hint: Comment) throws {
        let looked = try home.run("log", "--json")
        #expect(looked.exitCode == 0, hint)
        if begun {
            #expect(looked.errors.contains("cut off"), hint)
            #expect(looked.output.contains("\"outcome\":\"crashed\""), hint)
        }
        if deletesLedger { try home.tree.remove("state") }
        let next = try home.run(purge)
        #expect(next.exitCode == 0, "\(next.errors) \(hint)")
        if begun, !deletesLedger { #expect(next.errors.contains("cut off"), hint) }
        #expect(try home.tree.names(in: "data").isEmpty, hint)
        #expect(!(try home.run("log").errors.contains("cut off")), hint)
    }
}

/// Random numbers that come again with their seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
#endif
