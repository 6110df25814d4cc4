//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlanning
import HeadroomPlatform
import HeadroomPurging
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// Says what a file or directory is, and its place in the purge order: when it would go, or why it
    /// never would.
    ///
    ///     print(try storage.explain(episode).summary)
    ///     // last resort, 3rd of 12; would go after 1.4 GB; goes when the level is critical
    ///
    /// Judged within what is the app's own, so that what other programs have does not count. Deletes
    /// nothing. Blocks; scans the app's own areas.
    ///
    /// - Throws: ``StorageError`` `notFound`; `io` if the areas cannot be scanned.
    public func explain(_ url: URL) throws(StorageError) -> Explanation {
        let path = FilePath(url.path).settled
        do {
            let (resolved, _) = try core.located(path)
            let scope = core.workspace.scope()
            let request = try scope.request(targets: [.all], through: .lastResort)
            let uses = scope.inUse()
            let explainer = Explainer(try scope.scan(), request)
            var explanation = try core.workspace.recheckingMarks(
                of: explainer.explain(resolved) { uses.reason(for: $0) }
            ) { uses.reason(for: $0) }
            explanation.protection = Protection.of(resolved)
            // What cannot be asked has not said anything.
            explanation.isPurgeableBySystem = try? SystemPurgeability.of(resolved)
            return explanation
        } catch {
            throw StorageError(error)
        }
    }

    /// The same without blocking.
    public func explain(_ url: URL) async throws(StorageError) -> Explanation {
        try await BlockingPool.shared.run { () throws(StorageError) -> Explanation in
            try explain(url)
        }
    }
}
