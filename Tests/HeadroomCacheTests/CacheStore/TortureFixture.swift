//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

enum CacheDriverProgram {
    static let path = BuiltProgram.path("CacheDriver")
}

/// A store that processes work on which do not live long, and what they have said of it.
struct TortureFixture {
    let directory: TemporaryDirectory
    let versions: SharedVersions
    let limit: Int
    /// So large that nothing is evicted: whatever was put has to be found.
    let isLasting: Bool
    let keys: Int
    /// How many entries the store may have.
    let entries: Int?

    var store: FilePath { directory.path.appending("store") }

    init(limit: Int, isLasting: Bool = false, keys: Int = 300, entries: Int? = nil) throws {
        directory = try TemporaryDirectory(on: .memory)
        self.limit = limit
        self.isLasting = isLasting
        self.keys = keys
        self.entries = entries
        versions = try SharedVersions(directory.path.appending("versions"), count: keys)
    }

    /// Starts a process that works on the store.
    func start(_ settings: [String]) throws -> ChildProcess {
        let path = try #require(CacheDriverProgram.path)
        let all =
            ["limit=\(limit)", "keys=\(keys)", "lasting=\(isLasting ? 1 : 0)"]
            + (entries.map { ["entries=\($0)"] } ?? []) + settings
        return try ChildProcess(
            path, [store.string, directory.path.appending("versions").string] + all)
    }

    /// Opens the store as another process would.
    func open(limit: Int? = nil) throws -> StoreCore {
        var options = CacheOptions(
            limit: ByteCount(Int64(limit ?? self.limit)), entryLimit: entries)
        options.heedsPressure = false
        return try StoreCore(at: store, options)
    }

    /// Bytes of all files but the index.
    func occupied() throws -> Int {
        try files().reduce(0) { sum, name in
            // Gone meanwhile: nothing.
            let status = try? directory.tree.status(of: TreePath("store/\(name)"))
            return sum + Int(status?.allocatedSize.bytes ?? 0)
        }
    }

    func files() throws -> [String] {
        try directory.tree.names(in: "store").map(\.text).filter {
            $0.hasSuffix(".segment") || $0.hasSuffix(".value")
        }
    }

    /// Opens the store after somebody was killed, and looks at all that has to be true then.
    ///
    /// - Returns: what is not; how many values were found.
    func inspect(closing: Bool) throws -> (problems: [String], found: Int) {
        var problems: [String] = []
        let before = try occupied()
        if before > limit { problems.append("\(before) bytes are occupied after the kill") }
        let store = try open()
        var found = 0
        for round in 0..<2 {
            for key in 0..<keys {
                let known = versions.returned(key)
                let value = try store.get("key-\(key)")
                if value != nil, round == 1 { found += 1 }
                let problem = versions.problem(
                    with: value, key, since: known, mayBeGone: !isLasting)
                if let problem { problems.append("\(round == 0 ? "" : "swept: ")\(problem)") }
            }
            store.finishSweeping()
        }
        let occupied = try occupied()
        if occupied > limit { problems.append("\(occupied) bytes are occupied") }
        if Int64(occupied) > store.statistics.allocated {
            problems.append("\(occupied) bytes are there, \(store.statistics.allocated) counted")
        }
        if let entries, store.statistics.entries > entries {
            problems.append("\(store.statistics.entries) entries, \(entries) allowed")
        }
        let unknown = try Set(files()).subtracting(store.fileNames)
        if !unknown.isEmpty { problems.append("left over: \(unknown.sorted())") }
        if closing { store.end() }
        return (problems, found)
    }
}
