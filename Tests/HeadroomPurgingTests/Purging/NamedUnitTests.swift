//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("S5: units that processes only name, and areas whose lock is held", .timeLimit(.minutes(10)))
struct NamedUnitTests {
    private func started(_ arguments: [String], environment: [String: String?] = [:]) throws
        -> ChildProcess
    {
        try Holder.started(
            ChildProcess(
                "/bin/sh", ["-c", "echo ready; kill -STOP $$", "sh"] + arguments,
                environment: environment))
    }

    @Test("Keeps a whole unit while a process names something in it")
    func keepsNamedUnit() throws {
        let fixture = try PurgeFixture()
        for name in ["server", "agent", "dead"] {
            try fixture.tree.file(TreePath("\(name)/main"), text: "x")
            try fixture.tree.file(TreePath("\(name)/deep/late"), text: "x")
        }
        let server = try started(["--main=\(fixture.root)/server/main"])
        let agent = try started([], environment: ["AGENT_HOME": "\(fixture.root)/agent/deep"])
        let receipt = try fixture.purge(unit: .entry)
        #expect(receipt.reason("server") == .process)
        #expect(receipt.reason("agent") == .process)
        #expect(fixture.tree.exists("server/deep/late"))
        #expect(fixture.tree.exists("agent/main"))
        #expect(!fixture.tree.exists("dead"))
        withExtendedLifetime((server, agent)) {}
    }

    @Test("Keeps a file that a process names, and not the files beside it")
    func keepsNamedFile() throws {
        let fixture = try PurgeFixture()
        try fixture.tree.file("d/named", text: "x")
        try fixture.tree.file("d/other", text: "x")
        let child = try started(["\(fixture.root)/d/named"])
        let receipt = try fixture.purge()
        #expect(receipt.reason("d/named") == .process)
        #expect(fixture.tree.exists("d/named"))
        #expect(!fixture.tree.exists("d/other"))
        withExtendedLifetime(child) {}
    }

    @Test("Keeps an area whose lock was taken after the plan was made")
    func keepsAreaLockedLate() throws {
        let fixture = try PurgeFixture()
        try fixture.tree.file("unit/a", text: "x")
        let lock = fixture.base.path.appending("lock")
        try fixture.base.tree.file("lock")
        func purge() throws -> Receipt {
            try fixture.purge(unit: .entry) { options in
                options.areas[0].lockFiles = [lock]
            }
        }
        let holder = try Holder.python(
            "f=os.open('\(lock)',os.O_RDWR)\nfcntl.lockf(f,fcntl.LOCK_EX)")
        #expect(try purge().reason("unit") == .areaLocked)
        #expect(fixture.tree.exists("unit/a"))
        holder.send(SIGKILL)
        try holder.wait()
        #expect(try purge().reason("unit") == nil)
        #expect(!fixture.tree.exists("unit"))
    }
}
#endif
