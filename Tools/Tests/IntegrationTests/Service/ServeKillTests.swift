//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: a service that is killed at any moment, again and again, while it holds a volume against one who
/// writes: whatever it has written down is whole, and it goes on.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeKillTests {
    private static let rounds = Privilege.isSoak ? 300 : 30

    private let volume: ServedVolume
    private let seed: UInt64

    init() throws {
        volume = try ServedVolume(size: .mebibytes(64))
        seed = UInt64.random(in: 0...UInt64.max)
        let places = [("temporary", "file"), ("cache", "entry"), ("lastResort", "file")]
        var text = "listen: unix:\(volume.home.directory.path)/run/metrics.sock\nareas:\n"
        for (name, unit) in places {
            text += "  - { path: \(volume.image.path)/\(name), class: \(name), unit: \(unit) }\n"
        }
        text += "  - { path: \(volume.image.path)/essential, class: essential }\n"
        try volume.configure("act", areas: false, more: text)
    }

    // MARK: - What there is

    /// The receipts by their ids; each of them has to be whole.
    private func receipts() throws -> [String: String] {
        let result = try volume.home.run("log", "--json", "--last", "100000")
        #expect(result.exitCode == 0, "\(result.errors)")
        var outcomes: [String: String] = [:]
        for line in result.output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let members = try #require(object as? [String: Any], "\(line)")
            let id = try #require(members["id"] as? String, "\(line)")
            let outcome = try #require(members["outcome"] as? String, "\(line)")
            let removed = try #require(members["removedCount"] as? Int, "\(line)")
            let classes = try #require(members["perClass"] as? [[String: Any]], "\(line)")
            let counts = classes.compactMap { $0["count"] as? Int }
            #expect(counts.reduce(0, +) == removed, "\(line)")
            #expect(outcomes.updateValue(outcome, forKey: id) == nil, "\(id) is there twice")
        }
        return outcomes
    }

    private func registrations() throws -> Set<String> {
        let result = try volume.home.run("dir", "list", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        return Set(result.values("path"))
    }

    /// What is never to change, by name, inode, size and times.
    private func canaries() throws -> String {
        let result = try ChildProcess.run(
            "/usr/bin/find",
            [volume.image.path.appending("essential").string, "-printf", "%P %i %s %T@ %C@\\n"])
        return result.output.split(separator: "\n").sorted().joined(separator: "\n")
    }

    // MARK: - Filling

    /// Adds directories that are purged whole until the level is critical. At the warning level, the daemon keeps files of last
    /// resort, and there may be too little else to purge.
    private func fill(_ round: Int) throws {
        var number = 0
        while try volume.figures.available > .mebibytes(1) {
            try volume.image.tree.files(
                64, in: TreePath("cache/unit-\(round)-\(number)"), size: ByteCount(8_192))
            number += 1
        }
    }

    /// Waits until the volume has more than it had.
    private func awaitPurge() throws {
        let before = try volume.figures.available
        // It may have made room before the first look: then it is killed at some other moment.
        _ = try Soon.holds(within: .seconds(20)) { try volume.figures.available > before }
    }

    private func register(_ round: Int) throws {
        try volume.home.tree.directory(TreePath("home/Renders/\(round)"))
        let path = volume.home.path.appending("Renders/\(round)").string
        let result = try volume.home.run("dir", "add", path, "--retention", "14d")
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    /// Half an hour was not enough for three hundred rounds beside other soak tests.
    @Test(.timeLimit(.minutes(Privilege.isSoak ? 120 : 30)))
    func whatIsWrittenDownIsWholeWheneverItIsKilled() throws {
        var generator = SeededGenerator(seed: seed)
        print("killing the service: seed \(seed)")
        try volume.image.tree.files(200, in: "essential/precious", size: ByteCount(4_096))
        let before = try canaries()
        var known: [String: String] = [:]
        var told: Set<String> = []
        var registered = 0
        var writer = RandomWriter(
            ["temporary", "lastResort"].map { volume.image.path.appending($0) }, seed: seed)
        writer.fastest = 20_000_000
        for round in 0..<Self.rounds {
            if round % 5 == 0 {
                try register(round)
                registered += 1
            }
            try fill(round)
            let child = try ChildProcess(
                "/bin/sh",
                [
                    "-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path,
                    volume.directory,
                ], environment: volume.home.environment)
            // At any moment from the start on; after it has begun to look; in the midst of a purge.
            let longest: Int64
            switch round % 3 {
            case 0: longest = 1_500
            case 1:
                // It may have made room already by finishing a purge that was cut off, and has nothing to do then.
                _ = try? child.readOutput(until: "] beginning", patience: 20_000)
                longest = 1_500
            default:
                try awaitPurge()
                longest = 40
            }
            let life = Int64.random(in: 1...longest, using: &generator)
            writer.run(for: .milliseconds(life))
            child.send(9)
            let result = try child.wait()
            #expect(result.signal == 9, "it ended by itself: \(result.output)")
            for word in result.output.split(whereSeparator: { $0 == " " || $0 == "\n" })
            where word.hasPrefix("receipt=") {
                told.insert(String(word.dropFirst("receipt=".utf8.count)))
            }
            let now = try receipts()
            // What was there once, in the log or in the journal, stays; only what was cut off may be told
            // otherwise once it was looked into.
            for (id, outcome) in known {
                #expect(now[id] == outcome, "round \(round), seed \(seed): \(id)")
            }
            #expect(told.isSubset(of: now.keys), "round \(round), seed \(seed)")
            known = now
            #expect(try registrations().count == registered, "round \(round), seed \(seed)")
            #expect(try canaries() == before, "round \(round), seed \(seed)")
        }
        try endWell(known, registered)
        let cut = known.values.count { $0 == "crashed" }
        print(
            "killed \(Self.rounds) times: \(known.count) receipts, \(cut) of purges that were cut off, "
                + "\(told.count) told as ended; \(writer.files) files written")
        #expect(cut > 0, "no kill has hit a purge: seed \(seed)")
        #expect(known.count > Self.rounds / 6, "hardly anything was purged: seed \(seed)")
        #expect(try canaries() == before)
    }

    /// Runs it once more, and ends it as it should be ended.
    private func endWell(_ known: [String: String], _ registered: Int) throws {
        // The last one may have been killed when it had just made room.
        try fill(Self.rounds)
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output)")
        #expect(!result.output.contains("damaged"), "\(result.output)")
        let now = try receipts()
        #expect(Set(known.keys).isSubset(of: now.keys))
        // On a busy machine perhaps no other has.
        #expect(now.contains { known[$0.key] == nil && $0.value == "completed" }, "\(now)")
        #expect(try registrations().count == registered)
        let path = volume.home.directory.path.appending("state/history.sqlite")
        let history = try History.open(at: path, now: .now())
        #expect(history.notices.isEmpty)
        #expect(try !history.receipts().isEmpty)
        #expect(try !history.events().isEmpty)
        // What a purge had begun is finished or put back.
        let names = try volume.image.tree.names(in: "cache").map(\.text)
        #expect(!names.contains { $0.hasPrefix(".headroom-going") }, "\(names)")
    }
}
#endif
