//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlanning
public import HeadroomPlatform
public import SystemPackage

/// How a purge goes.
public struct PurgeOptions: Sendable {
    /// Who asked, for the receipt.
    public var requester: String
    /// The areas as they are declared now. What a plan says of an area that is not among them, or
    /// not of the same class, is refused: a plan may be old, or written by somebody else.
    public var areas: [Area]
    /// The time now; called when the purge starts and ends.
    public var clock: @Sendable () -> Timestamp
    /// Told of each item as it goes or stays; called on the purging threads, one at a time.
    public var report: (@Sendable (PurgeEvent) -> Void)?
    /// Whether ``report`` is told of what goes, too: making the path of each item costs a fifth of
    /// its removal.
    public var reportsRemoved = true

    /// Told of what goes without its path, on the purging threads, several at a time.
    package var tally: (@Sendable (Candidate, ByteCount) -> Void)?

    /// What a purge does if one of its areas can't be used.
    public var unusableArea = UnusableAreaPolicy.isKept

    /// Threads for plain files; nil: one per processor, at most eight.
    public var threads: Int?

    /// Marks are read from here, once more for each item just before it goes.
    package var markSource: (any MarkSource)?
    package var calls: any FileSystemCalls
    /// Keeps the journal while the purge runs, and the receipt; nil: nobody does, and the receipt
    /// says so.
    public var ledger: Ledger?
    package var breaker = CircuitBreaker()
    /// What is essential on this machine; nil: looked up.
    package var guardedPlaces: Layout?
    /// Asks for it, with a limit of time.
    package var answers = AreaAnswers.shared
    /// Where lock files are; nil: the machine's.
    package var lockBooks: [LockBook.Location]?
    /// Called at numbered steps; tests kill the process there.
    package var step: (@Sendable (PurgeStep) -> Void)?

    public init(requester: String, areas: [Area], clock: @escaping @Sendable () -> Timestamp) {
        self.requester = requester
        self.areas = areas
        self.clock = clock
        calls = NativeCalls.make()
        markSource = LedgerMarkSource(calls: calls, recorded: [])
    }
}

/// What a purge does if one of its areas can't be used, for example because another purge or a lease holds it.
public enum UnusableAreaPolicy: Hashable, Sendable {
    /// Keeps the area, with the reason in the receipt, and purges the others.
    case isKept
    /// Fails if the area is busy, for callers that then plan without it; keeps it otherwise.
    case failsIfBusy
    /// Fails, unless the area is a well-known cache that isn't busy. For callers that then purge area by area.
    case fails
}

/// What happened to one item.
public enum PurgeEvent: Sendable {
    case removed(FilePath, ByteCount)
    case skipped(FilePath, Reason)
}

/// The points of a purge at which a crash is tested.
package enum PurgeStep: Int, Sendable, CaseIterable {
    case started
    case areaLocked
    case willUnlink
    case unlinked
    case willRemoveMain
    case mainRemoved
    case sidecarRemoved
    case willRenameUnit
    case unitRenamed
    case unitHalfEmptied
    case unitEmptied
    case unitRemoved
    case willRetryUnits
    case finished
}
