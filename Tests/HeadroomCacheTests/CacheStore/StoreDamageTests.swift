//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What is done to any file of a store costs what was in it at most, and never gives anything wrong.
///
/// - `store`: nothing but times of use, and the time to look into all files.
/// - `index.log`: the same.
/// - A segment: the values in the bytes that were damaged; all, where there is no such file any more.
/// - A value: that value.
@Suite("R20: damage of a cache store")
struct StoreDamageTests {
    @Test(arguments: DamagedFile.allCases)
    func costsOnlyWhatWasDamaged(file: DamagedFile) throws {
        let sample = try DamageSample()
        for number in 0..<(Privilege.isSoak ? 600 : 40) {
            var random = SeededGenerator(seed: UInt64(number) &* 977 &+ file.seed)
            let damage = Damage.random(&random)
            let problems = try sample.check(damage, file, &random)
            #expect(problems == [], "case \(number): \(damage)")
        }
    }

    /// Each bit of what stands in front of the first record, and of the whole index.
    @Test(arguments: DamagedFile.allCases)
    func anyBitOfTheFirstBytes(file: DamagedFile) throws {
        let sample = try DamageSample(keys: 6)
        for bit in stride(from: 0, to: 8 * 160, by: Privilege.isSoak ? 1 : 41) {
            var random = SeededGenerator(seed: 1)
            let problems = try sample.check(.flip([bit]), file, &random)
            #expect(problems == [], "bit \(bit)")
        }
    }
}

enum DamagedFile: String, CaseIterable {
    case store
    case log = "index.log"
    case segment
    case value

    var seed: UInt64 { UInt64(rawValue.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }) }
}

enum Damage {
    case cut(Double)
    case cutTo(Int)
    case flip([Int])
    case zero(Double, Double)
    case delete
    case swap
    case directory
    case link
    case pipe

    static func random(_ random: inout SeededGenerator) -> Damage {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<3: .cut(.random(in: 0..<1, using: &random))
        case 3: .cutTo([0, 1, 31, 32, 33, 51, 52, 63, 64].randomElement(using: &random) ?? 0)
        case 4..<9:
            .flip(
                (0..<Int.random(in: 1..<8, using: &random)).map { _ in
                    Int.random(in: 0..<(1 << 30), using: &random)
                })
        case 9..<11: .zero(.random(in: 0..<1, using: &random), .random(in: 0..<0.2, using: &random))
        case 11: .delete
        case 12: .swap
        case 13: .directory
        case 14: .link
        default: .pipe
        }
    }
}

/// A store as it was left, copied for each case.
struct DamageSample {
    private let directory: TemporaryDirectory
    private let keys: Int
    /// The last version of each key; none where it was removed after that.
    private var expected: [Int: [UInt8]] = [:]
    /// Where in which segment the records of those are, within what stands in front of a value.
    private var places: [String: [(key: Int, range: Range<Int>)]] = [:]
    private var original: FilePath { directory.path.appending("original") }
    private static let limit = 4 << 20

    init(keys: Int = 120) throws {
        directory = try TemporaryDirectory(on: .memory)
        self.keys = keys
        // The second half is of a process that was killed.
        for half in 0..<2 {
            let store = try Self.open(original)
            for round in 0..<2 {
                for key in 0..<keys where (key + round) % 3 != 1 || round == half {
                    let value = SharedVersions.value(key, UInt64(2 * half + round + 1), length(key))
                    try store.put(value, "key-\(key)")
                }
                for key in stride(from: half, to: keys, by: 11) {
                    try store.remove("key-\(key)")
                    try store.put([1], "other-\(key)")
                }
            }
            if half == 0 { store.end() }
        }
        _ = try ChildProcess.run("cp", ["-a", original.string, original.string + "-read"])
        let store = try Self.open(directory.path.appending("original-read"))
        for key in 0..<keys { expected[key] = try store.get("key-\(key)") }
        for name in try directory.tree.names(in: "original").map(\.text)
        where name.hasSuffix(".segment") {
            let bytes = try RegularFile(name, in: StateDirectory(opening: original), .reading).read(
                1 << 24, at: 0)
            places[name] = Self.places(of: expected, in: bytes)
        }
        let known = Set(places.values.flatMap { $0.map(\.key) })
        let packed = Set(expected.filter { $0.value.count < 65_536 }.keys)
        guard known.isSuperset(of: packed) else { throw Errno.invalidArgument }
    }

