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
            ledgerDirectory: directory.path.appending("state"), clock: Timestamp.now)
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
}
