//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Works on a cache store, for tests that need processes of their own:
//
//     CacheDriver STORE TABLE NAME=VALUE…
//
// seed, keys, limit (bytes), entries (at most), operations (0: until it is killed), threads,
// durability, lasting (1: whatever was put has to be found), large (a value in so many has a file of its
// own), relief (1: it puts nothing, and has the store give up some of what is in it again and again), starving (1: there are hardly any descriptors now and then), die=STEP:N (at the Nth time that the numbered step is reached it kills itself, as `kill -9` would).
// Says "ready" when the store is open, and every problem it finds; ends with 3 if there was one.
struct Settings {
    var numbers: [String: Int] = [:]
    var fatalStep: StoreStep?
    var fatalCount = 1
    var durability = CacheDurability.none

    init(_ arguments: some Sequence<String>) {
        for argument in arguments {
            let words = argument.split(separator: "=")
            guard words.count == 2 else { continue }
            switch words[0] {
            case "die":
                let parts = words[1].split(separator: ":").compactMap { Int($0) }
                fatalStep = parts.first.flatMap(StoreStep.init(rawValue:))
                fatalCount = parts.count > 1 ? parts[1] : 1
            case "durability": durability = CacheDurability(rawValue: String(words[1])) ?? .none
            default: numbers[String(words[0])] = Int(words[1])
            }
        }
    }

    func number(_ name: String, or other: Int) -> Int { numbers[name] ?? other }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    print("usage: CacheDriver STORE TABLE NAME=VALUE…")
    exit(64)
}
let settings = Settings(arguments.dropFirst(3))
let reached = Atomic<Int>(0)

do {
    let versions = try SharedVersions(
        FilePath(arguments[2]), count: settings.number("keys", or: 300))
    var options = CacheOptions(
        limit: ByteCount(Int64(settings.number("limit", or: 8 << 20))),
        entryLimit: settings.numbers["entries"], durability: settings.durability)
    options.heedsPressure = false
    if settings.number("relief", or: 0) == 1 {
        print("ready")
        fflush(nil)
        var random = SeededGenerator(seed: UInt64(settings.number("seed", or: 1)))
        while true {
            let demand = StoreDemand(bytes: Int64.random(in: 1..<400_000, using: &random))
            _ = try StoreRelief.run(demand, in: StateDirectory(creating: FilePath(arguments[1])))
            usleep(UInt32.random(in: 0..<30_000, using: &random))
        }
    }
    let fatal = settings.fatalStep
    let count = settings.fatalCount
    let store = try StoreCore(
        at: FilePath(arguments[1]), options,
        step: { step in
            if step == fatal, reached.add(1, ordering: .relaxed).newValue == count {
                _ = kill(getpid(), SIGKILL)
            }
        })
    print("ready")
    fflush(nil)
    let worker = Worker(store, versions, settings)
    var threads: [WorkerThread] = []
    for number in 1..<max(1, settings.number("threads", or: 1)) {
        threads.append(try WorkerThread { worker.run(UInt64(number)) })
    }
    worker.run(0)
    for thread in threads { thread.join() }
    store.end()
    exit(worker.hasProblems ? 3 : 0)
} catch {
    print(error)
    exit(2)
}
