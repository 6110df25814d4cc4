//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlanning
public import HeadroomPlatform
import SystemPackage

extension Workspace {
    /// Explains once more what was found to be outside of all that may go, by the marks that hold for it.
    ///
    /// A scope of everything finds marks in essential places by the ledger's records. A home that was
    /// restored, or came from another machine, has marks in its attributes alone: nothing leads to them
    /// but a plan that names their directory, or one that comes by for another reason, and both go by
    /// them. Blocks: scans the directory of the path.
    ///
    /// - Returns: what it was given unless a mark gives the path a class; else what a plan would say
    ///   that comes there, `Explanation.isUnrecorded`.
    public func recheckingMarks(
        of explanation: Explanation, progress: ScanProgress = ScanProgress(),
        inUse: (FileIdentity) -> Reason? = { _ in nil }
    ) throws(HeadroomError) -> Explanation {
        let path = explanation.path
        // What carries no mark, such as a link, has no class by one. What is elsewhere is not opened for it.
        guard explanation.subject == .unknown, explanation.purgeClass == .essential,
            (try? PathCalls.entryStatus(path))?.isDataless == false,
            (try? effectiveMark(of: path))?.purgeClass != nil
        else { return explanation }
        let isDirectory = (try? ResolvedDirectory(path, followingLast: false)) != nil
        let scope = self.scope(showing: isDirectory ? path : path.removingLastComponent())
        let request = try scope.request(targets: [.all], through: .lastResort)
        let inventory = try scope.scan(progress: progress)
        guard inventory.isComplete else { return explanation }
        var found = Explainer(inventory, request).explain(path, inUse: inUse)
        guard found.subject != .unknown else { return explanation }
        found.isUnrecorded = true
        return found
    }
}
