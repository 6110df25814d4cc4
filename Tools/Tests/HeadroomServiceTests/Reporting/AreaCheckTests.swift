//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// S11: what is said of areas that may not be one, and when they may.
struct AreaCheckTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("home")
        try directory.tree.directory("data/real")
        try directory.tree.symbolicLink("data/link", to: "real")
    }

    private func area(_ name: String) -> Area {
        Area(
            root: directory.path.appending("data").appending(name), purgeClass: .cache,
            origin: "declared in headroom.yaml, line 7")
    }

    @Test func tellsEachChangeOnce() async throws {
        let texts = Mutex<[String]>([])
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
        let check = AreaCheck(workspace, interval: .seconds(3_600)) { change in
            texts.withLock { $0.append(change.text) }
        }
        func next() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
        await check.use([area("real"), area("link"), area("none")])
        let first = next()
        #expect(first.count == 1)
        #expect(first.first?.contains("link is a link") == true)
        #expect(first.first?.contains("declared in headroom.yaml, line 7") == true)
        #expect(first.first?.hasSuffix("all else holds.") == true)
        await check.check()
        #expect(next().isEmpty)
        try directory.tree.remove("data/link")
        try directory.tree.directory("data/link")
        try directory.tree.remove("data/real")
        try directory.tree.directory("data/none")
        await check.check()
        let second = next()
        #expect(second.count == 3, "\(second)")
        #expect(second.contains { $0.contains("data/link is used from now on") })
        #expect(second.contains { $0.contains("data/none is used from now on") })
        #expect(second.contains { $0.contains("data/real is gone") })
        await check.use([])
        #expect(next().isEmpty)
    }
}
