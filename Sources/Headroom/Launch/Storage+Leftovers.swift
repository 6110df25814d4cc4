//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Storage {
    /// What frameworks and crashed saves have left in the container's `tmp`, as the plan that removes it.
    /// Deletes nothing.
    ///
    /// Looked for are direct children of `tmp` with one of a few names (`CFNetworkDownload_*.tmp`,
    /// `WKWebFileUpload*`, `WKVideoUpload*`, `NSIRD_*`, and those of directories in which documents
    /// are saved, in several languages) that are unused for a day, and the launch closures of old
    /// systems in `tmp/com.apple.dyld`. Blocks: scans `tmp`.
    ///
    /// - Returns: nil where there is no such place: in an app group's container, and in a home.
    /// - Throws: ``StorageError`` if `tmp` cannot be opened.
    public func leftovers() throws(StorageError) -> Plan? {
        try core.leftovers()?.plan
    }

    /// The same without blocking.
    public func leftovers() async throws(StorageError) -> Plan? {
        try await BlockingPool.shared.run { () throws(StorageError) -> Plan? in
            try leftovers()
        }
    }

    /// Removes what `leftovers()` finds. Blocks; part of what ``start(version:interval:)`` does.
    ///
    /// - Returns: nil if there was nothing to remove.
    /// - Throws: ``StorageError`` if `tmp` cannot be opened, or somebody else is purging it.
    @discardableResult
    public func removeLeftovers() throws(StorageError) -> Receipt? {
        try core.removeLeftovers(requester: core.owner.text)
    }

    /// The same without blocking.
    @discardableResult
    public func removeLeftovers() async throws(StorageError) -> Receipt? {
        try await BlockingPool.shared.run { () throws(StorageError) -> Receipt? in
            try removeLeftovers()
        }
    }
}

extension StorageCore {
    fileprivate func leftovers() throws(StorageError) -> (plan: Plan, scope: Scope)? {
        do {
            return try workspace.leftovers(
                in: places.layout, patterns: LeftoverPattern.standard, closures: closures)
        } catch {
            throw StorageError(error)
        }
    }

    func removeLeftovers(requester: String) throws(StorageError) -> Receipt? {
        guard let (plan, scope) = try leftovers(), !plan.isEmpty else { return nil }
        do {
            return try scope.purge(plan, requester: "\(requester), leftovers in tmp")
        } catch {
            throw StorageError(error)
        }
    }

    /// The rule for launch closures: that of this system for the app's own container; for one that was
    /// copied from somewhere the system is not known.
    private var closures: LaunchClosureRule {
        LaunchClosureRule(isOwnContainer ? .current : nil, majorVersion: Self.majorVersion)
    }

    private static var majorVersion: Int {
        ProcessInfo.processInfo.operatingSystemVersion.majorVersion
    }
}

extension LaunchClosureRule.System {
    /// The one that this program runs on; nil: none that has launch closures.
    fileprivate static var current: Self? {
        #if os(iOS)
        .iOS
        #elseif os(tvOS)
        .tvOS
        #elseif os(watchOS)
        .watchOS
        #elseif os(macOS)
        .macOS
        #elseif os(visionOS)
        .visionOS
        #else
        nil
        #endif
    }
}
