//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CAllocationCounter
import Headroom
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One thing that is done a number of times.
struct Work {
    let directory: FilePath
    let count: Int
    let bytes: Int

    /// Says how many allocations something takes.
    private func counting<R>(_ body: () throws -> R) rethrows -> R {
        let before = hr_allocations()
        let result = try body()
        print("allocations", hr_allocations() - before)
        return result
    }

    // MARK: - Scans and purges

    private static let now = Timestamp.wallClock().advanced(by: .seconds(3600))

    private var area: Area { Area(root: directory, purgeClass: .temporary, origin: "budget") }

    private func makeInventory() throws -> Inventory {
        var options = ScanOptions(now: Self.now)
        options.threads = 1
        options.markSource = LedgerMarkSource(calls: NativeCalls.make(), recorded: [])
        return try Scanner.scan([ScanRoot(path: directory)], areas: [area], options: options)
    }

    func scan() throws {
        let inventory = try counting { try makeInventory() }
        print("items", inventory.itemCount)
    }

    func purge() throws {
        let plan = Planner.plan(
            try makeInventory(), PlanRequest(targets: [.all], now: Self.now))
        var options = PurgeOptions(requester: "budget", areas: [area]) { Self.now }
        options.threads = 1
        options.reportsRemoved = false
        options.lockBooks = [
            LockBook.Location(path: FilePath("\(directory).book"), owner: User.effective)
        ]
        let receipt = try counting { try Purger.purge(plan, options: options) }
        print("removed", receipt.removedCount)
    }

    // MARK: - Cache stores

    private func openStore(_ durability: CacheDurability = .none) throws -> StoreCore {
        var options = CacheOptions(limit: ByteCount(1 << 30), durability: durability)
        options.heedsPressure = false
        let store = try StoreCore(at: directory, options)
        // It lists its files, at some time.
        store.finishSweeping()
        return store
    }

    private var keys: [[UInt8]] { (0..<count).map { Array("key-\($0)".utf8) } }

    func put(_ durability: CacheDurability = .none) throws {
        let store = try openStore(durability)
        let value = [UInt8](repeating: 7, count: bytes)
        let keys = keys
        try counting {
            for key in keys { unsafe try store.put(value.span.bytes, under: key.span.bytes) }
        }
        store.end()
    }

    func get() throws {
        let store = try openStore()
        let keys = keys
        var found = 0
        try counting {
            for key in keys {
                let value = unsafe try store.get(key.span.bytes)
                if value?.count == bytes { found += 1 }
            }
        }
        print("found", found)
        store.end()
    }

    /// Puts with batched durability, and ends without closing.
    func putBatched(sharing isShared: Bool) throws {
        let other = isShared ? try openStore(.batched) : nil
        let store = try openStore(.batched)
        let value = [UInt8](repeating: 7, count: bytes)
        for key in keys { unsafe try store.put(value.span.bytes, under: key.span.bytes) }
        withExtendedLifetime(other) {}
    }

    /// Leaves every third of the values.
    func thin() throws {
        let store = try openStore()
        for (number, key) in keys.enumerated() where number % 3 != 0 {
            unsafe try store.remove(key.span.bytes)
        }
        store.end()
    }

    /// Makes a little room, for which what is left in a segment has to be moved.
    func shrink() throws {
        let store = try openStore()
        store.shrink(by: 1)
        print("moved", store.statistics.moved)
        store.end()
    }

    func compact() throws {
        let outcome = try CacheCompaction.compact(directory)
        print("moved", outcome.moved)
    }

    // MARK: - Saves

    func save(in folder: String = "", _ durability: Durability = .none) throws {
        let storage = try Storage(
            home: directory, environment: ["TMPDIR": "\(directory)/tmp"], owner: "Budget",
            ledgerDirectory: FilePath("\(directory).ledger"))
        let data = Data(repeating: 7, count: bytes)
        let names = (0..<count).map { "\(folder)file-\($0)" }
        try counting {
            for name in names {
                try storage.save(data, as: .cache, named: name, durability: durability)
            }
        }
    }
}
