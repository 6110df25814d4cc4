//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// Writes files at a random speed, and looks how much room there is all the while.
struct RandomWriter {
    /// Where files go, each as often as the others.
    var directories: [FilePath]
    /// The fastest, in bytes a second; files of up to two megabytes.
    var fastest: Int64 = 5_000_000
    /// If it is files that count: so many a second, and empty.
    var filesPerSecond: Int64?
    var generator: SeededGenerator
    private(set) var written: Int64 = 0
    private(set) var files = 0
    /// What was left at the worst moment, in bytes or inodes.
    private(set) var least = Int64.max
    /// How often the volume was full, when first, and why.
    private(set) var failures = 0
    private(set) var firstFailure: (time: Timestamp, error: Errno)?
    private(set) var largest: Int64 = 0

    init(_ directories: [FilePath], seed: UInt64) {
        self.directories = directories
        generator = SeededGenerator(seed: seed)
    }

    /// Writes for a time. Blocks.
    mutating func run(for time: Duration) {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: time)
        while clock.now < end {
            // A speed for up to three seconds.
            let speed = Int64.random(in: 0...(filesPerSecond ?? fastest), using: &generator)
            let phase = min(
                end,
                clock.now.advanced(
                    by: .milliseconds(Int64.random(in: 100...3_000, using: &generator))))
            // What may be written by now. One that was not let run for seconds does not make up for it at once,
            // which would be faster than the fastest.
            var due = 0.0
            var last = clock.now
            while clock.now < phase {
                let now = clock.now
                let passed = Double(last.duration(to: now) / .microseconds(1)) / 1_000_000
                last = now
                due = min(due + Double(speed) * passed, Double(speed) / 5)
                if due > 0 {
                    due -= Double(writeFile())
                } else {
                    usleep(5_000)
                }
                look()
            }
        }
    }

    private mutating func look() {
        guard let directory = directories.first,
            let figures = try? Volume.containing(directory).figures
        else { return }
        least = min(
            least,
            filesPerSecond == nil
                ? figures.available.bytes : Int64(clamping: figures.availableInodes ?? .max))
    }

    /// - Returns: what counts: bytes, or one file.
    private mutating func writeFile() -> Int64 {
        guard let directory = directories.randomElement(using: &generator) else { return 0 }
        let path = directory.appending("\(files)")
        let size = filesPerSecond == nil ? Int.random(in: 4_096...2_000_000, using: &generator) : 0
        do {
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
            defer { try? file.close() }
            if size > 0 {
                _ = try file.writeAll([UInt8](repeating: 0x5A, count: size))
            }
        } catch {
            failures += 1
            firstFailure = firstFailure ?? (.now(), (error as? Errno) ?? .ioError)
        }
        files += 1
        written += Int64(size)
        largest = max(largest, Int64(size))
        return filesPerSecond == nil ? Int64(size) : 1
    }
}
#endif