    /// Where the values are in the bytes of a segment, with what stands in front of each and behind.
    private static func places(
        of values: [Int: [UInt8]], in bytes: [UInt8]
    ) -> [(key: Int, range: Range<Int>)] {
        var found: [(key: Int, range: Range<Int>)] = []
        unsafe bytes.withUnsafeBytes { bytes in
            // Each value begins with its key.
            for start in 0..<max(0, bytes.count - 24) {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                guard word < 1 << 20, let value = values[Int(word)],
                    start + value.count <= bytes.count,
                    unsafe bytes[start..<start + value.count].elementsEqual(value)
                else { continue }
                found.append((Int(word), max(0, start - 128)..<start + value.count + 16))
            }
        }
        return found
    }

    private func length(_ key: Int) -> Int { key % 12 == 0 ? 70_000 + key : 30 + key * 17 }

    private static func open(_ path: FilePath) throws -> StoreCore {
        var options = CacheOptions(limit: ByteCount(Int64(limit)))
        options.heedsPressure = false
        return try StoreCore(at: path, options)
    }

    func check(
        _ damage: Damage, _ file: DamagedFile, _ random: inout SeededGenerator
    ) throws -> [String] {
        let tree = directory.tree
        if tree.exists("copy") { try tree.remove("copy") }
        let copy = directory.path.appending("copy")
        _ = try ChildProcess.run("cp", ["-a", original.string, copy.string])
        let names = try tree.names(in: "copy").map(\.text).sorted()
        let candidates = names.filter { name in
            switch file {
            case .store, .log: name == file.rawValue
            case .segment, .value: name.hasSuffix(".\(file.rawValue)")
            }
        }
        let name = try #require(candidates.randomElement(using: &random))
        let other = candidates.filter { $0 != name }.randomElement(using: &random)
        let size = Int(try tree.status(of: TreePath("copy/\(name)")).logicalSize.bytes)
        let allowed = allowed(damage, file, name, other, size)
        try apply(damage, to: "copy/\(name)", other.map { "copy/\($0)" })
        var problems: [String] = []
        let store: StoreCore
        do {
            store = try Self.open(copy)
        } catch {
            // A directory in the place of one of the two files is for a person to look at.
            if case .directory = damage, file == .store || file == .log { return [] }
            return ["\(name) cannot be opened: \(error)"]
        }
        store.finishSweeping()
        var lost = 0
        for key in 0..<keys {
            let value = try store.get("key-\(key)")
            if value == nil, expected[key] != nil { lost += 1 }
            if let value, value != expected[key] { problems.append("key \(key) is wrong or old") }
        }
        if lost > allowed {
            problems.append("\(name): \(lost) were lost, \(allowed) were in what was damaged")
        }
        problems += try use(store, copy)
        return problems
    }

    /// How many values a damage may cost.
    private func allowed(
        _ damage: Damage, _ file: DamagedFile, _ name: String, _ other: String?, _ size: Int
    ) -> Int {
        func count(_ name: String?, _ range: Range<Int> = 0..<Int.max) -> Int {
            Set((name.flatMap { places[$0] } ?? []).filter { $0.range.overlaps(range) }.map(\.key))
                .count
        }
        func offset(_ share: Double) -> Int { Int(Double(size) * share) }
        return switch (file, damage) {
        case (.store, _), (.log, _): 0
        case (.value, .swap): 2
        case (.value, _): 1
        // A flipped bit costs its record; in the header of one it costs no other.
        case (.segment, .flip(let bits)): bits.count
        case (.segment, .cut(let share)): count(name, offset(share)..<Int.max)
        case (.segment, .cutTo(let length)): count(name, length..<Int.max)
        case (.segment, .zero(let start, let share)):
            count(name, offset(start)..<offset(start) + offset(share) + 1)
        case (.segment, .swap): count(name) + count(other)
        case (.segment, _): count(name)
        }
    }

