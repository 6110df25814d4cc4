//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomTestSupport
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How long single gets take while another thread puts into a full store, so that it evicts and moves
/// records together all the time; and the memory of a store with a million entries.
struct CacheLoadBenchmark {
    let bench: Bench

    func run() throws {
        guard let place = bench.options.places.first else { return }
        let only = bench.options.only
        if only.isEmpty || only.contains("latency") {
            try Interruption.withDirectory(in: place) { try measureLatency($0, place) }
        }
        guard only == ["memory"] else {
            // What others have freed would be used again, and the process not grow.
            return bench.say("\n### cache: memory\n\n- in a process of its own: --only memory")
        }
        try Interruption.withDirectory(in: place) { try measureMemory($0, place) }
    }

    // MARK: - Latency

    private struct Latency {
        var times: [Double] = []
        var missing = 0

        func share(_ part: Double) -> String {
            let sorted = times.sorted()
            guard let last = sorted.indices.last else { return "–" }
            return sorted[min(last, Int(part * Double(sorted.count)))].text(1)
        }
    }

    private func measureLatency(_ directory: TemporaryDirectory, _ place: String) throws {
        bench.progress("cache: latency in \(place)")
        let count = max(1000, Int(100_000 * bench.options.scale))
        var table = Table(["", "gets", "p50 µs", "p99", "p99.9", "longest", "evicted", "moved"])
        for size in [4 << 10, 32 << 10] {
            let count = size > 4 << 10 ? count / 8 : count
            let url = URL(filePath: directory.path.appending("store-\(size)").string)
            // Full with four fifths of what is put.
            let store = try CacheStore(
                at: url, CacheOptions(limit: ByteCount(Int64((size + 128) * count))))
            let data = Data(repeating: 7, count: size)
            for number in 0..<count * 5 / 4 { try store.put(data, for: Self.key(number)) }
            let title = "\(size / 1024) KiB"
            let idle = try gets(store, from: count / 2, count, size)
            table.rows.append(row("\(title), idle", idle, nil, store))
            let before = store.statistics
            let putter = Putter(store, data, from: count * 5 / 4)
            // Of what is there and what is put; what has gone meanwhile is not counted.
            let busy = try gets(store, from: count / 2, count, size) { putter.count }
            let failure = putter.stop()
            if let failure { throw failure }
            table.rows.append(row("\(title), while another thread puts", busy, before, store))
            try FileManager.default.removeItem(at: url)
        }
        bench.say("\n### cache: single gets\n")
        bench.say(
            """
            \(Machine.fileSystem(of: place)); hits only, each timed by itself, in a store that is full. \
            Load \(Machine.load) at the end.

            """)
        bench.say(table.text)
    }

    private func row(
        _ title: String, _ latency: Latency, _ before: CacheStatistics?, _ store: CacheStore
    ) -> [String] {
        let now = store.statistics
        return [
            title, "\(latency.times.count)", latency.share(0.5), latency.share(0.99),
            latency.share(0.999), latency.share(1),
            before.map { "\(now.evictions - $0.evictions)" } ?? "",
            before.map { "\(now.moved - $0.moved)" } ?? "",
        ]
    }

    private func gets(
        _ store: CacheStore, from first: Int, _ count: Int, _ size: Int,
        more: () -> Int = { 0 }
    ) throws -> Latency {
        var generator = SeededGenerator(seed: 11)
        var latency = Latency()
        latency.times.reserveCapacity(4 * count)
        for _ in 0..<4 * count {
            let last = first + count * 3 / 4 + more()
            let key = Self.key(Int.random(in: max(first, last - count)..<last, using: &generator))
            let start = ContinuousClock.now
            let found = try store.data(for: key)
            let time = (ContinuousClock.now - start) / .microseconds(1)
            guard let found else {
                latency.missing += 1
                continue
            }
            guard found.count == size else { throw Errno.ioError }
            latency.times.append(time)
        }
        return latency
    }

    private static func key(_ number: Int) -> String { "https://example.com/images/\(number).jpg" }

    /// A thread that puts one new value after the other.
    private final class Putter: Sendable {
        private struct State {
            var count = 0
            var isStopped = false
            var isDone = false
            var failure: (any Error)?
        }
        private let state = Mutex(State())

        init(_ store: CacheStore, _ data: Data, from first: Int) {
            let thread = Thread { [self] in
                do {
                    while !state.withLock({ $0.isStopped }) {
                        let number = state.withLock { $0.count }
                        try store.put(data, for: CacheLoadBenchmark.key(first + number))
                        state.withLock { $0.count += 1 }
                    }
                } catch {
                    state.withLock { $0.failure = error }
                }
                state.withLock { $0.isDone = true }
            }
            thread.start()
        }

        var count: Int { state.withLock { $0.count } }

        func stop() -> (any Error)? {
            state.withLock { $0.isStopped = true }
            while !state.withLock({ $0.isDone }) { usleep(1000) }
            return state.withLock { $0.failure }
        }
    }

    // MARK: - Memory

    private func measureMemory(_ directory: TemporaryDirectory, _ place: String) throws {
        bench.progress("cache: memory in \(place)")
        let count = max(1000, Int(1_000_000 * bench.options.scale))
        let url = URL(filePath: directory.path.appending("store").string)
        let limit = ByteCount(Int64(count * 1024 + (64 << 20)))
        let options = CacheOptions(limit: limit)
        let data = Data(repeating: 7, count: 100)
        guard let empty = Self.memory() else {
            return bench.say("\n### cache: memory\n\n- left out: the system does not say it")
        }
        var table = Table(["", "MB", "bytes / entry", "of them the index"])
        do {
            let store = try CacheStore(at: url, options)
            for number in 0..<count { try store.put(data, for: Self.key(number)) }
            table.rows.append(row("filled", empty, count, store))
            for number in 0..<count { _ = try store.data(for: Self.key(number)) }
            table.rows.append(row("and all of it read", empty, count, store))
            try store.close()
        }
        // What is left to do is done by a thread, with which the memory goes.
        usleep(500_000)
        var before = Self.memory() ?? empty
        do {
            let store = try CacheStore(at: url, options)
            table.rows.append(row("opened", before, count, store))
            try store.close()
        }
        usleep(500_000)
        before = Self.memory() ?? empty
        let store = try CacheStore(at: url, CacheOptions(limit: limit, entryLimit: count))
        for number in 0..<count { try store.put(data, for: Self.key(count + number)) }
        table.rows.append(row("all evicted for others, by an entry limit", before, count, store))
        bench.say("\n### cache: memory\n")
        bench.say(
            """
            \(count) entries of 100 B, keys of 31 to 37 bytes on disk; what the process has \
            grown by, without what it shares.

            """)
        bench.say(table.text)
    }

    private func row(_ title: String, _ before: Int, _ count: Int, _ store: CacheStore) -> [String]
    {
        let grown = (Self.memory() ?? before) - before
        return [
            title, (Double(grown) / 1e6).text(1), (Double(grown) / Double(count)).text(1),
            (Double(store.indexMemory) / Double(count)).text(1),
        ]
    }

    /// Bytes of memory that are the process's own; nil where the system does not say.
    private static func memory() -> Int? {
        #if os(Linux)
        var text = [UInt8](repeating: 0, count: 256)
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let count = unsafe Glibc.read(file, &text, text.count)
        guard count > 0 else { return nil }
        // In pages: all, resident, and those of them that others may share.
        let numbers = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
            .compactMap { Int($0) }
        guard numbers.count > 2 else { return nil }
        return (numbers[1] - numbers[2]) * Int(getpagesize())
        #else
        return nil
        #endif
    }
}
