//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport

/// Makes up what happens next in a world, from a seed.
struct ModelGenerator {
    private var random: SeededGenerator
    private var step = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// How many operations come before the first plan.
    private static let growing = 24

    mutating func next(_ world: ModelWorld) -> ModelOperation {
        step += 1
        for _ in 0..<20 {
            let operation = step <= Self.growing ? grow(world) : change(world)
            if world.allows(operation) { return operation }
        }
        return .plan(request())
    }

    // MARK: - What

    private mutating func grow(_ world: ModelWorld) -> ModelOperation {
        switch number(14) {
        case 0...2: .directory(new(world, Self.directories))
        case 3...8: write(world)
        case 9: .link(old(world, isFile: true), as: new(world, Self.files))
        case 10, 11: .mark(old(world, isFile: number(2) == 0), mark())
        case 12: companion(world)
        default: .declare(old(world, isFile: false), area())
        }
    }

    private mutating func change(_ world: ModelWorld) -> ModelOperation {
        switch number(47) {
        case 0...7: write(world)
        case 8: .append(old(world, isFile: true), bytes: number(5_000), stamp())
        case 9, 10: .directory(new(world, Self.directories))
        case 11, 12: .remove(one(world))
        case 13, 14: rename(world)
        case 15, 16: .link(old(world, isFile: true), as: new(world, Self.files))
        case 17: .symbolicLink(new(world, ["s0", "s1"]))
        case 18: number(3) == 0 ? .fifo(new(world, ["p0"])) : .touch(one(world), stamp())
        case 19: .touch(one(world), stamp())
        case 20: .replace(old(world, isFile: true), bytes: size(), salt: salt(), stamp())
        case 21...24: .mark(old(world, isFile: number(2) == 0), mark())
        case 25: .strip(old(world, isFile: number(2) == 0))
        case 26: .declare(old(world, isFile: false), area())
        case 27: .withdraw(world.areas.keys.sorted().randomElement(using: &random) ?? "t")
        case 28: .lease(one(world))
        case 29, 30: .release(world.leases.keys.sorted().randomElement(using: &random) ?? "t")
        case 31...36: .plan(request())
        case 37: companion(world)
        case 38, 39: lift(world)
        default: .purge
        }
    }

    private mutating func write(_ world: ModelWorld) -> ModelOperation {
        let path = number(4) == 0 ? old(world, isFile: true) : new(world, Self.files)
        return .write(path, bytes: size(), salt: salt(), stamp())
    }

    /// A sidecar beside a database.
    private mutating func companion(_ world: ModelWorld) -> ModelOperation {
        let databases = world.names.keys.filter { $0.hasSuffix(".db") && world.isFile($0) }
        guard let database = databases.sorted().randomElement(using: &random) else {
            return .write(new(world, ["b.db"]), bytes: size(), salt: salt(), stamp())
        }
        let path = database + ["-wal", "-journal"][number(2)]
        return .write(path, bytes: size(), salt: salt(), stamp())
    }

    /// Takes the pin of a directory off something in it, or pins a directory.
    private mutating func lift(_ world: ModelWorld) -> ModelOperation {
        let pinned = world.names.keys.filter { path in
            world.isDirectory(path)
                && world.names[path].flatMap { world.nodes[$0]?.mark.isPinned } == true
        }
        let inside = world.names.keys.filter { path in pinned.contains { path.isBelow($0) } }
        guard let path = inside.sorted().randomElement(using: &random) else {
            return .mark(old(world, isFile: false), Mark(isPinned: true))
        }
        return .mark(path, Mark(isPinned: false))
    }

    private mutating func rename(_ world: ModelWorld) -> ModelOperation {
        if number(3) == 0 {
            return .rename(old(world, isFile: false), to: new(world, Self.directories))
        }
        let other = number(4) == 0 ? old(world, isFile: true) : new(world, Self.files)
        return .rename(old(world, isFile: true), to: other)
    }

    // MARK: - Where

