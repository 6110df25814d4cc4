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

/// A tmpfs with areas of all classes, and `headroom serve` for it, with a clock by which new files are idle.
final class ServedVolume {
    static let isPossible = Privilege.canMount && ClockOffset.isPossible

    let home: Home
    let image: MountedImage
    let size: ByteCount

    static let areas = [
        ("temporary", "temporary"), ("cache", "cache"), ("lastResort", "lastResort"),
        ("essential", "essential"),
    ]

    init(
        size: ByteCount = .mebibytes(256), inodes: Int? = nil,
        clockOffset: Int = ClockOffset.pastIdleTimes
    ) throws {
        self.size = size
        home = try Home(on: .disk, clockOffset: clockOffset)
        image = try MountedImage.tmpfs(size: size, inodes: inodes)
        for (name, _) in Self.areas { try image.tree.directory(TreePath(name)) }
        try home.tree.directory("etc")
    }

    var directory: String { home.directory.path.appending("etc").string }

    /// Writes the configuration.
    ///
    /// - Parameter areas: whether the directories are declared.
    func configure(
        _ mode: String, grace: String = "0", areas: Bool = true, more: String = ""
    ) throws {
        var text = "mode: \(mode)\ngrace: \(grace)\n"
        if areas {
            text += "areas:\n"
            for (name, purgeClass) in Self.areas {
                text += "  - path: \(image.path.appending(name))\n    class: \(purgeClass)\n"
            }
        }
        try home.tree.file("etc/headroom.yaml", text: text + more)
        try home.tree.setPermissions(0o644, of: "etc/headroom.yaml")
    }

    /// Starts the daemon, whose log is its standard output.
    func serve() throws -> ChildProcess {
        // Other programs on a busy machine would slow the daemon down, but not the test that fills the volume at a
        // given speed. Without the permission to do this, the daemon has the usual priority.
        let script = #"""
            renice -n -10 -p $$ >/dev/null 2>&1
            exec "$0" serve --directory "$1" 2>&1
            """#
        let child = try ChildProcess(
            "/bin/sh", ["-c", script, Program.path, directory], environment: home.environment)
        try child.readOutput(until: "watching a volume")
        return child
    }

    func sweep(_ arguments: String...) throws -> ChildResult {
        try home.run(["sweep", "--directory", directory] + arguments)
    }

    var figures: VolumeFigures {
        get throws { try #require(try Volume.containing(image.path).figures) }
    }

    /// Fills it with what never goes, until no more than that is available.
    func fill(leaving bytes: ByteCount) throws {
        try image.tree.file("essential/fill", size: try figures.available - bytes)
    }

    func count(_ area: String) throws -> Int { try image.tree.names(in: TreePath(area)).count }

    /// Processor time that a process has taken so far.
    static func processorTime(of process: Int32) -> Duration {
        let text = (try? String(contentsOf: "/proc/\(process)/stat")) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
            return .zero
        }
        return .milliseconds((user + system) * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }
}

extension String {
    init(contentsOf path: String) throws {
        let file = try FileDescriptor.open(FilePath(path), .readOnly)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe try bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
        self = String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
#endif
