//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What asks the service for nonsense.
private enum Fuzzer {
    /// The sources of this test are four directories below the root.
    static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent().removingLastComponent().removingLastComponent()
    static let virtual = root.appending(".venv/bin")
    static let isInstalled =
        (try? ChildProcess.run("/bin/test", ["-x", virtual.appending("schemathesis").string]))?
        .exitCode == 0
}

/// The API of the service as a process, asked for whatever its document allows, and for what it does not.
@Suite(
    .blocks,
    .enabled(
        if: Fuzzer.isInstalled,
        "needs schemathesis in .venv, where Scripts/bootstrap test puts it"))
struct FuzzedAPITests {
    private static var seconds: Int {
        ProcessInfo.processInfo.environment["HEADROOM_SOAK"] == nil ? 60 : 3_600
    }

    /// A minute, or with `HEADROOM_SOAK` an hour.
    @Test func nothingMakesItFail() throws {
        let home = try Home(on: .disk)
        for number in 0..<50 { try home.cache("app/\(number)") }
        let port = try FreePort.find()
        try home.tree.file(
            "etc/headroom.yaml", text: "mode: ask\nlisten: 127.0.0.1:\(port)\n")
        try home.tree.setPermissions(0o644, of: "etc/headroom.yaml")
        let service = try ChildProcess(
            "/bin/sh",
            [
                "-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path,
                home.directory.path.appending("etc").string,
            ], environment: home.environment)
        try service.readOutput(until: "the token in")
        let token = String(
            decoding: try home.tree.contents(of: "state/api-token").dropLast(), as: UTF8.self)
        let result = try ChildProcess.run(
            Fuzzer.virtual.appending("schemathesis").string,
            [
                "run",
                Fuzzer.root.appending("Tools/Sources/HeadroomService/API/openapi.json").string,
                "--url", "http://127.0.0.1:\(port)/api/v1", "--header",
                "Authorization: Bearer \(token)", "--max-time", "\(Self.seconds)",
                "--request-timeout", "60", "--continue-on-failure", "--checks",
                // What answers look like is for the tests of the API; here it is that there is one.
                "not_a_server_error,status_code_conformance",
                // Tests run as root: nobody throws anything away by chance.
                "--exclude-path", "/disposals/{id}/confirm",
            ], directory: home.directory.path)
        #expect(result.exitCode == 0, "\(result.output.suffix(6_000))")
        // It is still there, and ends as it should.
        service.send(15)
        #expect(try service.wait().exitCode == 0)
    }
}
#endif
