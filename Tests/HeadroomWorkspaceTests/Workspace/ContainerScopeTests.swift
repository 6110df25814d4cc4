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

/// A named path in an app container brings the container's areas; those that are not usable are left
/// out as those of the user's own layouts are (S11).
struct ContainerScopeTests {
    private let directory: TemporaryDirectory
    private let box: FilePath

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home", "box/Documents", "box/Library", "box/tmp", "elsewhere"] as [TreePath] {
            try directory.tree.directory(name)
        }
        try directory.tree.file("box/tmp/scratch", text: "x")
        try directory.tree.file("elsewhere/precious", text: "keep me")
        box = directory.path.appending("box")
    }

    private func open() -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
    }

    @Test func usableAreasOfAContainerAreTaken() throws {
        try directory.tree.file("box/Library/Caches/data", text: "x")
        let scope = try open().scope(paths: [box], as: nil)
        #expect(scope.areas.contains { $0.root == box.appending("Library/Caches") })
        #expect(scope.areas.contains { $0.root == box.appending("tmp") })
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        #expect(plan.contains { $0.path == box.appending("Library/Caches/data") })
    }

    @Test func anAreaThatIsALinkIsLeftOutWithANote() throws {
        try directory.tree.symbolicLink("box/Library/Caches", to: "../../elsewhere")
        let caches = box.appending("Library/Caches")
        let workspace = open()
        let scope = try workspace.scope(paths: [box], as: nil)
        let linked = [caches, directory.path.appending("elsewhere")]
        #expect(!scope.areas.contains { $0.purgeClass != .essential && linked.contains($0.root) })
        #expect(scope.areas.contains { $0.root == box.appending("tmp") })
        #expect(scope.notes.contains { $0.text.contains("is a link to") })
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        #expect(plan.map(\.path) == [box.appending("tmp/scratch")])
    }

    @Test func anAreaThatIsALinkCannotBeNamed() throws {
        try directory.tree.symbolicLink("box/Library/Caches", to: "../../elsewhere")
        for name in ["box/Library/Caches", "elsewhere"] {
            #expect(throws: HeadroomError.self, "\(name)") {
                try open().scope(paths: [FilePath("\(directory.path)/\(name)")], as: nil)
            }
        }
        #expect(directory.tree.exists("elsewhere/precious"))
    }
}
