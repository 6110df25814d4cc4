//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The processes that have a store open, as its log tells; one that was killed is still in it.
struct SessionTable: Hashable, Sendable {
    struct Account: Hashable, Sendable {
        /// Bytes of files that it may have written without a word in the log.
        var held: Int64 = 0
        /// The last of its own files that the log has told of.
        var lastFile: UInt64 = 0
        /// Smaller numbers of which it has told nothing yet: they are being written.
        var late: Set<UInt64> = []
        /// It has met a loss of the log, and may not have found all that the log does not tell of.
        var isInDoubt = false
    }

    private(set) var accounts: [UInt32: Account] = [:]
    /// The last that was opened.
    private(set) var last: UInt32 = 0
    /// No record written before has a number that is larger by ``slack`` or more.
    private(set) var sequence: UInt64 = 0

    /// A quarter of a second: so much may be put before the log is told of a larger number.
    static let slack: UInt64 = 1 << 28

    /// A session begins, or says how far its numbers have come.
    mutating func open(_ session: UInt32, sequence: UInt64) {
        last = max(last, session)
        self.sequence = max(self.sequence, sequence)
        if accounts[session] == nil { accounts[session] = Account() }
    }

    /// Where the numbers of a session go on that begins now: behind all others, also where the clock was
    /// set back since they were given.
    func next(at now: Timestamp) -> UInt64 {
        let time = UInt64(clamping: now.nanoseconds)
        return sequence > time ? sequence &+ Self.slack : time
    }

    /// No number that is given from now on is smaller.
    mutating func goOn(from sequence: UInt64) { self.sequence = max(self.sequence, sequence) }

    mutating func close(_ session: UInt32, sequence: UInt64) {
        self.sequence = max(self.sequence, sequence)
        accounts[session] = nil
    }

    mutating func hold(_ bytes: Int64, _ session: UInt32) { accounts[session]?.held = bytes }

    mutating func doubt(_ isInDoubt: Bool, _ session: UInt32) {
        accounts[session]?.isInDoubt = isInDoubt
    }

    func isInDoubt(_ session: UInt32) -> Bool { accounts[session]?.isInDoubt ?? false }

    /// Whether anybody who has the store open, or was killed, may not have found all there is.
    var hasDoubt: Bool { accounts.values.contains { $0.isInDoubt } }

    /// A file was told of; its number says whose it is.
    mutating func noticeFile(_ number: UInt64) {
        let session = UInt32(truncatingIfNeeded: number >> 32)
        guard let account = accounts[session] else { return }
        if !account.late.isEmpty { accounts[session]?.late.remove(number) }
        if account.lastFile < number { accounts[session]?.lastFile = number }
    }

    /// What a session is writing; of larger numbers it has told.
    mutating func await(_ files: Set<UInt64>, of session: UInt32) {
        accounts[session]?.late = files
    }

    /// Whether the log may still be told that there is a file, by who made it.
    func mayBeTold(_ number: UInt64) -> Bool {
        guard let account = accounts[UInt32(truncatingIfNeeded: number >> 32)] else { return false }
        return number > account.lastFile || account.late.contains(number)
    }

    /// What others than `session` may have written without a word.
    func heldByOthers(than session: UInt32) -> Int64 {
        accounts.reduce(0) { $1.key == session ? $0 : $0 + $1.value.held }
    }

    func held(by session: UInt32) -> Int64 { accounts[session]?.held ?? 0 }
}
