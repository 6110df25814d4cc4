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

/// Two trees alike, one for `systemd-tmpfiles --clean` and one for Headroom.
struct TmpfilesClean {
    let directory: TemporaryDirectory
    private(set) var files: [String] = []

    static let program = "/usr/bin/systemd-tmpfiles"

    static var isHere: Bool {
        (try? ChildProcess.run(program, ["--version"]).succeeded) == true
    }

    init() throws {
        // A path that no rule of the machine names, and that is not tmpfs for the sake of birth times.
        directory = try TemporaryDirectory(on: .at("/var/tmp"))
        try directory.tree.directory("theirs/etc/tmpfiles.d")
        try directory.tree.directory("ours/etc/tmpfiles.d")
    }

    private func each(_ body: (String) throws -> Void) rethrows {
        for side in ["theirs", "ours"] { try body(side) }
    }

    func configure(_ text: String) throws {
        try each {
            try directory.tree.file(
                TreePath(stringLiteral: "\($0)/etc/tmpfiles.d/a.conf"), text: text)
        }
    }

    /// A file on both sides, last modified and read at the given ages.
    func add(
        _ path: String, modified: Duration, accessed: Duration, directory isDirectory: Bool = false
    ) throws {
        try each { side in
            let place = TreePath(stringLiteral: "\(side)/\(path)")
            if isDirectory {
                if !directory.tree.exists(place) { try directory.tree.directory(place) }
            } else {
                try directory.tree.file(place, size: .kilobytes(1))
            }
        }
        try setTimes(path, modified: modified, accessed: accessed)
    }

    func setTimes(_ path: String, modified: Duration, accessed: Duration) throws {
        let now = Timestamp.now()
        try each { side in
            try directory.tree.setTimes(
                of: TreePath(stringLiteral: "\(side)/\(path)"),
                accessed: now.advanced(by: .zero - accessed),
                modified: now.advanced(by: .zero - modified))
        }
    }

    /// The files that are left on a side.
    func left(_ side: String, type: String = "f") throws -> Set<String> {
        let root = directory.path.appending(side)
        let output = try ChildProcess.run(
            "find", [root.string, "-type", type, "-not", "-path", "*/etc/*", "-printf", "%P\\n"]
        ).output
        return Set(output.split(separator: "\n").map(String.init))
    }

    func cleanTheirs() throws {
        let result = try ChildProcess.run(
            Self.program, ["--clean", "--root=\(directory.path.appending("theirs").string)"])
        #expect(result.succeeded, "\(result.errors)")
    }

    func rules() -> TmpfilesRules {
        TmpfilesRules(TmpfilesContext.system(root: directory.path.appending("ours")))
    }

    @discardableResult
    func cleanOurs() throws -> Receipt {
        let workspace = Workspace.open(
            environment: [:], home: directory.path.appending("nobody"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none,
            clock: { Timestamp.now() })
        let scope = workspace.scope(rules())
        let plan = try scope.plan(try scope.scan(), targets: [.expired], through: .temporary)
        return try scope.purge(plan, requester: "test")
    }
}
