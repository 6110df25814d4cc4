//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomTestSupport
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a cache store costs beside a file per value: open, write and rename; open, read and close;
/// unlink. In one process and thread, turn by turn.
struct CacheBenchmark {
    let bench: Bench

    private struct Case {
        let size: Int
        let count: Int
        let durability: CacheDurability

        var title: String {
            "\(count) × \(size < 1024 ? "\(size) B" : "\(size / 1024) KiB")"
                + (durability == .full ? " on disk" : "")
        }
    }

    /// One turn's times, in microseconds an operation; seconds for opening.
    private struct Turn {
        var put = 0.0
        var get = 0.0
        var remove = 0.0
        /// Half of the entries, given up at once.
        var shrink = 0.0
        var open = 0.0
    }

    private var cases: [Case] {
        let scale = bench.options.scale
        func scaled(_ count: Int) -> Int { max(100, Int(Double(count) * scale)) }
        return [
            Case(size: 4 << 10, count: scaled(100_000), durability: .none),
            Case(size: 100, count: scaled(1_000_000), durability: .none),
            Case(size: 16 << 10, count: scaled(25_000), durability: .none),
            Case(size: 32 << 10, count: scaled(12_000), durability: .none),
            Case(size: 64 << 10, count: scaled(10_000), durability: .none),
            Case(size: 4 << 10, count: scaled(1_000), durability: .full),
        ]
    }

    func run() throws {
        for place in bench.options.places {
            try Interruption.withDirectory(in: place) { directory in try measure(directory, place) }
        }
    }

    private func measure(_ directory: TemporaryDirectory, _ place: String) throws {
        var table = Table([
            "", "floor put µs", "put", "floor get µs", "get", "floor remove µs", "evict",
            "shrink", "read index ms", "open",
        ])
        let only = bench.options.only
        let cases = cases.filter { only.isEmpty || only.contains($0.title) }
        if cases.isEmpty { return }
        for measured in cases {
            bench.progress("cache: \(measured.title) in \(place)")
            table.rows.append(try row(measured, directory))
        }
        bench.say("\n### cache\n")
        bench.say(
            """
            \(Machine.fileSystem(of: place)); medians of \(bench.options.rounds ?? 5) turns each. \
            Ratios of the store to the floor of the same turn; evict is what a put costs more when \
            the store is full, against unlinking a file, and shrink an entry when half of them are given \
            up at once. Load \(Machine.load) at the end.

            """)
        bench.say(table.text)
        if let rival = DiskcacheRival(), let first = cases.first {
            try compare(rival, first, directory)
        }
    }

    private func compare(
        _ rival: DiskcacheRival, _ measured: Case, _ directory: TemporaryDirectory
    ) throws {
        bench.progress("cache: diskcache with \(measured.title)")
        var table = Table(["\(measured.title)", "put µs", "get µs", "put", "get"])
        var turns: [(put: Double, get: Double)] = []
        var ratios: [(put: Double, get: Double)] = []
        for _ in 0..<(bench.options.rounds ?? 5) {
            let place = try TemporaryDirectory(on: .at(directory.path))
            let path = place.path.string
            let theirs = try rival.run(
                in: path + "/theirs", count: measured.count, size: measured.size)
            let ours = try store(measured, path + "/ours").turn
            turns.append(theirs)
            ratios.append((theirs.put / ours.put, theirs.get / ours.get))
            // Removed when the store in it has been closed.
            withExtendedLifetime(place) {}
        }
        table.rows.append([
            "python-diskcache", turns.map(\.put).median.text(1), turns.map(\.get).median.text(1),
            ratios.map(\.put).median.text(1) + "×", ratios.map(\.get).median.text(1) + "×",
        ])
        bench.say(
            "\nWhat diskcache \(rival.version) takes, and how many times what the store does.\n")
        bench.say(table.text)
    }

    private func row(_ measured: Case, _ directory: TemporaryDirectory) throws -> [String] {
        var floors: [Turn] = []
        var ratios: [Turn] = []
        for round in 0..<(bench.options.rounds ?? 5) {
            let place = try TemporaryDirectory(on: .at(directory.path))
            let path = place.path.string
            let isFirst = round % 2 == 0
            let before = isFirst ? try floor(measured, path + "/floor") : Turn()
            let store = try store(measured, path + "/store")
            var floor = isFirst ? before : try self.floor(measured, path + "/floor")
            floor.open = store.index
            floors.append(floor)
            ratios.append(
                Turn(
                    put: store.turn.put / floor.put, get: store.turn.get / floor.get,
                    remove: store.turn.remove / floor.remove,
                    shrink: store.turn.shrink / floor.remove, open: store.turn.open / floor.open))
            // Removed when the store in it has been closed.
            withExtendedLifetime(place) {}
        }
        func median(_ of: [Turn], _ value: KeyPath<Turn, Double>) -> Double {
            of.map { $0[keyPath: value] }.median
        }
        return [
            measured.title, median(floors, \.put).text(1), median(ratios, \.put).text(),
            median(floors, \.get).text(1), median(ratios, \.get).text(),
            median(floors, \.remove).text(1), median(ratios, \.remove).text(),
            median(ratios, \.shrink).text(),
            (median(floors, \.open) * 1e3).text(1), median(ratios, \.open).text(),
        ]
    }

