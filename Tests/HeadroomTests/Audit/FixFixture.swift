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

/// A container that is audited as `headroom audit` does it, and fixes that are carried out as a person
/// would.
struct FixFixture {
    let box: AuditFixture
    let workspace: Workspace

    init() throws {
        box = try AuditFixture()
        workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: box.directory.path.appending("home"),
            ledgerDirectory: box.directory.path.appending("ledger"), minIdle: .none,
            clock: Timestamp.now)
    }

    func audit(_ place: String = "box") throws -> Audit {
        try workspace.audit([box.directory.path.appending(place)], options: box.options)
    }

    /// The fix of the first finding of a code.
    func fix(_ code: AuditFinding.Code, in place: String = "box") throws -> AuditFix {
        let findings = try audit(place).findings
        return try #require(findings.first { $0.code == code }?.fix)
    }

    /// Carries a fix out: what is a command of Headroom's by what the command does, all else by a shell.
    func carryOut(_ fix: AuditFix) throws {
        switch fix.action {
        case .excludeFromBackup(let path):
            try workspace.mark(path) { $0.isExcludedFromBackup = true }
        case .restoreMark(let path, let mark):
            try workspace.mark(path) { $0 = mark.inheriting($0) }
        case .auditSmall(let path, let isFixing, _):
            #expect(isFixing)
            var options = box.options
            options.largeEach = ByteCount(1)
            let done = workspace.repair(try workspace.audit([path], options: options))
            #expect(done.allSatisfy { $0.failure == nil })
        case .includeInBackup(let path, let words) where words.contains(.mark):
            try workspace.mark(path) { $0.isExcludedFromBackup = nil }
        case .includeInBackup, .move, .rename:
            try run(fix.command { "'\($0)'" })
        case .listExcludes:
            Issue.record("A list takes no finding away.")
        }
    }

    /// Where there is no `setfattr`, which is in a package of its own, Python stands in for it.
    private func run(_ command: String) throws {
        let remove = "import os, sys; os.removexattr(sys.argv[2], sys.argv[1])"
        let standIn =
            "command -v setfattr >/dev/null || setfattr() { python3 -c '\(remove)' \"$2\" \"$3\"; }\n"
        let result = try ChildProcess.run("sh", ["-c", standIn + command])
        #expect(result.succeeded, "\(command): \(result.errors)")
    }
}
