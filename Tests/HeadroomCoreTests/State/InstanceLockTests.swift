//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct InstanceLockTests {
    @Test func theSecondIsRefusedWithTheNameOfTheFirst() throws {
        let directory = try TemporaryDirectory()
        let place = directory.path.appending("state")
        var first: InstanceLock? = try InstanceLock(
            "serve.lock", in: place, holder: "headroom one, 11")
        do throws(HeadroomError) {
            _ = try InstanceLock("serve.lock", in: place, holder: "headroom two, 22")
            Issue.record("It was let in.")
        } catch {
            #expect(error.code == .busy)
            #expect(error.message.contains("headroom one, 11"))
        }
        _ = try InstanceLock("other.lock", in: place, holder: "headroom three")
        withExtendedLifetime(first) {}
        first = nil
        _ = try InstanceLock("serve.lock", in: place, holder: "headroom 3")
        #expect(try directory.tree.contents(of: "state/serve.lock") == Array("headroom 3".utf8))
    }

    @Test func aLinkIsNotFollowed() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("precious", text: "keep")
        try directory.tree.symbolicLink("serve.lock", to: "precious")
        #expect(throws: HeadroomError.self) {
            _ = try InstanceLock("serve.lock", in: directory.path, holder: "x")
        }
        #expect(try directory.tree.contents(of: "precious") == Array("keep".utf8))
    }

    @Test(.tags(.r29h)) func aFileOfAnotherProgramIsLeftAsItIs() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("serve.lock", text: "my notes\n")
        let error = #expect(throws: HeadroomError.self) {
            _ = try InstanceLock("serve.lock", in: directory.path, holder: "headroom serve, 1")
        }
        #expect(error?.code == .refused)
        #expect(try directory.tree.contents(of: "serve.lock") == Array("my notes\n".utf8))
    }
}
