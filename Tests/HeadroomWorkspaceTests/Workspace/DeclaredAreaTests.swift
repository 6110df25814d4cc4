//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if os(Linux)
import Glibc
#endif

/// Areas of a configuration are areas as registered ones are.
struct DeclaredAreaTests {
    private let directory: TemporaryDirectory
    private let workspace: Workspace

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home/Documents", "data/inner"] as [TreePath] {
            try directory.tree.directory(name)
        }
        try directory.tree.file("data/one", size: .kilobytes(8))
        try directory.tree.file("data/inner/two", size: .kilobytes(8))
        try directory.tree.file("home/Documents/letter", size: .kilobytes(8))
        workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
    }

    private func planned(_ workspace: Workspace, withholding: Set<FilePath> = []) throws -> [String]
    {
        let scope = workspace.scope().withholding(withholding)
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        return plan.filter { $0.unit == .file }.compactMap { $0.path.lastComponent?.string }
            .sorted()
    }

    private func area(_ name: String, _ purgeClass: PurgeClass) -> Area {
        Area(root: directory.path.appending(name), purgeClass: purgeClass, origin: "test")
    }

    @Test func areSpentAndCheckedAsRegisteredOnesAre() throws {
        #expect(try planned(workspace) == [])
        let declaring = workspace.declaring([
            area("data", .cache), area("data/inner", .essential), area("home/Documents", .cache),
        ])
        #expect(try planned(declaring) == ["one"])
        #expect(declaring.scope().notes.contains { $0.text.contains("Documents") })
        #expect(try planned(workspace.declaring([area("data", .cache)])) == ["one", "two"])
    }

    @Test func nothingGoesWhereItIsWithheld() throws {
        let declaring = workspace.declaring([area("data", .cache), area("data/inner", .temporary)])
        #expect(
            try planned(declaring, withholding: [directory.path.appending("data/inner")]) == ["one"]
        )
        #expect(try planned(declaring, withholding: [directory.path.appending("data")]) == [])
    }

    /// What somebody wanted to be treated otherwise does not go as a part of what is around it.
    @Test func whatIsRefusedProtectsWhatIsInIt() throws {
        try directory.tree.directory("real")
        try directory.tree.symbolicLink("link", to: "real")
        try directory.tree.directory("data/other")
        try directory.tree.file("data/other/three", size: .kilobytes(8))
        #if os(Linux)
        if User.isRoot {
            let path = directory.path.appending("data/other").string
            #expect(unsafe chown(path, 12_345, 12_345) == 0)
            let outer = [area("data", .cache)]
            #expect(try planned(workspace.declaring(outer)).contains("three"))
            let declaring = workspace.declaring(outer + [area("data/other", .lastResort)])
            #expect(try planned(declaring) == ["one", "two"])
            #expect(declaring.scope().notes.contains { $0.text.contains("another user") })
            // It is taken when it may be.
            #expect(unsafe chown(path, 0, 0) == 0)
            #expect(try planned(declaring) == ["one", "three", "two"])
        }
        #endif
        let refusals = workspace.refusals(of: [
            area("data", .cache), area("link", .cache), area("data/none", .cache),
            Area(root: "/", purgeClass: .cache, origin: "test"),
        ])
        #expect(refusals.count == 3)
        #expect(refusals[directory.path.appending("link")]?.message.contains("link") == true)
        #expect(refusals[directory.path.appending("data/none")]?.code == .notFound)
        #expect(refusals["/"]?.code == .refused)
        // A root that is refused makes nothing else essential or purgeable.
        let declaring = workspace.declaring([
            area("data", .cache), Area(root: "/", purgeClass: .cache, origin: "test"),
        ])
        #expect(try planned(declaring) == ["one", "three", "two"])
    }
}
