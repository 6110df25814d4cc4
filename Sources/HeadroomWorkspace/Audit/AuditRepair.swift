//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
package import SystemPackage

/// What was done, or tried, about a finding.
public struct AuditRepair: Hashable, Sendable {
    public var finding: AuditFinding
    /// Why it could not be done; nil: it was done.
    public var failure: String?

    public init(finding: AuditFinding, failure: String? = nil) {
        self.finding = finding
        self.failure = failure
    }
}

extension Workspace {
    /// Does what is safe about the findings of an audit: leaves out of backups what can be had again,
    /// and puts protecting marks back. Moves and deletes nothing. Blocks; on disk when it returns.
    ///
    /// - Returns: what was done, in the order of the findings.
    public func repair(_ audit: Audit) -> [AuditRepair] { repair(audit, within: nil) }

    /// - Parameter limits: findings outside of these directories are not repaired, and have that as
    ///   their failure; nil: everything is repaired.
    package func repair(_ audit: Audit, within limits: [FilePath]?) -> [AuditRepair] {
        audit.findings.compactMap { finding in
            // mutation: r12e-2
            guard let fix = finding.fix, fix.isSafe else { return nil }
            do throws(HeadroomError) {
                if let limits, let path = fix.action.changedPath,
                    !limits.contains(where: { path.lies(in: $0) })
                {
                    throw HeadroomError(
                        .refused,
                        "\(path.displayText) was not changed: it does not lie in this app's storage. "
                            + "Do it by hand: \(fix.command { $0.displayText })")
                }
                guard try carryOut(fix.action) else { return nil }
                return AuditRepair(finding: finding)
            } catch {
                return AuditRepair(finding: finding, failure: error.message)
            }
        }
    }

    /// - Returns: false for what is never done without a person.
    private func carryOut(_ action: AuditFix.Action) throws(HeadroomError) -> Bool {
        switch action {
        case .excludeFromBackup(let path):
            try mark(path) { $0.isExcludedFromBackup = true }
        case .restoreMark(let path, _):
            // Judged anew: permission to delete is never put back on another file.
            let restored = restoreMarks(in: [path]).filter { $0.lost.path == path }
            if let failure = restored.lazy.compactMap(\.failure).first {
                throw HeadroomError(.io, failure)
            }
        case .auditSmall, .listExcludes, .includeInBackup, .move, .rename: return false
        }
        return true
    }
}

extension AuditFix.Action {
    /// The path that a safe fix changes; nil for other fixes.
    fileprivate var changedPath: FilePath? {
        switch self {
        case .excludeFromBackup(let path), .restoreMark(let path, _): path
        case .auditSmall, .listExcludes, .includeInBackup, .move, .rename: nil
        }
    }
}
