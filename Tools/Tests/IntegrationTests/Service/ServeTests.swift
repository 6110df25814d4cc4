//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: the service as a process.
@Suite(.blocks, .enabled(if: Privilege.canMount, "needs root to mount a tmpfs"), .serialized)
struct ServeTests {
    private func fill(_ volume: ServedVolume, leaving bytes: ByteCount) throws {
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - bytes)
    }

    @Test func actsAndEndsWhenItIsTold() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try fill(volume, leaving: .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output)")
        #expect(try volume.figures.available >= ByteCount(volume.size.bytes / 5))
        #expect(try volume.count("cache") < 30)
        #expect(try volume.count("essential") == 1)
    }

    @Test func observingDeletesNothingAndSaysWhatWouldGo() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("observe")
        for number in 0..<30 {
            try volume.image.tree.file("cache/file-\(number)" as TreePath, size: .mebibytes(1))
            try volume.image.tree.age(
                "cache/file-\(number)" as TreePath, by: .seconds(3_600 * Int64(30 - number)))
        }
        try fill(volume, leaving: .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "would free")
        child.send(15)
        let result = try child.wait()
        let named = (0..<30).filter {
            result.output.contains("path=\(volume.image.path)/cache/file-\($0) ")
        }
        // 12.8 MiB are to be available: eight of the oldest would go.
        #expect(named == Array(0..<8), "\(result.output)")
        #expect(try volume.count("cache") == 30)
        #expect(try volume.home.run("log", "--json").output.contains("\"outcome\"") == false)
    }

    @Test func oneRunsForAUser() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        let second = try volume.home.run(["serve", "--directory", volume.directory])
        #expect(second.exitCode == 1)
        #expect(second.errors.contains("headroom serve, process \(child.processID)"))
        let sweep = try volume.sweep()
        #expect(sweep.exitCode == 1)
        child.send(9)
        #expect(try child.wait().signal == 9)
        // The lock of one that was killed is free.
        #expect(try volume.sweep().exitCode == 0)
    }

    @Test func aBadConfigurationChangesNothing() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        child.send(1)
        try child.readOutput(until: "the one before is kept")
        try child.readOutput(until: "headroom.yaml:1: mode:")
        try volume.configure("act")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        child.send(2)
        #expect(try child.wait().exitCode == 0)
    }

    @Test func doesNotStartWithABadConfiguration() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        let result = try volume.home.run(["serve", "--directory", volume.directory])
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("headroom.yaml:1"))
    }

    /// A purge of many files, begun by the service.
    private func beginPurge(_ volume: ServedVolume) throws -> (child: ChildProcess, files: Int) {
        try volume.configure("act", more: "policy:\n  target-factor: 9\n")
        let files = 60_000
        try volume.image.tree.files(files, in: "cache/many")
        let left = try #require(try volume.figures.availableInodes)
        try volume.image.tree.files(Int(left) - 900, in: "essential/many")
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path, volume.directory],
            environment: volume.home.environment)
        var rest = try volume.figures.availableInodes ?? 0
        while rest < 1_000 { rest = try volume.figures.availableInodes ?? 0 }
        return (child, files)
    }

    @Test func aStopInAPurgeLeavesAWholeReceipt() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, files) = try beginPurge(volume)
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"interrupted\""), "\(log.output.prefix(2_000))")
        let removed = try #require(log.json("removedCount").flatMap { Int($0) })
        #expect(removed > 0 && removed < files)
        #expect(try volume.count("cache/many") == files - removed)
    }

    @Test func aKillInAPurgeIsFoundAtTheNextStart() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, _) = try beginPurge(volume)
        child.send(9)
        #expect(try child.wait().signal == 9)
        #expect(try volume.count("cache/many") > 0)
        let again = try volume.serve()
        try again.readOutput(until: "] purged")
        again.send(15)
        #expect(try again.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"crashed\""))
        #expect(log.output.contains("\"outcome\":\"completed\""))
    }

    // MARK: - Reloads

    private static let policy = "policy:\n  target-factor: 9\n"

    @Test func aReloadThatChangesNothingOfItLetsAPurgeEnd() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, _) = try beginPurge(volume)
        try volume.configure("act", more: Self.policy + "history:\n  retention: 30 d\n")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        try child.readOutput(until: "] purged")
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.values("outcome").contains("\"completed\""), "\(log.output.prefix(2_000))")
        #expect(!log.values("outcome").contains("\"interrupted\""))
    }

    @Test func aReloadThatAllowsLessEndsAPurgeBetweenTwoItems() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, files) = try beginPurge(volume)
        try volume.configure("observe", more: Self.policy)
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        let left = try volume.count("cache/many")
        #expect(left > 0 && left < files)
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        #expect(try volume.count("cache/many") == left)
        let log = try volume.home.run("log", "--json")
        #expect(log.values("outcome").contains("\"interrupted\""), "\(log.output.prefix(2_000))")
    }

    // MARK: - What plans are made from

    /// The lines of a log that say what a look at the areas has cost.
    private func looks(_ log: String, of volume: ServedVolume) -> [[String: String]] {
        let lines = log.split(separator: "\n").map { line in
            var values: [String: String] = [:]
            for word in line.split(separator: " ") {
                let parts = word.split(separator: "=", maxSplits: 1)
                if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
            }
            return values
        }
        // Others of the machine are looked at as well.
        return lines.filter { $0["by"] != nil && $0["volume"] == volume.image.path.string }
    }

    @Test func onlyTheFirstLookIsAScan() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        for part in 0..<20 {
            try volume.image.tree.files(100, in: TreePath("essential/kept") / TreePath("\(part)"))
            try volume.image.tree.files(100, in: TreePath("lastResort") / TreePath("\(part)"))
        }
        // So much that may go would not help: it is looked at again and again.
        try fill(volume, leaving: .mebibytes(15))
        try volume.image.tree.file("essential/filler", size: .mebibytes(10))
        let child = try volume.serve()
        try child.readOutput(until: "a volume cannot be helped")
        // What is made only now goes at one of the next looks.
        try volume.image.tree.remove("essential/filler")
        for number in 0..<10 {
            try volume.image.tree.file("cache/later-\(number)" as TreePath, size: .mebibytes(1))
        }
        try child.readOutput(until: "] purged")
        child.send(15)
        let result = try child.wait()
        let looks = looks(result.output, of: volume)
        #expect(result.exitCode == 0)
        #expect(looks.count >= 3, "\(result.output)")
        #expect(looks.map { $0["by"] ?? "" }.filter { $0 == "scan" }.count == 1)
        #expect(looks.first?["by"] == "scan")
        #expect(looks.first.flatMap { $0["items"] } == "2000")
        for look in looks.dropFirst() {
            // The areas' own directories, of more than 20.
            let read = try #require(look["directories-read"].flatMap { Int($0) })
            #expect(read <= 3, "\(look)")
        }
        #expect(try volume.count("cache") < 10)
        #expect(try volume.count("lastResort") == 20)
        #expect(try volume.count("essential/kept") == 20)
    }

    @Test func areasOfAnotherConfigurationAreFollowedAnew() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let first = volume.image.path.appending("temporary")
        try volume.configure(
            "act", areas: false, more: "areas:\n  - path: \(first)\n    class: temporary\n")
        let child = try volume.serve()
        try child.readOutput(until: "looked at the areas")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try fill(volume, leaving: .mebibytes(5))
        try volume.configure("act")
        child.send(1)
        try child.readOutput(until: "] purged")
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0)
        let scans = looks(result.output, of: volume).filter { $0["by"] == "scan" }
        #expect(scans.map { $0["items"] ?? "" } == ["0", "30"], "\(result.output)")
        #expect(try volume.count("cache") < 30)
    }

    // MARK: - Sweep

    @Test func sweepsOnceForTimers() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try fill(volume, leaving: .mebibytes(5))
        let result = try volume.sweep("--json")
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.values("purpose").sorted() == ["\"due\"", "\"due\"", "\"warning\""])
        #expect(try volume.count("cache") == 22)
        let text = try volume.sweep()
        #expect(text.output.contains("nothing to purge"))
    }

    @Test func sweepSaysWhatCannotBeHelped() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        try volume.image.tree.file("temporary/one", size: .mebibytes(1))
        try volume.image.tree.file("cache/one", size: .mebibytes(1))
        try fill(volume, leaving: .zero)
        let result = try volume.sweep()
        #expect(result.exitCode == 3)
        #expect(result.output.contains("Free space by hand"))
        #expect(try volume.count("temporary") == 0)
        #expect(try volume.count("cache") == 1)
    }

    @Test func newDeclarationsHaveTheirGrace() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act", grace: "24 h")
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try fill(volume, leaving: .mebibytes(1))
        let result = try volume.sweep()
        #expect(result.exitCode == 3)
        #expect(result.output.contains("its declaration is new"))
        #expect(try volume.count("cache") == 30)
        try volume.configure("act", grace: "0")
        #expect(try volume.sweep().exitCode == 0)
        #expect(try volume.count("cache") < 30)
    }
}
#endif
