//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Foundation
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R28, R40, R41: what the service as a process knows of areas, and tells.
@Suite(
    .blocks,
    .enabled(
        if: Privilege.canMount && Privilege.has(program: "curl"),
        "needs root to mount a tmpfs, and curl"))
struct ServeFiguresTests {
    private func stop(_ child: ChildProcess) throws -> ChildResult {
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output)")
        return result
    }

    private func metrics(_ socket: FilePath) throws -> String {
        try ChildProcess.run(
            "/usr/bin/curl", ["-s", "--unix-socket", socket.string, "http://localhost/metrics"]
        ).output
    }

    /// The value of the first line that begins so.
    private func value(_ text: String, _ line: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(line) }
            .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
    }

    /// Asks for metrics until they say something, for at most half a minute.
    private func metrics(
        _ socket: FilePath, until isThere: (String) -> Bool
    ) throws -> String {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var text = ""
        while ContinuousClock.now < end {
            text = try metrics(socket)
            if isThere(text) { break }
        }
        return text
    }

    // MARK: - The documentation

    /// The names in the table of `Documentation/metrics.md`.
    private func documented() throws -> Set<String> {
        var root = URL(filePath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let text = try String(
            contentsOf: root.appending(path: "Documentation/metrics.md"), encoding: .utf8)
        return Set(
            text.split(separator: "\n").filter { $0.hasPrefix("| `headroom_") }
                .compactMap { $0.split(separator: "`").dropFirst().first.map { String($0) } })
    }

    /// The names of the families of which there are values on a page.
    private func served(_ text: String) -> Set<String> {
        var histograms: Set<Substring> = []
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            if words.last == "histogram" { histograms.insert(words[2]) }
        }
        return Set(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let name = line.prefix { $0 != "{" && $0 != " " }
                for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
                    let family = name.dropLast(suffix.utf8.count)
                    if histograms.contains(family) { return String(family) }
                }
                return String(name)
            })
    }

    @Test func theDocumentationNamesWhatIsServedAndNothingElse() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let socket = volume.home.directory.path.appending("run/metrics.sock")
        try volume.configure(
            "act",
            more: """
                listen: unix:\(socket.string)
                modules:
                  - id: m
                    usage: [/bin/echo, 1000]
                    clean: [/bin/true]

                """)
        for number in 0..<20 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        // The oldest, which would go first, is in use.
        try volume.image.tree.age("cache/0", by: .seconds(86_400))
        let held = try FileDescriptor.open(volume.image.path.appending("cache/0"), .readOnly)
        let store = try CacheStore(
            at: URL(filePath: volume.image.path.appending("cache/images").string),
            CacheOptions(limit: .megabytes(4)))
        try store.put(Data(repeating: 1, count: 1_000), for: "one", CacheAttributes(as: .cache))
        _ = try store.data(for: "one")
        _ = try store.data(for: "two")
        try store.close()
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        let documented = try documented()
        #expect(documented.count > 30)
        var seen: Set<String> = []
        // A forecast comes and goes with the level.
        let text = try metrics(socket) { text in
            seen.formUnion(served(text))
            return seen.isSuperset(of: documented)
        }
        #expect(documented.subtracting(seen) == [], "documented and not served")
        #expect(seen.subtracting(documented) == [], "served and not documented")
        let path = volume.image.path
        #expect(
            value(text, #"headroom_cache_hits_total{store="\#(path)/cache/images"}"#) == 1)
        #expect(
            value(text, #"headroom_cache_misses_total{store="\#(path)/cache/images"}"#) == 1)
        // What went is taken away from what was seen.
        let area = value(text, #"headroom_area_bytes{area="\#(path)/cache",class="cache"}"#)
        let occupied = try HeadroomEngine.Scanner.totals(
            of: path.appending("cache"), options: ScanOptions(now: .now())
        ).allocated
        #expect(abs((area ?? 0) - Double(occupied.bytes)) < 300_000, "\(occupied)")
        let usages: [UsageSample]
        _ = try stop(child)
        try held.close()
        let history = try #require(
            try History.openReadOnly(
                at: volume.home.directory.path.appending("state/history.sqlite")))
        usages = try history.usages(of: .area(path.appending("cache")))
        let sample = try #require(usages.first)
        #expect(sample.bytes > .mebibytes(20))
        #expect((sample.items ?? 0) > 20)
        #expect((sample.purgeable ?? .zero) >= .mebibytes(20))
        // More than once where this has taken minutes.
        #expect(Set(try history.usages(of: .module("m")).map(\.bytes)) == [ByteCount(1_000)])
    }

    // MARK: - Growth

    @Test(.tags(.r41c)) func unusualGrowthIsToldWithItsCause() throws {
        let home = try Home(on: .disk)
        let place = home.directory.path.appending("grown")
        let socket = home.directory.path.appending("run/metrics.sock")
        let state = home.directory.path.appending("elsewhere/history.sqlite")
        try home.tree.directory("grown")
        try home.tree.directory("etc")
        try home.tree.file(
            "etc/headroom.yaml",
            text: """
                mode: observe
                areas: [{ path: \(place), class: cache }]
                listen: unix:\(socket)
                history: { path: \(state) }

                """)
        // Four weeks in which next to nothing came.
        let now = Timestamp.now()
        let history = try History.open(at: state, now: now)
        try history.record(
            (1...28 * 24).map { hours in
                (
                    UsageSubject.area(place),
                    UsageSample(
                        time: now.advanced(by: .seconds(-3_600 * hours)), bytes: .megabytes(1))
                )
            })
        try history.close()
        try home.tree.file("grown/cause", size: .kilobytes(4))
        let result = try ChildProcess.run(
            "/usr/bin/fallocate", ["-l", "600000000", place.appending("cause").string])
        try #require(result.exitCode == 0, "\(result.errors)")
        let directory = home.directory.path.appending("etc").string
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path, directory],
            environment: home.environment)
        try child.readOutput(until: "grew by")
        let text = try metrics(socket) {
            value($0, #"headroom_notices_total{kind="anomaly"}"#) == 1
        }
        #expect(value(text, #"headroom_events_total{kind="anomaly"}"#) == 1)
        #expect(value(text, #"headroom_notices_total{kind="anomaly"}"#) == 1)
        let log = try stop(child).output
        let line = try #require(log.split(separator: "\n").first { $0.contains("grew by") })
        #expect(line.contains("\(place)/cause (600 MB)"), "\(line)")
        #expect(log.split(separator: "\n").count { $0.contains("grew by") } == 1)
        let reading = try #require(try History.openReadOnly(at: state))
        let events = try reading.events(of: .anomaly)
        #expect(events.map(\.subject) == [place.string])
        let status = try home.run("status", home.path.string, "--directory", directory)
        #expect(status.exitCode == 0)
        #expect(status.output.replacing("\n", with: " ").contains("grew by"), "\(status.output)")
        let json = try home.run("status", home.path.string, "--json", "--directory", directory)
        #expect(json.json("subject") == "\"\(place)\"")
        // Not told again by the next process.
        let again = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path, directory],
            environment: home.environment)
        _ = try metrics(socket) { value($0, "headroom_areas_time_seconds") != nil }
        #expect(try !stop(again).output.contains("grew by"))
    }

    // MARK: - The log

    @Test func aPlightHasOneLine() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let told = volume.home.directory.path.appending("told")
        try volume.configure(
            "act",
            more: "notifications:\n  command: [/bin/sh, -c, 'cat >> \"$0\"', \(told)]\n")
        try volume.image.tree.file("cache/one", size: .mebibytes(1))
        try volume.image.tree.file("essential/fill", size: try volume.figures.available)
        let child = try volume.serve()
        try child.readOutput(until: "a volume cannot be helped")
        let log = try stop(child).output
        let lines = log.split(separator: "\n").filter { $0.contains("Free space by hand") }
        #expect(lines.count == 1, "\(log)")
        #expect(!log.contains("storage notice"), "\(log)")
        let notices = try String(contentsOf: URL(filePath: told.string), encoding: .utf8)
        #expect(notices.contains("cannotHelp"))
    }

    // MARK: - Areas that may not be one

    @Test func whatIsRefusedIsLeftOutUntilItIsSound() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.image.tree.symbolicLink("late", to: "cache")
        let areas = [
            volume.image.path.appending("cache"), "/", volume.image.path.appending("late"),
        ]
        let text = areas.map { "  - { path: \($0), class: cache }\n" }.joined()
        try volume.configure("act", areas: false, more: "areas:\n" + text)
        let check = try volume.home.run(
            "config", "check", "--json", "--directory", volume.directory)
        #expect(check.exitCode == 1)
        #expect(check.values("severity") == ["\"error\"", "\"warning\""])
        #expect(check.values("key") == ["\"areas[1", "\"areas[2"])
        #expect(check.values("line") == ["5", "6"])
        #expect(check.json("valid") == "true")
        let child = try volume.serve()
        // Its place is taken by a directory.
        try volume.image.tree.remove("late")
        try volume.image.tree.directory("late")
        for number in 0..<20 {
            try volume.image.tree.file("late/\(number)" as TreePath, size: .mebibytes(1))
        }
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - .mebibytes(5))
        try child.readOutput(until: "] purged")
        #expect(try volume.count("late") < 20)
        #expect(try volume.count("essential") == 1)
        let log = try stop(child).output
        for name in ["/ cannot be a cache area", "late is a link"] {
            let lines = log.split(separator: "\n").filter { $0.contains(name) }
            #expect(lines.count >= 1 && lines[0].contains("storage notice"), "\(log)")
        }
    }
}
#endif