    /// The order in which values are read: each once, none beside the one before.
    private func shuffled(_ count: Int) -> [Int] {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).shuffled(using: &generator)
    }

    private func store(
        _ measured: Case, _ path: String
    ) throws -> (turn: Turn, index: Double) {
        let url = URL(filePath: path)
        let data = Data(repeating: 7, count: measured.size)
        let keys = (0..<measured.count).map { "https://example.com/images/\($0).jpg" }
        // Room for all and for what is put to evict, but for half of it.
        let bytes = (measured.size + 4096) * measured.count
        let options = CacheOptions(
            limit: ByteCount(Int64(bytes + bytes / 4 + (32 << 20))), entryLimit: measured.count,
            durability: measured.durability)
        var turn = Turn()
        try use(try CacheStore(at: url, options), measured, keys, data, &turn)
        var reopened: CacheStore?
        let index = try timeOfReading(path + "/index.log") / 1e6
        turn.open = try time(1) { _ in reopened = try CacheStore(at: url, options) } / 1e6
        guard let reopened, reopened.statistics.entries == measured.count else {
            throw Errno.ioError
        }
        let half = ByteCount(reopened.statistics.allocated / 2)
        let shrinking = time(1) { _ in reopened.shrink(by: half) }
        turn.shrink = shrinking / Double(max(1, reopened.statistics.evictions))
        return (turn, index)
    }

    /// Puts, gets, and puts as much again as half of it.
    private func use(
        _ store: CacheStore, _ measured: Case, _ keys: [String], _ data: Data, _ turn: inout Turn
    ) throws {
        turn.put = try time(measured.count) { try store.put(data, for: keys[$0]) }
        let order = shuffled(measured.count)
        turn.get = try time(measured.count) { number in
            guard try store.data(for: keys[order[number]])?.count == measured.size else {
                throw Errno.noSuchFileOrDirectory
            }
        }
        let half = measured.count / 2
        let full = try time(half) { try store.put(data, for: "other-\(keys[$0])") }
        turn.remove = max(0, full - turn.put)
        guard store.statistics.entries == measured.count else { throw Errno.ioError }
        // Else a thread does it while the store is opened again.
        try store.close()
    }

    private func floor(_ measured: Case, _ path: String) throws -> Turn {
        let data = Data(repeating: 7, count: measured.size)
        guard unsafe mkdir(path, 0o700) == 0 else { throw Errno(rawValue: errno) }
        let names = (0..<measured.count).map { "\(path)/\($0).jpg" }
        let isDurable = measured.durability == .full
        let place = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(place) }
        var turn = Turn()
        turn.put = try time(measured.count) { number in
            let temporary = "\(path)/.tmp"
            let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            let written = unsafe data.withUnsafeBytes {
                unsafe write(file, $0.baseAddress, $0.count)
            }
            guard file >= 0, written == data.count else { throw Errno(rawValue: errno) }
            if isDurable { fsync(file) }
            close(file)
            guard unsafe rename(temporary, names[number]) == 0 else {
                throw Errno(rawValue: errno)
            }
            if isDurable { fsync(place) }
        }
        let order = shuffled(measured.count)
        turn.get = try time(measured.count) { try read(names[order[$0]]) }
        turn.remove = try time(measured.count) { number in
            guard unsafe unlink(names[number]) == 0 else { throw Errno(rawValue: errno) }
        }
        return turn
    }

    /// What it takes to read a file once, 1 MiB at a time, into memory that is there already: in
    /// microseconds. Into fresh memory it would be several times as much.
    private func timeOfReading(_ path: String) throws -> Double {
        var memory = [UInt8](repeating: 1, count: 1 << 20)
        return try time(1) { _ in
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw Errno(rawValue: errno) }
            defer { close(file) }
            while unsafe Glibc.read(file, &memory, memory.count) > 0 {}
        }
    }

    /// Opens, looks how long it is, reads and closes.
    private func read(_ path: String) throws {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard file >= 0, unsafe fstat(file, &status) == 0,
            let memory = unsafe malloc(Int(status.st_size))
        else { throw Errno(rawValue: errno) }
        defer { unsafe free(memory) }
        let count = unsafe Glibc.read(file, memory, Int(status.st_size))
        close(file)
        guard count == Int(status.st_size) else { throw Errno.ioError }
    }

    /// - Returns: microseconds an operation.
    private func time(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        for number in 0..<count { try body(number) }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(count)
    }
}
