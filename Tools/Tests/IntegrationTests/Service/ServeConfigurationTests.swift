//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: a bad configuration, at the start of the service and while it runs.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeConfigurationTests {
    @Test(.tags(.r29d)) func aBadConfigurationChangesNothing() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        child.send(1)
        try child.readOutput(until: "the one before is kept")
        try child.readOutput(until: "headroom.yaml:1: mode:")
        try volume.configure("act")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        child.send(2)
        #expect(try child.wait().exitCode == 0)
    }

    @Test func doesNotStartWithABadConfiguration() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        let result = try volume.home.run(["serve", "--directory", volume.directory])
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("headroom.yaml:1"))
    }
}
#endif
