//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// A cache store without an index, whose segment and value file have been changed: whatever is found is what was
/// put.
struct CacheSegmentsTarget: FuzzTarget {
    static let name = "cache-segments"
    private static let lengths = [0, 1, 40, 200, 512, 1_000, 3_000, 40_000]

    private let scratch: Scratch
    /// By their names; the longest value has a file of its own.
    private let files: [String: [UInt8]]

    init() throws {
        scratch = try Scratch(Self.name)
        let store = try Self.open(scratch.path)
        for (number, length) in Self.lengths.enumerated() {
            let (key, value) = (Self.key(number), Self.value(number, length))
            let tags = number % 2 == 0 ? ["even"] : []
            try unsafe store.put(
                value.span.bytes, under: key.span.bytes, CacheAttributes(tags: tags))
        }
        store.end()
        let directory = try StateDirectory(opening: scratch.path)
        var files: [String: [UInt8]] = [:]
        for name in try directory.names() where name != "index.log" {
            let file = try RegularFile(name, in: directory, .reading)
            files[name] = try file.read(Int(clamping: file.size()), at: 0)
        }
        self.files = files
    }

    func run(_ bytes: [UInt8]) {
        var input = InputReader(bytes)
        let isWhole = input.isAtEnd
        var changed = files
        let names = files.keys.filter { $0.hasSuffix(".segment") || $0.hasSuffix(".value") }
            .sorted()
        while !input.isAtEnd, !names.isEmpty {
            let operation = input.byte()
            let name = names[Int(operation >> 4) % names.count]
            Self.change(&changed[name, default: []], operation & 15, &input)
        }
        do {
            try read(changed, isWhole: isWhole)
        } catch {
            require(false, "a damaged segment is an error: \(error)")
        }
    }

    private func read(_ changed: [String: [UInt8]], isWhole: Bool) throws {
        let directory = try StateDirectory(opening: scratch.path)
        for name in try directory.names() { try? directory.remove(name) }
        for (name, content) in changed { try scratch.write(content, to: name) }
        let store = try Self.open(scratch.path)
        // Before all has been looked into, and after.
        for _ in 0..<2 {
            for (number, length) in Self.lengths.enumerated() {
                let key = Self.key(number)
                guard let found = try unsafe store.get(key.span.bytes) else { continue }
                require(found == Self.value(number, length), "other bytes under key \(number)")
            }
            store.finishSweeping()
        }
        require(
            !isWhole || store.statistics.entries == Self.lengths.count,
            "\(store.statistics.entries) entries of a store whose index was lost")
        store.end()
    }

    private static func open(_ path: FilePath) throws -> StoreCore {
        var options = CacheOptions(limit: .mebibytes(4), durability: .none)
        options.heedsPressure = false
        return try StoreCore(at: path, options)
    }

    private static func key(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }

    private static func value(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ number) }
    }

    private static func change(
        _ file: inout [UInt8], _ operation: UInt8, _ input: inout InputReader
    ) {
        let place = input.number(2) % max(1, file.count)
        switch operation % 5 {
        case 0:
            if place < file.count { file[place] ^= input.byte() }
        case 1: file = Array(file.prefix(place))
        case 2: file += input.bytes(Int(input.byte()))
        case 3:
            // A part over another: records are at multiples of eight.
            let from = (input.number(2) % max(1, file.count)) & ~7
            let start = place & ~7
            let part = file[from...].prefix(Int(input.byte()) * 8)
            let end = min(file.count, start + part.count)
            file.replaceSubrange(start..<end, with: part.prefix(end - start))
        default: file.insert(contentsOf: input.bytes(Int(input.byte())), at: place & ~7)
        }
    }
}
