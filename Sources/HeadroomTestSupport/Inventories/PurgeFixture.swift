//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// An area that is scanned, planned and purged through the package's own doors, with canaries around
/// it that nothing may touch.
package struct PurgeFixture {
    package let base: TemporaryDirectory
    /// The area's root.
    package let root: FilePath
    /// What is outside, beside the area.
    package let outside: Tree
    private let canaries: [FileStatus]

    package init(on storage: TemporaryDirectory.Base = .memory) throws {
        base = try TemporaryDirectory(on: storage)
        try base.tree.directory("area")
        root = base.path.appending("area")
        outside = Tree(root: base.path.appending("outside"))
        try base.tree.file("outside/canary/precious", text: "keep me")
        try base.tree.file("outside/canary/sub/deep", size: ByteCount(100_000))
        try base.tree.symbolicLink("outside/canary/link", to: "precious")
        canaries = try Self.look(outside)
    }

    package var tree: Tree { Tree(root: root) }

    private static func look(_ tree: Tree) throws -> [FileStatus] {
        let paths: [TreePath] = [
            "canary", "canary/precious", "canary/sub", "canary/sub/deep", "canary/link",
        ]
        return try paths.map { path in
            var status = try tree.status(of: path)
            // The test itself reads.
            status.accessed = status.modified
            return status
        }
    }

    /// Whether the canaries are as they were, by their bytes and all that stat tells.
    package func canariesAreUntouched() throws -> Bool {
        guard try Self.look(outside) == canaries else { return false }
        return try outside.contents(of: "canary/precious") == Array("keep me".utf8)
    }

    // MARK: - The pipeline

    package func area(_ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file) -> Area {
        Area(root: root, purgeClass: purgeClass, unit: unit, origin: "test")
    }

    /// Scans and plans everything that may go.
    package func plan(
        _ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file, others: [Area] = [],
        targets: [Target] = [.all], crossesMounts: Bool = false
    ) throws -> Plan {
        var options = ScanOptions(now: Self.now)
        options.threads = 1
        options.crossesMounts = crossesMounts
        options.markSource = LedgerMarkSource(calls: NativeCalls.make(), recorded: [])
        let inventory = try Scanner.scan(
            [ScanRoot(path: root)], areas: [area(purgeClass, unit: unit)] + others,
            options: options)
        var request = PlanRequest(targets: targets, through: .lastResort, now: Self.now)
        // A purge deletes everything in a plan, even files that free nothing.
        request.includesUnprofitable = true
        return Planner.plan(inventory, request)
    }

    package static let now = Timestamp.wallClock().advanced(by: .seconds(3600))

    package func options(
        _ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file, others: [Area] = []
    ) -> PurgeOptions {
        var options = PurgeOptions(
            requester: "test", areas: [area(purgeClass, unit: unit)] + others
        ) { Self.now }
        options.lockBooks = [
            LockBook.Location(path: base.path.appending("book"), owner: User.effective)
        ]
        return options
    }

    /// Scans, plans and purges, with something happening between plan and purge.
    @discardableResult
    package func purge(
        _ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file,
        between: () throws -> Void = {}
    ) throws -> Receipt {
        try purge(purgeClass, unit: unit, between: between) { _ in }
    }

    /// Scans, plans and purges with other options.
    @discardableResult
    package func purge(
        _ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file,
        change: (inout PurgeOptions) -> Void
    ) throws -> Receipt {
        try purge(purgeClass, unit: unit, between: {}, change: change)
    }

    @discardableResult
    package func purge(
        _ purgeClass: PurgeClass = .temporary, unit: PurgeUnit = .file,
        between: () throws -> Void, change: (inout PurgeOptions) -> Void
    ) throws -> Receipt {
        let plan = try plan(purgeClass, unit: unit)
        try between()
        var options = options(purgeClass, unit: unit)
        change(&options)
        return try Purger.purge(plan, options: options)
    }
}

extension Receipt {
    /// Whether something stayed because somebody holds it: who holds a lock has it open as well, and
    /// either may be noticed first.
    package func isClaimed(_ path: String) -> Bool {
        reason(path) == .leased || reason(path) == .inUse
    }

    /// The reason for which something stayed, by its path below the area.
    package func reason(_ path: String) -> Reason.Code? {
        skipped.first { $0.path.string.hasSuffix("/area/\(path)") }?.reason.code
    }
}
