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

/// R29: what the plans of the service are made from.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeLookTests {
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
        try volume.fill(leaving: .mebibytes(15))
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
        try volume.fill(leaving: .mebibytes(5))
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
}
#endif
