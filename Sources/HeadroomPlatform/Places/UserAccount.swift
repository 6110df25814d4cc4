//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A user as the account database knows it.
public struct UserAccount: Hashable, Sendable {
    /// The login name; bytes that are not UTF-8 as U+FFFD.
    public var name: String
    /// The number that files carry as their owner.
    public var id: UInt32
    public var home: FilePath

    public init(name: String, id: UInt32, home: FilePath) {
        self.name = name
        self.id = id
        self.home = home
    }

    /// Whether it is a person's account, by its number: root, or 1000 to 60000 (macOS: from 501),
    /// what distributions give to people.
    public var isPerson: Bool {
        #if canImport(Darwin)
        id == 0 || (501...60000).contains(id)
        #else
        id == 0 || (1000...60000).contains(id)
        #endif
    }

    /// The account of the effective user; nil where the database does not know it. May block on a
    /// directory service.
    public static func current() -> UserAccount? {
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // Not on the stack: a shell's limit (`ulimit -s`) may leave less than that.
        var strings = [CChar](repeating: 0, count: 65536)
        return unsafe strings.withUnsafeMutableBufferPointer { buffer in
            // The strings of `record` lie in `buffer` and are copied before it goes.
            guard let base = buffer.baseAddress else { return nil }
            let result = unsafe getpwuid_r(geteuid(), &record, base, buffer.count, &found)
            guard result == 0, unsafe found != nil, let home = unsafe record.pw_dir,
                let name = unsafe record.pw_name
            else { return nil }
            return unsafe UserAccount(
                name: String(cString: name), id: UInt32(record.pw_uid),
                home: FilePath(platformString: home))
        }
    }

    /// The accounts of the local database (`/etc/passwd`), in its order; without those of directory
    /// services, which may be many and slow. Empty if it cannot be read.
    package static func local(file: FilePath = "/etc/passwd") -> [UserAccount] {
        // A machine without the file (a container's image from scratch) has no local accounts.
        guard let content = try? SmallFile.read(file) else { return [] }
        return parse(content)
    }

    /// The accounts in the content of a passwd file; lines that are none are left out.
    package static func parse(_ content: [UInt8]) -> [UserAccount] {
        content.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count >= 7, line.first != UInt8(ascii: "#"),
                let id = UInt32(String(decoding: fields[2], as: UTF8.self)),
                fields[5].first == UInt8(ascii: "/")
            else { return nil }
            return UserAccount(
                name: String(decoding: fields[0], as: UTF8.self), id: id,
                home: FilePath(bytes: Array(fields[5])))
        }
    }
}
