//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A home with documents, a cache and a trash of its own.
package struct TrashFixture {
    package let directory: TemporaryDirectory
    package let volumes: String
    private let opened = Opened()

    /// Opening one takes longer than what is tested.
    private final class Opened: Sendable {
        let workspaces = Mutex<[Duration: Workspace]>([:])
    }

    package init(on base: TemporaryDirectory.Base = .disk, volumes: [FilePath] = []) throws {
        directory = try TemporaryDirectory(on: base)
        self.volumes = volumes.map(\.string).joined(separator: ":")
        for path in ["home/Documents", "home/.cache/app", "home/tmp"] as [TreePath] {
            try tree.directory(path)
        }
    }

    package var tree: Tree { directory.tree }
    package var home: FilePath { directory.path.appending("home") }
    package var trash: TreePath { "home/.local/share/Trash" }

    package var environment: [String: String] {
        ["TMPDIR": home.appending("tmp").string, "HEADROOM_TRASH_VOLUMES": volumes]
    }

    /// What another run would find some time later.
    package func workspace(after time: Duration = .zero) -> Workspace {
        opened.workspaces.withLock { workspaces in
            if let workspace = workspaces[time] { return workspace }
            let workspace = Workspace.open(
                environment: environment, home: home,
                ledgerDirectory: directory.path.appending("state"),
                minIdle: .none, clock: { Timestamp.now().advanced(by: time) }
            ).sampling {
                // After another start of the system, so that no clock was moved.
                ClockSample(
                    wall: Timestamp.now().advanced(by: time), sinceBoot: .zero,
                    boot: UInt64(bitPattern: time.components.seconds) &+ 1)
            }
            workspaces[time] = workspace
            return workspace
        }
    }

    package func path(_ name: String) -> FilePath { home.appending(name) }

    package func exists(_ name: String) -> Bool {
        tree.exists(TreePath(stringLiteral: "home/" + name))
    }

    /// Throws away what is named by its path in the home.
    @discardableResult
    package func put(_ names: String..., after time: Duration = .zero) -> Receipt {
        let workspace = workspace(after: time)
        return workspace.dispose(
            of: workspace.select(userFiles: names.map(path)), requester: "test")
    }

    /// Everything that a person could miss, of all that is below a directory of the home: type, mode,
    /// size, times to the nanosecond, link target, attributes and content.
    package func state(of name: String) throws -> String {
        let path = path(name).string
        let script = """
            import os, sys
            for base, dirs, files in sorted(os.walk(sys.argv[1])):
                for entry in [base] + [os.path.join(base, f) for f in sorted(files + dirs)]:
                    s = os.lstat(entry)
                    names = sorted(os.listxattr(entry, follow_symlinks=False))
                    print(entry, oct(s.st_mode), s.st_size, s.st_mtime_ns, s.st_ino, s.st_uid,
                          [(n, os.getxattr(entry, n, follow_symlinks=False)) for n in names])
                    if os.path.islink(entry): print(os.readlink(entry))
                    elif os.path.isfile(entry): print(open(entry, 'rb').read())
            """
        let result = try ChildProcess.run("python3", ["-c", script, path])
        guard result.exitCode == 0 else {
            throw FixtureError("python3", on: path, details: result.errors)
        }
        return result.output
    }

    package func plan(_ targets: [Target], through: PurgeableClass, after time: Duration) throws
        -> Plan
    {
        let scope = workspace(after: time).scope()
        return try scope.plan(try scope.scan(), targets: targets, through: through)
    }
}

extension Plan {
    /// The last components of what goes, in order.
    package var names: [String] {
        filter { $0.unit != .emptyDirectory }.map { $0.path.lastComponent?.string ?? "" }
    }
}
