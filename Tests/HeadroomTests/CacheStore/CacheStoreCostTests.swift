//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a store costs beside its values: R20.
@Suite("R20: what a cache store costs")
struct CacheStoreCostTests {
    private let directory: TemporaryDirectory
    private var url: URL { URL(filePath: directory.path.appending("store").string) }

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private func fill(_ url: URL, _ count: Int, bytes: Int) throws {
        let store = try CacheStore(at: url, CacheOptions(limit: .megabytes(256)))
        let value = Data.pattern(bytes)
        for number in 0..<count { try store.put(value, for: "entry \(number)") }
        try store.close()
    }

    /// System calls that read, and the bytes that they read, of the calling thread.
    private static func reads() throws -> (calls: Int, bytes: Int) {
        var found: [String: Int] = [:]
        let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { found[String(words[0])] = Int(words[1]) }
        }
        return (try #require(found["syscr:"]), try #require(found["rchar:"]))
    }

    /// Opens a store in a thread of its own, of which the system counts what it reads.
    private func opening(_ url: URL, entries: Int) throws -> (calls: Int, bytes: Int) {
        try onThread {
            let before = try Self.reads()
            let store = try CacheStore(at: url, CacheOptions(limit: .megabytes(256)))
            let after = try Self.reads()
            #expect(store.statistics.entries == entries)
            return (after.calls - before.calls, after.bytes - before.bytes)
        }
    }

    @Test(.tags(.r20i)) func openingReadsTheIndexAloneWhateverIsInTheStore() throws {
        let large = URL(filePath: directory.path.appending("large").string)
        try fill(url, 2_000, bytes: 1_000)
        try fill(large, 20_000, bytes: 1_000)
        let few = try opening(url, entries: 2_000)
        let many = try opening(large, entries: 20_000)
        // Ten times the entries: as many system calls, or nearly.
        #expect(many.calls <= few.calls + 16, "\(few.calls) and \(many.calls)")
        // And of each entry its place in the index, not its 1,000 bytes.
        #expect(many.bytes - few.bytes < 18_000 * 64, "\(few.bytes) and \(many.bytes)")
    }

    @Test(.tags(.r20j)) func aMemoryWarningTakesNoValueAndGivesBackWhatIsKeptForTheNextTime() throws
    {
        let store = try CacheStore(at: url, CacheOptions(limit: .megabytes(16)))
        let value = Data.pattern(10_000)
        for number in 0..<600 { try store.put(value, for: "entry \(number)") }
        for number in 0..<600 { #expect(try store.data(for: "entry \(number)") == value) }
        let prefix = directory.path.appending("store").string
        let before = OpenDescriptors.count(below: prefix)
        let occupied = store.statistics.liveBytes
        #expect(store.shrink(by: .zero) == .zero)
        let after = OpenDescriptors.count(below: prefix)
        // Each closed segment had been kept open to be read again.
        #expect(after <= before - 10, "\(before) and \(after)")
        #expect(store.statistics.entries == 600 && store.statistics.liveBytes == occupied)
        for number in 0..<600 { #expect(try store.data(for: "entry \(number)") == value) }
    }
}

/// Calls `body` on a thread of its own.
private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let results = Mutex<[Result<R, any Error>]>([])
    try WorkerThread { results.withLock { $0.append(Result { try body() }) } }.join()
    return try #require(results.withLock { $0.first }).get()
}
#endif
