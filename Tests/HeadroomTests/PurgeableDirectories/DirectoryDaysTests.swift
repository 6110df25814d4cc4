//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sixty days in fast motion: ten directories with all kinds of rules, files that are made and used at
/// random, launches and checks at random; after each, a directory is exactly what a simple model says.
///
/// Birth times are real ones, set in the image of the file system while it is not mounted.
@Suite(
    "R19: sixty days of purgeable directories",
    .enabled(
        if: Privilege.canMount(.ext4) && Privilege.has(program: "debugfs"),
        "needs root, mkfs.ext4 and debugfs"))
struct DirectoryDaysTests {
    @Test(.tags(.r19b), arguments: Privilege.isSoak ? Array(1...20) : [UInt64(1)])
    func everyDirectoryIsWhatTheModelSays(seed: UInt64) throws {
        var days = try DirectoryDays(seed: seed)
        try days.run(days: 60)
        #expect(days.checks > 10)
        #expect(days.removed > 100, "seed \(seed)")
    }
}

/// The world of one run: the file system, the model, and the time.
private struct DirectoryDays {
    private struct Rules {
        var name: String
        var retention: Int?
        var limit: Int
        var options = PurgeableDirectoryOptions()
    }

    /// One file; of a directory whose entries go whole, all files of an entry.
    private struct File {
        var path: String
        var created: Int
        var used: Int
        var bytes: Int
    }

    private static let all: [Rules] = {
        var rules = [
            Rules(name: "manual", retention: nil, limit: 0),
            Rules(name: "three", retention: 3, limit: 0),
            Rules(name: "seven", retention: 7, limit: 100 * 4096),
            Rules(name: "fourteen", retention: 14, limit: 60 * 4096),
            Rules(name: "thirty", retention: 30, limit: 40 * 4096),
            Rules(name: "limited", retention: nil, limit: 30 * 4096),
            Rules(name: "used", retention: 5, limit: 0),
            Rules(name: "recent", retention: nil, limit: 50 * 4096),
            Rules(name: "exact", retention: 20, limit: 25 * 4096),
            Rules(name: "entries", retention: 10, limit: 45 * 4096),
        ]
        rules[6].options.ageBasis = .used
        rules[7].options.order = .leastRecentlyUsed
        rules[7].options.trimPercent = 25
        rules[8].options.trimPercent = 100
        rules[8].options.ageBasis = .used
        rules[9].options.unit = .entry
        return rules
    }()

    private static let day = 86400

    /// Nothing that follows means anything.
    private struct Diverged: Error {}

