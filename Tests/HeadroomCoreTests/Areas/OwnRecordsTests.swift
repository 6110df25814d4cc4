//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Headroom's own records stay, wherever they were put and whatever is said of them: with the keys all that is
/// protected would be gone.
struct OwnRecordsTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home/.cache/app", "home/work"] as [TreePath] { try tree.directory(name) }
        try tree.file("home/.cache/app/tile", size: .kilobytes(8))
    }

    private func path(_ name: String) -> FilePath { directory.path.appending(name) }

    private func open(records: String, _ environment: [String: String] = [:]) -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": path("none").string].merging(environment) { $1 },
            home: path("home"),
            ledgerDirectory: path(records), minIdle: .none, clock: Timestamp.now)
    }

    private func goes(_ scope: Scope) throws -> [String] {
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        // Where no records are in it, the directory in the cache is purged whole.
        return plan.filter { $0.unit != .emptyDirectory }
            .compactMap { $0.path.lastComponent?.string }
            .map { $0 == "app" ? "tile" : $0 }.sorted()
    }

    /// Where they are, and by which name they are used.
    @Test(
        .tags(.s1e, .r43h),
        arguments: [
            ("home/.cache/records", nil), ("home/.cache/app/records", nil),
            ("home/.cache/records", "link"),
        ])
    func theyStayInACache(_ place: String, _ link: String?) throws {
        try tree.directory(TreePath(place))
        try tree.setPermissions(0o700, of: TreePath(place))
        try tree.file(TreePath(place + "/protection.keys"), size: .kilobytes(8))
        if let link { try tree.symbolicLink(TreePath(link), to: place) }
        let workspace = open(records: link ?? place)
        #expect(try goes(workspace.scope()) == ["tile"])
        #expect(
            try goes(workspace.scope(paths: [path("home/.cache/app")], as: nil)) == ["tile"])
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        _ = try scope.purge(plan, requester: "test")
        #expect(tree.exists(TreePath(place + "/protection.keys")))
        #expect(!tree.exists("home/.cache/app/tile"))
    }

    @Test(.tags(.s1e, .r43h)) func theyStayInADirectoryThatIsNamedForOneRun() throws {
        try tree.directory("big")
        try tree.file("big/old", size: .kilobytes(8))
        try tree.directory("big/records")
        try tree.file("big/records/protection.keys", size: .kilobytes(8))
        let workspace = open(records: "big/records")
        for unit in [PurgeUnit.file, .entry] {
            let scope = try workspace.scope(paths: [path("big")], as: .cache, unit: unit)
            #expect(try goes(scope) == ["old"], "\(unit)")
        }
        let refused = #expect(throws: HeadroomError.self) {
            try workspace.scope(paths: [path("big/records")], as: .cache)
        }
        #expect(refused?.message.contains("Headroom's own records") == true)
    }

    /// Also where they are in what a variable says programs' state is in.
    @Test(.tags(.s1e), arguments: ["home/other", "home/state"])
    func nothingThatIsSaidOfThemCounts(stateHome: String) throws {
        let records = "home/state"
        try tree.directory(TreePath(records))
        try tree.directory("home/state/sub")
        try tree.file("home/state/protection.keys", size: .kilobytes(8))
        try tree.file("home/state/sub/file", size: .kilobytes(8))
        let workspace = open(records: records, ["XDG_STATE_HOME": path(stateHome).string])
        for name in ["home/state", "home/state/sub", "home/state/protection.keys"] {
            let error = #expect(throws: HeadroomError.self, "\(name)") {
                try workspace.mark(path(name)) { $0.purgeClass = .cache }
            }
            #expect(error?.code == .refused, "\(name)")
            // Past the check: as if the attribute had been copied there.
            try workspace.marks.update(path(name)) { $0.purgeClass = .cache }
        }
        #expect(throws: HeadroomError.self) {
            try workspace.registerDirectory(path("home/state/sub"), DirectoryRules())
        }
        #expect(try goes(workspace.scope()) == ["tile"])
        // A plan that comes by.
        #expect(try goes(workspace.scope(paths: [path("home")], as: nil)) == ["tile"])
        let declared = workspace.declaring([
            Area(root: path("home/state/sub"), purgeClass: .cache, origin: "test")
        ])
        #expect(try goes(declared.scope()) == ["tile"])
        let selection = workspace.select(userFiles: [path("home/state/protection.keys")])
        #expect(selection.files.isEmpty && selection.refused.count == 1)
    }
}
