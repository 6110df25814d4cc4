//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Where variables and links lead.
@Suite(
    "R42: the environment is a hint", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct EnvironmentTests {
    private let home = FieldSandbox.home

    @Test(
        "Keeps a project and a data volume that TMPDIR or XDG_CACHE_HOME point to",
        .tags(.r42a, .r42b))
    func keepsWhatVariablesPointTo() throws {
        let sandbox = try FieldSandbox(volumes: ["data"])
        sandbox.prepare(
            """
            parents \(home)/project/.git 4100
            echo 'ref: refs/heads/main' >\(home)/project/.git/HEAD
            """)
        sandbox.file("\(home)/project/thesis.tex", age: .days(400))
        sandbox.file("\(home)/manifest/package.json", size: 20, age: .days(400))
        sandbox.file("\(home)/manifest/index.js", age: .days(400))
        sandbox.file("/mnt/data/results.csv", age: .days(400))
        sandbox.file("/mnt/data/photos/1.jpg", age: .days(400))
        sandbox.file("/tmp/user/4100/old/f", age: .days(20))
        sandbox.prepare("age 34560000 \(home)/project")
        try sandbox.settle()
        let precious = ["\(home)/project", "\(home)/manifest", "/mnt/data"]
        let before = try precious.map(sandbox.listing)
        for name in ["TMPDIR", "TMP", "XDG_CACHE_HOME"] {
            for value in precious {
                let purge = try sandbox.headroom(
                    "purge", "--all", "--yes", environment: [name: value])
                #expect(try precious.map(sandbox.listing) == before, "\(name)=\(value): \(purge)")
            }
        }
        // A dedicated directory below /tmp is the purpose of the variable.
        try sandbox.headroom(
            "purge", "--all", "--yes", environment: ["TMPDIR": "/tmp/user/4100"])
        try sandbox.expectPurged("/tmp/user/4100/old/f")
        try sandbox.headroom("purge", "--all", "--yes")
        try sandbox.expectControlsPurged()
    }

    @Test(
        "The names that are kept in /tmp are kept in /var/tmp and in a TMPDIR below /tmp",
        .tags(.r44f), arguments: ["/tmp/user/4100", "/var/tmp"])
    func keepsNamesInTemporaryDirectories(directory: String) throws {
        let sandbox = try FieldSandbox()
        sandbox.file("\(directory)/old/f", age: .days(40), owner: .alice)
        sandbox.file("\(directory)/wip.patch", age: .days(40), owner: .alice)
        try sandbox.settle()
        try sandbox.headroom("purge", "--all", "--yes", environment: ["TMPDIR": directory])
        try sandbox.expectPurged("\(directory)/old/f")
        try sandbox.expectKept("\(directory)/wip.patch")
    }

    @Test("Keeps what variables name that only Headroom itself has", .tags(.r43d))
    func keepsWhatOwnVariablesName() throws {
        let sandbox = try FieldSandbox()
        let files = ["/tmp/kc/prod.yaml", "\(home)/.cache/cargo/bin/rg"]
        for path in files { sandbox.file(path, size: 9_000, age: .days(100)) }
        try sandbox.settle()
        // As in a startup file of a shell, whose own environment lacks them.
        let script = """
            export KUBECONFIG=\(files[0]) CARGO_HOME=\(home)/.cache/cargo
            exec \(FieldSandbox.binary) purge --all --yes
            """
        let result = try sandbox.run(["bash", "-c", script], as: .alice)
        #expect(try sandbox.existing(files) == files, "\(result)")
        try sandbox.expectControlsPurged()
    }

    @Test("Root keeps what another user's variables point to", .tags(.r42d))
    func rootIgnoresForeignVariables() throws {
        let sandbox = try FieldSandbox()
        sandbox.file("\(home)/Documents/x/letter.odt", age: .days(400))
        sandbox.file("/root/.cache/control/f", age: .days(400))
        try sandbox.settle()
        try sandbox.headroom(
            "purge", "--all", "--yes", as: .root,
            environment: ["XDG_CACHE_HOME": "\(home)/Documents/x"])
        try sandbox.expectKept("\(home)/Documents/x/letter.odt")
    }

    @Test(
        "Purges in a ~/.cache that is a link to the user's own directory on another volume",
        .tags(.r42g))
    func followsLinkedCache() throws {
        let sandbox = try FieldSandbox(volumes: ["data"])
        sandbox.prepare(
            """
            mv \(home)/.cache /mnt/data/cache
            ln -s /mnt/data/cache \(home)/.cache
            chown -h 4100 \(home)/.cache
            """)
        sandbox.file("/mnt/data/cache/app/f", size: 90_000, age: .days(400))
        sandbox.file("/mnt/data/cache/pip/http-v2/a/b", size: 90_000, age: .days(400))
        sandbox.file("/mnt/data/photos/1.jpg", age: .days(400))
        sandbox.file("/mnt/data/cache-of-mine/f", age: .days(400))
        try sandbox.settle()
        let purge = try sandbox.headroom("purge", "--all", "--yes")
        #expect(purge.exitCode == 0, "\(purge)")
        try sandbox.expectPurged("/mnt/data/cache/app/f", "/mnt/data/cache/pip/http-v2/a/b")
        try sandbox.expectKept(
            "\(home)/.cache", "/mnt/data/cache", "/mnt/data/photos/1.jpg",
            "/mnt/data/cache-of-mine/f")
        try sandbox.expectControlsPurged()
    }
}
#endif
