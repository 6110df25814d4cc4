//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension Ledger {
    /// Writes a receipt; on disk when it returns.
    ///
    /// A purge that deleted nothing and ended as the one before did, on the same day, is counted in the receipt
    /// of that one.
    ///
    /// A purge that has a ``PurgeSession`` calls ``PurgeSession/finish(_:)`` instead.
    ///
    /// - Throws: `noSpace`, `io` and others if it could not be written: it is kept for this process
    ///   then, and no longer. `refused` if the ledger is open for reading only.
    /// - Returns: the receipt as it was written.
    @discardableResult
    public func append(_ receipt: Receipt) throws(HeadroomError) -> Receipt {
        guard !isReadOnly else {
            throw HeadroomError(
                .refused, "The ledger in \(directory.displayText) was opened for reading only.")
        }
        return try core.withLock { (core) throws(HeadroomError) in
            do throws(Errno) {
                return try core.receipts.append(receipt, now: now())
            } catch {
                throw HeadroomError("write the receipts in", directory, error)
            }
        }
    }

    /// Writes a receipt, also where the ledger could not be made when it was opened: what was full
    /// then has room now that the purge is over.
    func appendAfterPurge(_ receipt: Receipt) throws(HeadroomError) -> Receipt {
        if isReadOnly || core.withLock({ $0.receipts.isPersistent }) { return try append(receipt) }
        let anew = Ledger.open(directory: directory, now: now)
        guard anew.core.withLock({ $0.receipts.isPersistent }) else {
            // For as long as this process lives.
            try append(receipt)
            throw HeadroomError(
                .io, "There is no ledger in \(directory.displayText) to write the receipt to.")
        }
        return try anew.append(receipt)
    }

    /// The newest receipts of at most a year, in the order in which they were written.
    ///
    /// - Throws: `io` and others if they cannot be read.
    public func receipts(last count: Int) throws(HeadroomError) -> [Receipt] {
        try core.withLock { (core) throws(HeadroomError) in
            do throws(Errno) {
                return try core.receipts.last(max(0, count), now: now())
            } catch {
                throw HeadroomError("read the receipts in", directory, error)
            }
        }
    }

    /// The newest receipts, behind them those of purges that were cut off, each of them once.
    ///
    /// - Parameter interrupted: what ``findInterrupted()`` has found; any of it may have come into the ledger since.
    /// - Throws: `io` and others if they cannot be read.
    public func receipts(
        last count: Int, with interrupted: [Receipt]
    ) throws(HeadroomError) -> [Receipt] {
        let written = try receipts(last: max(count, interrupted.count))
        let known = Set(written.map(\.id))
        return (written + interrupted.filter { !known.contains($0.id) }).suffix(max(0, count))
    }

    /// The receipt whose id begins with some text; the day in front of it may be left out.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `invalid` if there are several, `io` and others if they cannot be read.
    public func receipt(_ prefix: String) throws(HeadroomError) -> Receipt? {
        let matches = try core.withLock { (core) throws(HeadroomError) in
            do throws(Errno) {
                return try core.receipts.matching(prefix, now: now())
            } catch {
                throw HeadroomError("read the receipts in", directory, error)
            }
        }
        if let exact = matches.first(where: { $0.id == prefix }) { return exact }
        guard matches.count <= 1 else {
            let ids = matches.prefix(5).map { $0.id }.joined(separator: ", ")
            throw HeadroomError(
                .invalid, "\(matches.count) receipts begin with \(prefix): \(ids). Name one.")
        }
        return matches.first
    }
}
