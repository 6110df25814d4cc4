//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Headroom
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage

/// What a protected file costs beside AES-GCM alone, which encrypts and decrypts the same bytes in pieces
/// of the same size, from memory and in one thread, and beside a plain file. In one process, turn by turn.
struct ProtectionBenchmark {
    let bench: Bench

    private static let chunkSize = 1 << 16
    private static let reads = 2_000

    fileprivate struct Samples {
        var seal: [Double] = []
        var open: [Double] = []
        /// One piece again and again, which stays in the processor's cache.
        var sealInCache: [Double] = []
        var openInCache: [Double] = []
        var write: [Double] = []
        var plainWrite: [Double] = []
        var read: [Double] = []
        var plainRead: [Double] = []
        var small: [Double] = []
        var smallPlain: [Double] = []
    }

    func run() throws {
        for place in bench.options.places {
            try Interruption.withDirectory(in: place) { directory in try measure(directory, place) }
        }
    }

    private var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

    private var size: Int { max(1 << 22, Int(256 * bench.options.scale) << 20) }

    private func measure(_ directory: TemporaryDirectory, _ place: String) throws {
        for name in ["Documents", "Library/Caches", "tmp"] {
            try directory.tree.directory(TreePath(name))
        }
        let storage = try Storage(
            container: URL(filePath: directory.path.string), owner: "Bench")
        let keys = try KeyBag.create(
            directory: directory.path.appending("keys"), passphrase: try Passphrase("bench"),
            parameters: ScryptParameters(exponent: 10) ?? .standard)
        let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let rounds = bench.options.rounds ?? 9
        var samples = Samples()
        for round in 0...rounds {
            bench.progress("protection in \(place), round \(round) of \(rounds)")
            var turn = Samples()
            try self.round(content, storage, keys, &turn)
            // The first fills caches.
            if round > 0 { samples.add(turn) }
        }
        report(samples, place, rounds)
    }

    private func round(
        _ content: Data, _ storage: Storage, _ keys: KeyBag, _ turn: inout Samples
    ) throws {
        let key = SymmetricKey(size: .bits256)
        let nonce = AES.GCM.Nonce()
        let context = [UInt8](repeating: 0, count: 20)
        let piece = content.prefix(Self.chunkSize)
        var boxes: [AES.GCM.SealedBox] = []
        for start in stride(from: 0, to: size, by: Self.chunkSize) {
            boxes.append(
                try AES.GCM.seal(
                    content[start..<start + Self.chunkSize], using: key, nonce: nonce,
                    authenticating: context))
        }
        turn.seal.append(
            try rate {
                for start in stride(from: 0, to: size, by: Self.chunkSize) {
                    _ = try AES.GCM.seal(
                        content[start..<start + Self.chunkSize], using: key, nonce: nonce,
                        authenticating: context)
                }
            })
        turn.open.append(
            try rate {
                for box in boxes {
                    _ = try AES.GCM.open(box, using: key, authenticating: context)
                }
            })
        turn.sealInCache.append(
            try rate {
                for _ in boxes {
                    _ = try AES.GCM.seal(
                        piece, using: key, nonce: nonce, authenticating: context)
                }
            })
        turn.openInCache.append(
            try rate {
                for _ in boxes {
                    _ = try AES.GCM.open(boxes[0], using: key, authenticating: context)
                }
            })
        boxes = []
        var plain = URL(filePath: "/")
        turn.plainWrite.append(
            try rate {
                plain = try storage.save(as: .essential(.appData), named: "plain") { file in
                    var rest = content
                    while !rest.isEmpty {
                        try file.write(rest.prefix(Self.chunkSize))
                        rest = rest.dropFirst(Self.chunkSize)
                    }
                }
            })
        var url = URL(filePath: "/")
        turn.write.append(
            try rate {
                url = try storage.save(
                    content, as: .essential(.appData), named: "protected", protection: .complete,
                    keys: keys)
            })
        let file = try ProtectedFile(at: url, keys: keys)
        turn.read.append(try rate { try file.readPieces { _ in } })
        try readPlain(plain, &turn)
        turn.small.append(
            try microseconds { _ = try file.read(at: Self.place(size), count: 1_024) })
        for url in [plain, url] { try FileManager.default.removeItem(at: url) }
    }

    private func readPlain(_ url: URL, _ turn: inout Samples) throws {
        let file = try FileDescriptor.open(FilePath(url.path), .readOnly)
        try file.closeAfter {
            var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
            turn.plainRead.append(
                try rate {
                    for offset in stride(from: 0, to: size, by: Self.chunkSize) {
                        _ = unsafe try buffer.withUnsafeMutableBytes {
                            unsafe try file.read(fromAbsoluteOffset: Int64(offset), into: $0)
                        }
                    }
                })
            turn.smallPlain.append(
                try microseconds {
                    _ = unsafe try buffer.withUnsafeMutableBytes { buffer in
                        unsafe try file.read(
                            fromAbsoluteOffset: Self.place(size),
                            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<1_024]))
                    }
                })
        }
    }

    private static func place(_ size: Int) -> Int64 { .random(in: 0..<Int64(size - 1_024)) }

    /// - Returns: MB a second.
    private func rate(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return Double(size) / 1e6 / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// - Returns: for one of many.
    private func microseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<Self.reads { try body() }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(Self.reads)
    }

    private func report(_ samples: Samples, _ place: String, _ rounds: Int) {
        var table = Table(["", "AES-GCM alone", "plain file", "protected", "of AES-GCM", "of both"])
        func row(_ title: String, _ alone: [Double], _ plain: [Double], _ protected: [Double]) {
            // What encrypting and then writing takes, one after the other.
            let both = zip(alone, plain).map { 1 / (1 / $0 + 1 / $1) }
            table.rows.append([
                title, alone.median.text(0), plain.median.text(0), protected.median.text(0),
                zip(protected, alone).map { $0 / $1 }.median.text(),
                zip(protected, both).map { $0 / $1 }.median.text(),
            ])
        }
        row("write, MB/s", samples.seal, samples.plainWrite, samples.write)
        row("read, MB/s", samples.open, samples.plainRead, samples.read)
        bench.say("\n### protection\n")
        bench.say(
            """
            \(Machine.fileSystem(of: place)); \(size >> 20) MiB in chunks of 64 KiB, medians of \
            \(rounds) rounds, not synced. AES-GCM alone: the same bytes, from memory, in one thread; the \
            protected file by as many as the library takes, of \(processors) processors. “Of both”: of \
            AES-GCM and the plain file one after the other. Load \(Machine.load) at the end.

            """)
        bench.say(table.text)
        bench.say(
            "AES-GCM of one piece that stays in the cache: seals \(samples.sealInCache.median.text(0)), "
                + "opens \(samples.openInCache.median.text(0)) MB/s.")
        bench.say(
            "1 KiB at a random place: \(samples.small.median.text(1)) µs, of a plain file "
                + "\(samples.smallPlain.median.text(1)) µs.")
    }
}

extension ProtectionBenchmark.Samples {
    fileprivate mutating func add(_ other: Self) {
        seal += other.seal
        open += other.open
        sealInCache += other.sealInCache
        openInCache += other.openInCache
        write += other.write
        plainWrite += other.plainWrite
        read += other.read
        plainRead += other.plainRead
        small += other.small
        smallPlain += other.smallPlain
    }
}