    /// Goes on working with it.
    private func use(_ store: StoreCore, _ path: FilePath) throws -> [String] {
        var problems: [String] = []
        for number in 0..<40 {
            let value = SharedVersions.value(number, 9, number % 4 == 0 ? 100_000 : 3000)
            try store.put(value, "new-\(number)")
            if try store.get("new-\(number)") != value { problems.append("new-\(number)") }
        }
        for number in 0..<keys { try store.remove("key-\(number)") }
        for number in 0..<keys where try store.get("key-\(number)") != nil {
            problems.append("key-\(number) came back")
        }
        let files = try directory.tree.names(in: "copy").map(\.text).filter {
            $0.hasSuffix(".segment") || $0.hasSuffix(".value")
        }
        var occupied = 0
        for file in files {
            let status = try directory.tree.status(of: TreePath("copy/\(file)"))
            if status.type != .directory { occupied += Int(status.allocatedSize.bytes) }
            if status.type == .regular, !store.fileNames.contains(file) {
                problems.append("\(file) is left over")
            }
        }
        if occupied > Self.limit { problems.append("\(occupied) bytes are occupied") }
        store.end()
        let again = try Self.open(path)
        again.finishSweeping()
        for number in 0..<keys where try again.get("key-\(number)") != nil {
            problems.append("key-\(number) came back after all was closed")
        }
        return problems
    }

    private func apply(_ damage: Damage, to name: String, _ other: String?) throws {
        let path = directory.path.appending(name)
        let size = try directory.tree.status(of: TreePath(name)).logicalSize.bytes
        switch damage {
        case .cut(let share): unsafe truncate(path.string, Int(Double(size) * share))
        case .cutTo(let length): unsafe truncate(path.string, min(length, Int(size)))
        case .flip(let bits):
            guard size > 0 else { return }
            for bit in bits { try flip(path, bit % (8 * Int(size))) }
        case .zero(let start, let share):
            let bytes = [UInt8](repeating: 0, count: Int(Double(size) * share) + 1)
            try write(bytes, path, Int(Double(size) * start))
        case .delete: unsafe unlink(path.string)
        case .swap:
            guard let other else { return }
            let second = directory.path.appending(other).string
            unsafe rename(path.string, path.string + ".tmp")
            unsafe rename(second, path.string)
            unsafe rename(path.string + ".tmp", second)
        case .directory:
            unsafe unlink(path.string)
            unsafe mkdir(path.string, 0o700)
        case .link:
            unsafe rename(path.string, directory.path.appending("elsewhere").string)
            unsafe symlink("../elsewhere", path.string)
        case .pipe:
            unsafe unlink(path.string)
            unsafe mkfifo(path.string, 0o600)
        }
    }

    private func flip(_ path: FilePath, _ bit: Int) throws {
        let file = unsafe Glibc.open(path.string, O_RDWR)
        defer { close(file) }
        var byte: UInt8 = 0
        unsafe pread(file, &byte, 1, off_t(bit / 8))
        byte ^= 1 << UInt8(bit % 8)
        unsafe pwrite(file, &byte, 1, off_t(bit / 8))
    }

    private func write(_ bytes: [UInt8], _ path: FilePath, _ offset: Int) throws {
        let file = unsafe Glibc.open(path.string, O_RDWR)
        defer { close(file) }
        unsafe pwrite(file, bytes, bytes.count, off_t(offset))
    }
}
#endif