    private static let directories = ["d0", "d1", "d2"]
    /// Plain files alone have these names, so that a database is one.
    private static let files = ["f0", "f1", "f2", "f3", "f4", "b.db", "b.db-wal", "b.db-journal"]

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func new(_ world: ModelWorld, _ names: [String]) -> String {
        let name = names[number(names.count)]
        return old(world, isFile: false) + "/" + name
    }

    private mutating func old(_ world: ModelWorld, isFile: Bool) -> String {
        let paths = world.names.keys.filter {
            isFile ? world.isFile($0) : world.isDirectory($0)
        }
        return paths.sorted().randomElement(using: &random) ?? "t"
    }

    private mutating func one(_ world: ModelWorld) -> String {
        world.names.keys.sorted().randomElement(using: &random) ?? "t"
    }

    // MARK: - How

    private mutating func size() -> Int {
        let sizes = [0, 1, 4_096, 4_096, 4_097, 8_192, 10_000]
        return number(20) == 0 ? 70_000 : sizes[number(sizes.count)]
    }

    private mutating func salt() -> UInt8 { UInt8(number(256)) }

    /// Few distinct times, just at what ages are asked for and a second beside.
    private mutating func stamp() -> ModelStamp {
        let modified = moment()
        return ModelStamp(accessed: number(2) == 0 ? modified : moment(), modified: modified)
    }

    private mutating func moment() -> Int64 {
        Int64(number(21)) * 5 * 86_400 + [-1, 0, 0, 0, 1][number(5)]
    }

    private mutating func mark() -> Mark {
        let classes: [PurgeableClass?] = [nil, nil, .temporary, .cache, .lastResort]
        let pins: [Bool?] = [nil, nil, nil, nil, true, false]
        let importances: [UInt8?] = [nil, nil, nil, 0, 20, 50, 80, 100]
        return Mark(
            purgeClass: classes[number(classes.count)], isPinned: pins[number(pins.count)],
            importance: importances[number(importances.count)])
    }

    private mutating func area() -> ModelArea {
        let classes: [PurgeClass] = [.temporary, .cache, .cache, .lastResort, .essential]
        var area = ModelArea(purgeClass: classes[number(classes.count)])
        if area.purgeClass != .essential, number(3) == 0 { area.unit = .entry }
        if number(2) == 0 { area.retention = days() }
        area.basis = basis()
        if number(2) == 0 { area.limit = [4_096, 20_000, 20_480, 40_960][number(4)] }
        if number(2) == 0 { area.trimPercent = 50 }
        if number(3) == 0 { area.order = .oldestCreated }
        if number(3) == 0 { area.importance = [0, 20, 80, 100][number(4)] }
        return area
    }

    private mutating func basis() -> AgeBasis {
        [.used, .used, .modified, .created][number(4)]
    }

    private mutating func days() -> Int64 { [20, 40, 60, 80, 100][number(5)] * 86_400 }

    private mutating func request() -> ModelRequest {
        let classes: [PurgeableClass] = [.temporary, .cache, .cache, .lastResort, .lastResort]
        let available = ModelRequest.normalFrom - Int64(number(80_000)) + 20_000
        var targets: [Target] = []
        for _ in 0..<[1, 1, 1, 2, 3][number(5)] { targets.append(target(available)) }
        return ModelRequest(
            targets: targets, through: classes[number(classes.count)], available: available)
    }

    private mutating func target(_ available: Int64) -> Target {
        switch number(13) {
        case 0, 1: .free(ByteCount(Int64(1 + number(60_000))))
        case 2: .available(ByteCount(available + Int64(number(40_000))))
        case 3: .normalLevel
        case 4: .toLimit(ByteCount([0, 4_096, 20_000][number(3)]))
        case 5: .overLimit
        case 6: .expired
        case 7, 8: .olderThan(.seconds(days()), by: basis())
        case 9: .inodes(1 + number(8))
        case 10: .expired
        default: .all
        }
    }
}
