//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import HeadroomWorkspace

/// What the checks at launch found and did.
public struct LaunchReport: Hashable, Sendable {
    /// Why the whole storage was cleaned; `launch`: it was not yet time to.
    public var trigger = CleaningTrigger.launch
    /// What was purged when it was; nil: nothing had to be.
    public var cleaned: Receipt?
    /// What the modules did when it was; nil: there are none, or it was not time to.
    public var modules: ModuleRun?
    /// Files that processes which died while saving had left, and that were removed.
    public var removedOrphans = 0
    /// What they took up.
    public var freedByOrphans = ByteCount.zero
    /// What was removed of what frameworks had left in the container's `tmp`; nil: nothing was.
    public var leftovers: Receipt?
    /// Purges that were cut off; the next one finishes or restores what they had begun.
    public var interrupted: [Receipt] = []
    /// Marks that files have lost, with what was put back of them.
    public var lostMarks: [RestoredMark] = []
    /// What the check of the purgeable directories has found and removed.
    public var directories = DirectoryChecks()
    /// What people should know: a damaged ledger, a variable that was not honoured.
    public var notices: [String] = []

    /// The bytes that the launch has freed in all: orphans, leftovers, purgeable directories, the
    /// cleaning of the whole storage, and modules by their own measure.
    public var freed: ByteCount {
        // mutation: r25a-2
        let receipts = [leftovers, cleaned].compactMap(\.self) + directories.receipts
        // mutation: r25a-1
        return receipts.reduce(freedByOrphans + (modules?.freed ?? .zero)) { $0 + $1.expected }
    }
}
