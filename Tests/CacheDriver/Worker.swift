//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Does this and that with a store, and checks all that it finds.
final class Worker: Sendable {
    private let store: StoreCore
    private let versions: SharedVersions
    private let settings: Settings
    private let problems = Atomic<Int>(0)
    /// Hardly any descriptors are left.
    private let isStarving = Atomic<Bool>(false)

    init(_ store: StoreCore, _ versions: SharedVersions, _ settings: Settings) {
        self.store = store
        self.versions = versions
        self.settings = settings
    }

    var hasProblems: Bool { problems.load(ordering: .relaxed) > 0 }

    func run(_ thread: UInt64) {
        let seed = UInt64(settings.number("seed", or: 1))
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ thread)
        let operations = settings.number("operations", or: 0)
        var done = 0
        while operations == 0 || done < operations {
            done += 1
            do {
                try step(&random)
            } catch let error as HeadroomError where error.code == .storeFull {
                // Others hold what there is.
            } catch {
                // Another thread may have given them back meanwhile.
                let isExpected = "\(error)".contains("Too many open files")
                if !isExpected || settings.number("starving", or: 0) == 0 { say("\(error)") }
            }
        }
    }

    private func say(_ problem: String) {
        // Who is killed has said all up to then.
        defer { fflush(nil) }
        problems.add(1, ordering: .relaxed)
        print(problem)
    }

    private func step(_ random: inout SeededGenerator) throws {
        if settings.number("starving", or: 0) != 0 { starve(&random) }
        let key = Int.random(in: 0..<versions.count, using: &random)
        let name = Array("key-\(key)".utf8)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: try put(key, name, &random)
        case 35..<40:
            try versions.change(key, removing: true) { _ in
                _ = unsafe try store.remove(name.span.bytes)
            }
        case 40..<47:
            let known = versions.returned(key)
            guard let value = unsafe try store.open(name.span.bytes) else {
                return check(nil, key, known)
            }
            check(try value.read(value.length, at: 0), key, known)
            unsafe check(try value.mapped().withBytes { unsafe Array($0) }, key, known)
        case 47..<50:
            let known = versions.returned(key)
            let pin = unsafe try store.pin(name.span.bytes)
            check(unsafe try store.get(name.span.bytes), key, known)
            withExtendedLifetime(pin) {}
        default:
            let known = versions.returned(key)
            check(unsafe try store.get(name.span.bytes), key, known)
        }
    }

    /// Takes all descriptors but a few away for some time.
    private func starve(_ random: inout SeededGenerator) {
        guard Int.random(in: 0..<20, using: &random) == 0 else { return }
        let isStarved = !isStarving.load(ordering: .relaxed)
        if isStarved { isStarving.store(true, ordering: .relaxed) }
        var limit = rlimit()
        limit.rlim_max = 1024
        limit.rlim_cur = isStarved ? rlim_t(Int.random(in: 5..<14, using: &random)) : 1024
        _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
        if !isStarved { isStarving.store(false, ordering: .relaxed) }
    }

    private func check(_ value: [UInt8]?, _ key: Int, _ known: SharedVersions.State) {
        let isLasting = settings.number("lasting", or: 0) != 0
        if let problem = versions.problem(
            with: value, key, since: known, mayBeGone: !isLasting)
        {
            say(problem)
        }
    }

    private func put(_ key: Int, _ name: [UInt8], _ random: inout SeededGenerator) throws {
        let isLarge = Int.random(in: 0..<settings.number("large", or: 8), using: &random) == 0
        let length = Int.random(in: isLarge ? 66_000..<140_000 : 24..<5000, using: &random)
        let classes: [PurgeableClass] = [.temporary, .cache, .cache, .lastResort]
        let purgeClass = classes[Int.random(in: 0..<4, using: &random)]
        let attributes = CacheAttributes(
            as: purgeClass, tags: key % 5 == 0 ? ["tag-\(key % 3)"] : [])
        let isStreamed = Int.random(in: 0..<6, using: &random) == 0
        try versions.change(key, removing: false) { version in
            let value = SharedVersions.value(key, version, length)
            guard isStreamed else {
                return unsafe try store.put(value.span.bytes, under: name.span.bytes, attributes)
            }
            let writer = unsafe try store.write(name.span.bytes, attributes)
            var offset = 0
            while offset < value.count {
                let end = min(value.count, offset + 20_000)
                let part = Array(value[offset..<end])
                unsafe try writer.append(part.span.bytes)
                offset = end
            }
            try writer.commit()
        }
    }
}
