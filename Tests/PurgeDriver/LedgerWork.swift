//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Marks a few files in a ledger, again and again, and says the number of each mark that is kept.
///
/// The number is in the path. Between two of them the use of files is recorded that stay the same, so that the
/// log compacts soon.
struct LedgerWork {
    private static let files = 8
    private let ledger: Ledger

    /// - Parameter death: `STEP:N`; any other word for a longer life.
    init(_ directory: FilePath, death: String) {
        let words = death.split(separator: ":")
        let fatal = words.first.flatMap { Int($0) }.flatMap(LogStep.init(rawValue:))
        let fatalCount = words.count > 1 ? Int(words[1]) ?? 1 : 1
        let seen = Counter()
        ledger = Ledger.open(
            directory: directory, readOnly: false, receiptLimit: 50_000_000,
            now: { .wallClock() },
            step: { step in
                if step == fatal, seen.increment() == fatalCount { _ = kill(getpid(), SIGKILL) }
            })
    }

    func run(from first: Int, count: Int) throws {
        let uses = (0..<128).map { number in
            (
                key: FileKey(fileSystemID: 7, inode: UInt64(1_000 + number), birth: -5),
                time: Timestamp(seconds: 1_800_000_000)
            )
        }
        for number in first..<first + count {
            let key = FileKey(
                fileSystemID: 7, inode: UInt64(number % Self.files), birth: -5)
            try ledger.setMark(
                Mark(isPinned: true), for: key, path: FilePath("/\(number)"), isDirectory: false)
            print(number)
            fflush(nil)
            try ledger.recordUses(uses.map { ($0.key, $0.time.advanced(by: .seconds(number))) })
        }
    }
}
