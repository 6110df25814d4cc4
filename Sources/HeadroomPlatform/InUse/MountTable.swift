//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// The mounts of this process's namespace (`/proc/self/mountinfo`); empty where there is none.
struct MountTable {
    struct Mount {
        let id: UInt64
        let device: UInt64
        /// The directory within the file system that is mounted.
        let root: [UInt8]
        let mountPoint: [UInt8]
    }

    let mounts: [Mount]

    static func read() -> MountTable {
        // Without /proc there are no aliases to be found.
        guard let lines = try? PseudoFile.lines(of: "/proc/self/mountinfo") else {
            return MountTable(mounts: [])
        }
        return MountTable(
            mounts: lines.compactMap { line in unsafe line.withUnsafeBytes { unsafe parse($0) } })
    }

    /// A line is `id parent major:minor root mount-point options…` (proc_pid_mountinfo(5)).
    static func parse(_ line: UnsafeRawBufferPointer) -> Mount? {
        var reader = unsafe FieldReader(line)
        guard let id = reader.number(reader.next()) else { return nil }
        _ = reader.next()
        guard let device = reader.device(reader.next(), radix: 10) else { return nil }
        let root = reader.unescaped(reader.next())
        return Mount(
            id: id, device: device, root: root, mountPoint: reader.unescaped(reader.next()))
    }

    /// Other paths by which the root of a mount can be reached: a bind mount shows a directory a
    /// second time, and its `..` leads elsewhere than the first one's.
    func aliases(ofRootOf id: UInt64) -> [FilePath] {
        guard let mount = mounts.first(where: { $0.id == id }), mount.root != [0x2F] else {
            return []
        }
        return mounts.compactMap { other in
            guard other.id != id, other.device == mount.device else { return nil }
            let base = other.root == [0x2F] ? [] : other.root
            guard mount.root.starts(with: base) else { return nil }
            let rest = mount.root.dropFirst(base.count)
            guard rest.first == 0x2F else { return nil }
            let path = (other.mountPoint == [0x2F] ? [] : other.mountPoint) + rest
            return unsafe path.withTerminatingNUL { unsafe FilePath(platformString: $0) }
        }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as a C string that lives as long as the call.
    func withTerminatingNUL<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        let terminated = map { CChar(bitPattern: $0) } + [0]
        return unsafe terminated.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            return unsafe body(base)
        }
    }
}