    // Before the image: it is removed first.
    private let base: TemporaryDirectory
    private let image: MountedImage
    private let ledger: TemporaryDirectory
    private var random: SeededGenerator
    private let seed: UInt64
    private let start = Int(Timestamp.wallClock().seconds) + 3600
    private var now: Int
    private var files: [String: [File]] = [:]
    private var fresh: [String] = []
    private var number = 0
    private(set) var checks = 0
    private(set) var removed = 0

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        image = try MountedImage(.ext4, size: .mebibytes(64), formatting: ["-b", "4096"])
        base = try TemporaryDirectory(on: .at(image.path))
        ledger = try TemporaryDirectory(on: .memory)
        now = start
        try base.tree.directory("home")
        try register(storage)
    }

    /// As another launch finds it.
    private var storage: Storage {
        get throws {
            let (now, start) = (now, start)
            return try Storage(
                home: base.path.appending("home"),
                environment: ["TMPDIR": base.path.appending("tmp").string], owner: "Podcaster",
                ledgerDirectory: ledger.path.appending("ledger"),
                clock: { Timestamp(seconds: Int64(now)) },
                sampleClocks: {
                    ClockSample(
                        wall: Timestamp(seconds: Int64(now)),
                        sinceBoot: .seconds(now - start), boot: 1)
                })
        }
    }

    private func register(_ storage: Storage) throws {
        for rules in Self.all {
            _ = try storage.purgeableDirectory(
                rules.name, retention: rules.retention.map { .days($0) } ?? .manual,
                limit: ByteCount(Int64(rules.limit)), options: rules.options)
        }
    }

    mutating func run(days: Int) throws {
        while now < start + days * Self.day {
            now += Int.random(in: 3600...(36 * 3600), using: &random)
            for rules in Self.all { try live(in: rules) }
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            try setBirthTimes()
            let storage = try storage
            if Bool.random(using: &random) { try register(storage) }
            let report = storage.checkPurgeableDirectories()
            #expect(report.directories.allSatisfy { $0.problem == nil } && !report.ageRulesPaused)
            checks += 1
            for rules in Self.all { try compare(rules, report) }
        }
    }

    private func place(_ path: String) -> TreePath {
        TreePath("home/.cache/Podcaster/\(path)")
    }

    /// A little of what an app does with its files in some hours.
    private mutating func live(in rules: Rules) throws {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            number += 1
            // No two at the same second, so that the order is one.
            let time = now - number % 1800
            let folder = Bool.random(using: &random) ? "\(rules.name)/d\(number % 5)" : rules.name
            let path = "\(folder)/f\(number)"
            let blocks = Int.random(in: 0...8, using: &random)
            if rules.options.unit == .entry, folder != rules.name {
                let entry = "\(rules.name)/e\(number)"
                for part in ["a", "b"] { try make("\(entry)/\(part)", blocks, at: time) }
                try touch(entry, at: time)
                fresh += ["\(entry)", "\(entry)/a", "\(entry)/b"].map { "\($0) \(time)" }
                files[rules.name, default: []].append(
                    File(path: entry, created: time, used: time, bytes: (2 * blocks + 1) * 4096))
            } else {
                let isNew = !base.tree.exists(place(folder))
                try make(path, blocks, at: time)
                // Directories that are left empty go with the last file.
                if isNew, folder != rules.name { try touch(folder, at: time) }
                fresh.append("\(path) \(time)")
                files[rules.name, default: []].append(
                    File(path: path, created: time, used: time, bytes: blocks * 4096))
            }
        }
        for index in (files[rules.name] ?? []).indices
        where Int.random(in: 0..<6, using: &random) == 0 {
            number += 1
            let time = now - number % 1800
            guard let file = files[rules.name]?[index], file.used < time else { continue }
            // A unit is as recently used as its newest member.
            let path = base.tree.exists(place(file.path + "/a")) ? file.path + "/a" : file.path
            try touch(path, at: time)
            files[rules.name]?[index].used = time
        }
    }

    private func make(_ path: String, _ blocks: Int, at time: Int) throws {
        try base.tree.file(place(path), contents: [UInt8](repeating: 7, count: blocks * 4096))
        try touch(path, at: time)
    }

    private func touch(_ path: String, at time: Int) throws {
        let time = Timestamp(seconds: Int64(time))
        try base.tree.setTimes(of: place(path), accessed: time, modified: time)
    }

    private mutating func setBirthTimes() throws {
        let mount = image.path.string
        let prefix = base.path.string.dropFirst(mount.count) + "/home/.cache/Podcaster/"
        try image.edit(
            fresh.flatMap { entry -> [String] in
                let parts = entry.split(separator: " ")
                return ["set_inode_field \(prefix)\(parts[0]) crtime @\(parts[1])"]
            })
        fresh = []
    }

    // MARK: - The model

    /// What must be left; expired first, then the limit.
    private mutating func compare(_ rules: Rules, _ report: DirectoryChecks) throws {
        let before = files[rules.name] ?? []
        var left = before
        if let retention = rules.retention {
            left.removeAll { file in
                let time = rules.options.ageBasis == .created ? file.created : file.used
                return time <= now - retention * Self.day
            }
        }
        // Directories occupy a block each, also those that go empty with this check.
        let root = "\(rules.name)"
        var folders: Set<String> = []
        for file in before {
            let folder = String(file.path[..<(file.path.lastIndex(of: "/") ?? file.path.endIndex)])
            if folder != root { folders.insert(folder) }
        }
        let occupied = (1 + folders.count) * 4096 + before.reduce(0) { $0 + $1.bytes }
        var usage = (1 + folders.count) * 4096 + left.reduce(0) { $0 + $1.bytes }
        let isFull =
            rules.options.trimPercent == 100 ? usage > rules.limit : usage >= rules.limit
        if rules.limit > 0, isFull {
            let goal = rules.limit * rules.options.trimPercent / 100
            let byAge = left.sorted { one, other in
                rules.options.order == .oldestCreated
                    ? one.created < other.created : one.used < other.used
            }
            // What occupies nothing frees nothing.
            for file in byAge where usage > goal && file.bytes > 0 {
                usage -= file.bytes
                left.removeAll { $0.path == file.path }
            }
        }
        let said = report.directories.first {
            $0.registration.area.root.string.hasSuffix("/" + rules.name)
        }
        #expect(
            said?.usage == ByteCount(Int64(occupied)),
            "seed \(seed), day \((now - start) / Self.day), \(rules.name)")
        let found = Set(before.map(\.path).filter { base.tree.exists(place($0)) })
        let wanted = Set(left.map(\.path))
        #expect(
            found == wanted,
            """
            seed \(seed), day \((now - start) / Self.day), \(rules.name): \
            \(found.symmetricDifference(wanted)) \(report.receipts.map(\.outcome)) \
            \(report.receipts.flatMap(\.skipped)) \(report.directories.map(\.problem))
            """
        )
        guard found == wanted else { throw Diverged() }
        removed += before.count - left.count
        files[rules.name] = left
        #expect(base.tree.exists(place(rules.name)))
    }
}
