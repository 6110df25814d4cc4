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
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R20: a cache store that nobody has any more")
struct CacheStoreEndingTests {
    private let options = CacheOptions(limit: .megabytes(16))

    /// Closing it waits for the disk and for others; whoever let it go may be a thread that must not.
    @Test func whoLetsItGoDoesNotWaitForItsClosing() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let path = directory.path.appending("store")
        let (mayClose, isGone, isClosed) = (Flag(), Flag(), Flag())
        let store = Mutex<CacheStore?>(
            CacheStore(
                try StoreCore(
                    at: path, options,
                    step: { step in
                        if step == .closing { mayClose.wait() }
                        if step == .closed { isClosed.set() }
                    })))
        try store.withLock { try $0?.put(Data([1]), for: "key") }
        let thread = try WorkerThread {
            store.withLock { $0 = nil }
            isGone.set()
        }
        #expect(Soon.holds { isGone.isSet })
        #expect(!isClosed.isSet)
        mayClose.set()
        thread.join()
        // Who opens it again does.
        let again = try CacheStore(at: URL(filePath: path.string), options)
        #expect(isClosed.isSet)
        #expect(try again.data(for: "key") == Data([1]))
    }

    /// What is pinned outlives the store, and its thread.
    @Test func aPinMayOutliveItsStore() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        var pin: CachePin?
        do {
            let store = try CacheStore(at: url, options)
            try store.put(Data([1]), for: "key")
            pin = try store.pin("key")
        }
        let again = try CacheStore(at: url, options)
        again.shrink(by: .gigabytes(1), through: .lastResort)
        #expect(try again.data(for: "key") == Data([1]))
        pin = nil
        again.shrink(by: .gigabytes(1), through: .lastResort)
        #expect(try again.data(for: "key") == nil)
        withExtendedLifetime(pin) {}
    }

    /// The thread that ends it makes nothing anew.
    @Test(.tags(.r20d)) func whoHasClosedItMayRemoveItsDirectory() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        for round in 0..<200 {
            var store: CacheStore? = try CacheStore(at: url, options)
            try store?.put(Data([1]), for: "small")
            try store?.put(Data(count: 100_000), for: "large")
            try store?.close()
            store = nil
            try FileManager.default.removeItem(at: url)
            #expect(!directory.tree.exists("store"), "\(round)")
            StoreEndings.wait(below: directory.path)
            #expect(!directory.tree.exists("store"), "\(round)")
        }
    }

    /// Removing it may have to be tried again, and then it is gone.
    @Test func whoHasNotClosedItCanRemoveItsDirectory() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let url = URL(filePath: directory.path.appending("store").string)
        for round in 0..<200 {
            var store: CacheStore? = try CacheStore(at: url, options)
            try store?.put(Data([1]), for: "small")
            try store?.put(Data(count: 100_000), for: "large")
            store = nil
            let isGone = Soon.holds {
                try? FileManager.default.removeItem(at: url)
                return !directory.tree.exists("store")
            }
            #expect(isGone, "\(round)")
            StoreEndings.wait(below: directory.path)
            #expect(!directory.tree.exists("store"), "\(round)")
        }
    }

    @Test func closingItReturnsWhenAllIsWritten() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let path = directory.path.appending("store")
        let isClosing = Flag()
        let store = CacheStore(
            try StoreCore(at: path, options, step: { if $0 == .closing { isClosing.set() } }))
        try store.put(Data([1]), for: "key")
        try store.close()
        #expect(isClosing.isSet)
        // And goes on.
        try store.put(Data([2]), for: "key")
        #expect(try store.data(for: "key") == Data([2]))
    }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .acquiring) }
    func set() { state.store(true, ordering: .releasing) }
    func wait() { while !isSet { Pause.milliseconds(1) } }
}
