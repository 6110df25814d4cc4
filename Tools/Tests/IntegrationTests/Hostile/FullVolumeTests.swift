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

/// A volume on which nothing fits any more, with the ledger on it: the moment when a purge counts.
@Suite(.blocks, .enabled(if: Privilege.canMount, "needs root to mount"))
struct FullVolumeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var kind: HostileVolume.Kind
        var exhausts: Exhaustion
        var hasLedger: Bool
        var unit: String

        var testDescription: String {
            "\(kind), no \(exhausts) left, \(hasLedger ? "a" : "no") ledger, unit \(unit)"
        }

        static var all: [Case] {
            let volumes: [(HostileVolume.Kind, Exhaustion)] = [
                (.tmpfs, .bytes), (.ext4, .bytes), (.btrfs, .bytes), (.tmpfs, .inodes),
                (.ext4, .inodes),
            ]
            return volumes.filter { $0.0.isPossible }.flatMap { kind, exhausts in
                // Without a ledger once for bytes and once for inodes, in the short form.
                let isEach = Privilege.isSoak || kind == .tmpfs
                return (isEach ? [true, false] : [true]).map { hasLedger in
                    Case(
                        kind: kind, exhausts: exhausts, hasLedger: hasLedger,
                        unit: hasLedger ? "file" : "entry")
                }
            }
        }
    }

    enum Exhaustion: Sendable { case bytes, inodes }

    @Test(.tags(.s14b), arguments: Case.all.filter { $0.kind != .btrfs })
    func whatIsPlannedGoesAndIsWrittenDown(_ setting: Case) throws { try check(setting) }

    /// What is planned goes, all the rest stays, and it is written down.
    func check(_ setting: Case) throws {
        let volume = try HostileVolume(
            setting.kind, size: setting.kind == .btrfs ? .mebibytes(128) : .mebibytes(16),
            inodes: setting.exhausts == .inodes ? 1_000 : nil)
        let base = volume.base.string
        let environment: [String: String?] = [
            "HOME": base + "/home", "HEADROOM_STATE_DIRECTORY": base + "/state", "TMPDIR": nil,
        ]
        try volume.tree.directory("home")
        try volume.tree.file("area/precious", text: "pinned")
        for index in 0..<20 {
            try volume.tree.files(20, in: "area/unit\(index)/sub", size: ByteCount(3_000))
        }
        try volume.tree.file("area/large", size: .mebibytes(1))
        if setting.hasLedger {
            let marked = try Program.run(
                ["mark", base + "/area/precious", "--pin"], environment: environment)
            #expect(marked.exitCode == 0, "\(marked.errors)")
        } else {
            try volume.tree.remove("area/precious")
        }
        try fill(volume.base, setting.exhausts)

        let output = try purge(base + "/area", setting, environment)
        #expect(output.completed)
        let left = try volume.tree.names(in: "area").map(\.text)
        #expect(left == (setting.hasLedger ? ["precious"] : []))
        #expect(volume.tree.exists("filler"))
        try checkReceipt(output, setting, environment)
    }

    private func purge(
        _ area: String, _ setting: Case, _ environment: [String: String?]
    ) throws -> PurgeOutput {
        var removed = 0
        for _ in 0..<100 {
            let result = try Program.run(
                [
                    "purge", area, "--as", "cache", "--unit", setting.unit, "--all", "--yes",
                    "--min-idle", "0s", "--json",
                ], environment: environment)
            let output = try PurgeOutput(result)
            removed += output.removedCount
            // On btrfs a lock of another test on a file with the same inode number keeps ours too
            // (record 0007): it goes with a later purge.
            if setting.kind == .btrfs,
                output.skipped.contains(where: {
                    $0.planned == true && $0.reason?.code == "leased"
                }
                )
            {
                Thread.sleep(forTimeInterval: 0.2)
                continue
            }
            #expect(result.exitCode == 0, "\(result.errors) \(result.output.suffix(600))")
            #expect(removed == (setting.unit == "file" ? 401 : 21))
            return output
        }
        throw FixtureError("purge", on: area, details: "others hold locks all the time")
    }

    /// It is in the ledger; only where there was none before may it say instead that it is not.
    private func checkReceipt(
        _ output: PurgeOutput, _ setting: Case, _ environment: [String: String?]
    ) throws {
        let id = try #require(output.receipt)
        let log = try Program.run(["log", "--receipt", id, "--json"], environment: environment)
        if setting.hasLedger {
            #expect(log.exitCode == 0, "\(log.errors)")
        } else if log.exitCode != 0 {
            #expect(
                output.notes.contains { $0.contains("The receipt is not kept.") },
                "\(output.notes)")
            return
        }
        #expect(log.json("removedCount") == "\(output.removedCount)")
        #expect(log.json("outcome") == "\"completed\"")
    }

    private func fill(_ base: FilePath, _ exhaustion: Exhaustion) throws {
        let script =
            switch exhaustion {
            case .bytes:
                """
                head -c 2000000000 /dev/zero > \(base)/filler
                i=0; while echo x > \(base)/n$i; do i=$((i+1)); [ $i -gt 3000 ] && break; done; true
                """
            case .inodes:
                ": > \(base)/filler; i=0; while mkdir \(base)/n$i; do i=$((i+1)); done; true"
            }
        _ = try ChildProcess.run("sh", ["-c", "{ \(script); } 2>/dev/null"])
        let check =
            exhaustion == .bytes
            ? "head -c 100000 /dev/zero > \(base)/more" : "mkdir \(base)/more"
        #expect(
            !(try ChildProcess.run("sh", ["-c", check]).succeeded), "the volume is not full")
    }
}

extension VolumeTests {
    /// The same on btrfs, and not beside the hostile trees: they hold locks from their beginning to their end.
    @Suite(.enabled(if: HostileVolume.Kind.btrfs.isPossible, "needs root and btrfs"))
    struct FullBtrfsTests {
        @Test(.tags(.s14b), arguments: FullVolumeTests.Case.all.filter { $0.kind == .btrfs })
        func whatIsPlannedGoesAndIsWrittenDownOnBtrfs(_ setting: FullVolumeTests.Case) throws {
            try FullVolumeTests().check(setting)
        }
    }
}
#endif
