//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomTestSupport
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What saving costs beside a bare open, write and rename of the same bytes, in one process, turn by
/// turn; what replaces a file also beside one that keeps what a save keeps, its permissions and its mark.
///
/// In the same directory: in two of them, what one costs is not what it costs in the other (0010).
struct SaveBenchmark {
    let bench: Bench

    private struct Case {
        let size: Int
        let durability: Durability
        /// How many saves make a turn.
        let count: Int
        let replaces: Bool
        /// Whether the names lie in a directory, which must not be left through a link.
        let isNested: Bool

        var title: String {
            "\(size / 1024) KiB \(replaces ? "replaced" : "new")\(isNested ? " in a directory" : "")"
                + (durability == .full ? " on disk" : "")
        }

        func name(_ number: Int, of round: Int, by saver: String) -> String {
            (isNested ? "Trip/" : "")
                + (replaces ? "\(saver)-\(number % 20)" : "\(saver)-\(round)-\(number)")
        }
    }

    private var cases: [Case] {
        let counts = [4 << 10: 400, 64 << 10: 200, 1 << 20: 40]
        return [Durability.none, .full].flatMap { durability in
            counts.sorted { $0.key < $1.key }.flatMap { size, count in
                [(false, false), (true, false), (false, true), (true, true)].map {
                    isNested, replaces in
                    Case(
                        size: size, durability: durability,
                        count: durability == .full ? max(10, count / 8) : count,
                        replaces: replaces, isNested: isNested)
                }
            }
        }
    }

    func run() throws {
        for place in bench.options.places {
            try Interruption.withDirectory(in: place) { directory in try measure(directory, place) }
        }
    }

    private func measure(_ directory: TemporaryDirectory, _ place: String) throws {
        var table = Table(["", "floor µs", "save µs", "wall", "of a keeping floor", "CPU"])
        for name in ["Documents/Trip", "Library/Caches", "tmp"] {
            try directory.tree.directory(TreePath(name))
        }
        let storage = try Storage(
            container: URL(filePath: directory.path.string), owner: "Bench")
        let only = bench.options.only
        for measured in cases where only.isEmpty || only.contains(measured.title) {
            bench.progress("saving \(measured.title) in \(place)")
            table.rows.append(try row(measured, directory, storage))
        }
        bench.say("\n### save\n")
        bench.say(
            """
            \(Machine.fileSystem(of: place)); medians of \(bench.options.rounds ?? 15) turns each, a
            save and its floor in one process and thread. Load \(Machine.load) at the end.

            """)
        bench.say(table.text)
    }

    private func row(
        _ measured: Case, _ directory: TemporaryDirectory, _ storage: Storage
    ) throws -> [String] {
        let data = Data(repeating: 7, count: measured.size)
        let floor = BareSaving(
            directory: directory.path.appending("Documents").string,
            isDurable: measured.durability == .full)
        var keeping = floor
        keeping.isKeeping = true
        let savers: [Saver] = [
            Saver(name: "bare") { try floor.save(data, named: $0) },
            Saver(name: "saved") { name in
                try storage.save(
                    data, as: .essential(.userContent), named: name,
                    durability: measured.durability)
            },
            Saver(name: "kept") { try keeping.save(data, named: $0) },
        ]
        var (walls, ratios, ratiosOfKeeping, processors) = (
            (floor: [Double](), save: [Double]()), [Double](), [Double](), [Double]()
        )
        for round in 0...(bench.options.rounds ?? 15) {
            let spent = try turn(
                measured, round, measured.replaces ? savers : [savers[0], savers[1]])
            // The first turn makes directories and fills caches.
            guard round > 0 else { continue }
            walls.floor.append(spent[0].wall / Double(measured.count))
            walls.save.append(spent[1].wall / Double(measured.count))
            ratios.append(spent[1].wall / spent[0].wall)
            if measured.replaces { ratiosOfKeeping.append(spent[1].wall / spent[2].wall) }
            processors.append(spent[1].processor / spent[0].processor)
        }
        for name in ["Documents/Trip", "Documents"] {
            let path = directory.path.appending(name).string
            for file in try FileManager.default.contentsOfDirectory(atPath: path)
            where file != "Trip" {
                try FileManager.default.removeItem(atPath: "\(path)/\(file)")
            }
        }
        return [
            measured.title, walls.floor.median.text(1), walls.save.median.text(1),
            ratios.median.text(),
            measured.replaces ? ratiosOfKeeping.median.text() : "", processors.median.text(),
        ]
    }

    /// Ten saves of one, ten of the next, and another first each time: what the one leaves to the file system to do
    /// comes upon the others as often as upon itself.
    ///
    /// - Returns: microseconds of each.
    private func turn(
        _ measured: Case, _ round: Int, _ savers: [Saver]
    ) throws -> [(wall: Double, processor: Double)] {
        var spent = [(wall: Double, processor: Double)](repeating: (0, 0), count: savers.count)
        let blocks = stride(from: 0, to: measured.count, by: 10)
        for (block, first) in blocks.enumerated() {
            let numbers = first..<min(measured.count, first + 10)
            for place in savers.indices {
                let index = (place + block + round) % savers.count
                let (processor, start) = (Self.processorTime, ContinuousClock.now)
                for number in numbers {
                    try savers[index].save(
                        measured.name(number, of: round, by: savers[index].name))
                }
                spent[index].wall += (ContinuousClock.now - start) / .microseconds(1)
                spent[index].processor += Self.processorTime - processor
            }
        }
        return spent
    }

    /// Of the process, in microseconds; nothing else runs in it.
    private static var processorTime: Double {
        Double(clock()) * 1e6 / Double(CLOCKS_PER_SEC)
    }
}

/// One way of saving, with names of its own.
private struct Saver {
    let name: String
    let save: (String) throws -> Void
}

/// What saving atomically cannot do without.
private struct BareSaving {
    let directory: String
    let isDurable: Bool
    /// Whether what is replaced is asked for its permissions and its attributes, as whoever keeps them has to.
    var isKeeping = false

    func save(_ data: Data, named name: String) throws {
        let temporary = "\(directory)/\(name).tmp"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        let written = unsafe data.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard file >= 0, written == data.count else { throw Errno(rawValue: errno) }
        if isKeeping { try lookAtReplaced("\(directory)/\(name)") }
        if isDurable { fsync(file) }
        close(file)
        guard unsafe rename(temporary, "\(directory)/\(name)") == 0 else {
            throw Errno(rawValue: errno)
        }
        guard isDurable else { return }
        let parent = name.hasPrefix("Trip/") ? "\(directory)/Trip" : directory
        let place = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(place)
        close(place)
    }

    private func lookAtReplaced(_ path: String) throws {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, unsafe Self.listAttributes?(path, nil, 0) ?? 0 == 0
        else {
            if errno == ENOENT { return }
            throw Errno(rawValue: errno)
        }
    }

    private typealias ListAttributes =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int

    /// `llistxattr(2)`, which Swift's module of the C library does not have.
    private static let listAttributes: ListAttributes? = {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "llistxattr") else { return nil }
        // Its declaration, as the manual has it.
        return unsafe unsafeBitCast(symbol, to: ListAttributes.self)
    }()
}
