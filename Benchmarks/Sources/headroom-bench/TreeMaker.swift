//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes the trees that are measured. The same scale makes the same tree.
struct TreeMaker {
    let scale: Double

    /// How many files, second names included, a tree of ``many(in:)`` has.
    var files: Int { scaled(1_000_000) }
    /// How many files the directory of ``wide(in:)`` has.
    var wideFiles: Int { scaled(200_000) }
    /// How many files, second names included, a tree of ``purgeable(in:)`` has.
    var purgeableFiles: Int { scaled(200_000) }

    private func scaled(_ count: Int) -> Int { max(1, Int(Double(count) * scale)) }

    /// A million files in 20,000 directories up to about 25 deep, 10,000 of them second names; each
    /// tenth has contents.
    func many(in root: FilePath) throws {
        let count = scaled(20_000)
        try fill(
            root, directories: count, filesEach: Self.share(files, among: count),
            links: scaled(10_000), written: 10)
    }

    /// 200,000 files in one directory; each tenth has contents.
    func wide(in root: FilePath) throws {
        try fill(root, directories: 1, filesEach: [wideFiles], links: 0, written: 10)
    }

    /// 200,000 files in 400 directories, 2,000 of them second names, all with contents, all read
    /// and changed 30 days ago, and on the disk.
    func purgeable(in root: FilePath) throws {
        let count = scaled(400)
        try fill(
            root, directories: count, filesEach: Self.share(purgeableFiles, among: count),
            links: scaled(2_000), written: 1)
        try Tree(root: root).age(by: .seconds(30 * 86_400))
        sync()
    }

    private static func share(_ files: Int, among directories: Int) -> [Int] {
        (0..<directories).map { files * ($0 + 1) / directories - files * $0 / directories }
    }

    /// - Parameter written: each file of that number gets some bytes; the others stay empty.
    private func fill(
        _ root: FilePath, directories: Int, filesEach: [Int], links: Int, written: Int
    ) throws {
        let tree = Tree(root: root)
        // The first directory is the root; each later one lies in any earlier one.
        var paths: [TreePath] = [TreePath()]
        var random = SplitMix(state: 7)
        while paths.count < directories {
            let parent = paths[Int(random.next() % UInt64(paths.count))]
            let path = parent / TreePath("directory-\(paths.count)")
            try tree.directory(path)
            paths.append(path)
        }
        var number = 0
        var linked = 0
        let linkEvery = links > 0 ? max(1, filesEach.reduce(0, +) / links) : .max
        for (path, count) in zip(paths, filesEach) {
            let place = tree.path(path)
            let directory = try FileDescriptor.open(place, .readOnly, options: .directory)
            defer { try? directory.close() }  // only read: nothing is lost whatever close says
            var previous: String?
            for _ in 0..<count {
                let name = "file-\(number).data"
                number += 1
                if let target = previous, linked < links, number % linkEvery == linkEvery - 1 {
                    linked += 1
                    previous = nil
                    let result = unsafe linkat(
                        directory.rawValue, target, directory.rawValue, name, 0)
                    try check("linkat", result)
                    continue
                }
                previous = name
                if number % written == 0 {
                    try write(Int(random.next() % 12_000) + 1, to: place.appending(name))
                } else {
                    let result = unsafe mknodat(directory.rawValue, name, S_IFREG | 0o644, 0)
                    try check("mknodat", result)
                }
            }
        }
    }

    private func write(_ size: Int, to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate],
            permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter {
            _ = try unsafe Self.block.withUnsafeBytes {
                try unsafe file.writeAll(UnsafeRawBufferPointer(rebasing: $0[..<size]))
            }
        }
    }

    private static let block = [UInt8](repeating: 0xA5, count: 16_384)

    private func check(_ call: String, _ result: Int32) throws {
        if result != 0 {
            throw FixtureError(call, on: "a tree", errno: Errno(rawValue: errno))
        }
    }
}

/// A small generator with a seed, so that every run makes the same tree.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
