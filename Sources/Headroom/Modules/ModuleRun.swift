//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What the modules have done in one run.
public struct ModuleRun: Hashable, Sendable {
    public var trigger: CleaningTrigger
    /// What was to be freed; nil: quotas only.
    public var bytesWanted: ByteCount?
    /// In the order in which they were called; those that were not called at the end.
    public var modules: [ModuleReport] = []

    /// What all of them have freed, by their own measure.
    public var freed: ByteCount { modules.reduce(.zero) { $0 + $1.freed } }

    /// What was wanted and not freed.
    public var shortBy: ByteCount { bytesWanted.map { max(.zero, $0 - freed) } ?? .zero }
}

/// What a run of modules is at.
public enum ModuleStep: Hashable, Sendable {
    /// A module is asked what it occupies, by its name for people.
    case measuring(String)
    /// A module is asked to clean.
    case cleaning(String)
    /// No more is asked of a module.
    case ended(ModuleReport)
}

/// What one module has done.
public struct ModuleReport: Hashable, Sendable {
    public var id: String
    public var displayName: String
    public var quota: ByteCount?
    /// What it occupied before; nil: it could not say.
    public var before: ByteCount?
    /// What it occupies after it was cleaned; nil: it was not, or could not say.
    public var after: ByteCount?
    public var duration: Duration
    public var outcome: Outcome

    public enum Outcome: Hashable, Sendable {
        /// It was called and has returned.
        case cleaned
        /// It is within its quota, and nothing more was wanted.
        case notNeeded
        /// It has thrown; with the words of its error.
        case failed(String)
        /// It has not returned in time, was cancelled, and is no longer waited for.
        case timedOut
        /// It has not yet returned from an earlier call, and is not called before it has.
        case stillRunning
        /// The run was cancelled before it was its turn, or while it was.
        case cancelled
    }

    /// What it has freed, by its own measure; zero if that is not known.
    public var freed: ByteCount {
        guard let before, let after else { return .zero }
        return max(.zero, before - after)
    }

    /// What it occupies beyond its quota, as last measured; zero if that is not known.
    public var overQuota: ByteCount {
        guard let quota, let usage = after ?? before else { return .zero }
        return max(.zero, usage - quota)
    }
}

extension ModuleReport {
    /// A sentence about the problem that kept it from being measured or cleaned, or nil.
    public var problem: String? {
        switch outcome {
        case .failed(let message): "It failed: \(message)"
        case .timedOut: "It did not return within its time limit. Headroom no longer waits for it."
        case .stillRunning: "It has not yet returned from an earlier call."
        case .cleaned, .notNeeded, .cancelled: nil
        }
    }
}

extension ModuleReport: CustomStringConvertible {
    /// `Map tiles: freed 120 MB, 180 MB of 200 MB left`.
    public var description: String {
        let said =
            switch outcome {
            case .cleaned: "freed \(freed)"
            case .notNeeded: "nothing to do"
            case .failed(let message): "failed: \(message)"
            case .timedOut:
                "did not return within its time limit; Headroom no longer waits for it, and does not "
                    + "call it again before it returns"
            case .stillRunning: "has not yet returned from an earlier call"
            case .cancelled: "cancelled"
            }
        guard let usage = after ?? before else { return "\(displayName): \(said)" }
        let left = quota.map { "\(usage) of \($0) in use" } ?? "\(usage) in use"
        let over = overQuota > .zero ? ", \(overQuota) over its quota" : ""
        return "\(displayName): \(said), \(left)\(over)"
    }
}
