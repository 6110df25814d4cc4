//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// For whom `tmpfiles.d` is read: where the files are, and what specifiers stand for.
public struct TmpfilesContext: Sendable {
    /// Directories of `*.conf` files, those that hold over others first.
    public var directories: [FilePath]
    /// What `%h` and its like stand for; one that is missing makes its line one that cannot be read.
    public var specifiers: [Character: String]
    /// Put in front of all paths: the root of another system.
    public var root: FilePath?

    public init(
        directories: [FilePath], specifiers: [Character: String] = [:], root: FilePath? = nil
    ) {
        self.directories = directories
        self.specifiers = specifiers
        self.root = root
    }

    /// The machine's rules. Blocks: reads what this machine is called.
    ///
    /// - Parameter root: of another system, whose files and machine it is then.
    public static func system(root: FilePath? = nil) -> TmpfilesContext {
        let places: [FilePath] = [
            "/etc/tmpfiles.d", "/run/tmpfiles.d", "/usr/local/lib/tmpfiles.d",
            "/usr/lib/tmpfiles.d",
        ]
        var specifiers: [Character: String] = [
            "h": "/root", "u": "root", "U": "0", "g": "root", "G": "0", "t": "/run",
            "S": "/var/lib", "C": "/var/cache", "L": "/var/log", "T": "/tmp", "V": "/var/tmp",
        ]
        specifiers.merge(machine(root)) { $1 }
        return TmpfilesContext(
            directories: places.map { root?.appending($0.components) ?? $0 },
            specifiers: specifiers,
            root: root)
    }

    /// A user's own rules. Blocks.
    public static func user(environment: [String: String], home: FilePath) -> TmpfilesContext {
        let here = CatalogueEnvironment(variables: environment, home: home)
        func base(_ name: String) -> FilePath? { here.path(of: .variable(name)) }
        var directories = [base("XDG_CONFIG_HOME"), base("XDG_RUNTIME_DIR"), base("XDG_DATA_HOME")]
            .compactMap { $0?.appending("user-tmpfiles.d") }
        directories += ["/usr/local/share/user-tmpfiles.d", "/usr/share/user-tmpfiles.d"]
        let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var specifiers: [Character: String] = [
            "h": home.string, "U": "\(User.effective)", "T": temporary ?? "/tmp",
            "V": temporary ?? "/var/tmp",
        ]
        specifiers["u"] = UserAccount.current()?.name
        specifiers["t"] = base("XDG_RUNTIME_DIR")?.string
        // As in systemd 252; from 254 on the state and the log are in XDG_STATE_HOME.
        specifiers["S"] = base("XDG_CONFIG_HOME")?.string
        specifiers["C"] = base("XDG_CACHE_HOME")?.string
        specifiers["L"] = base("XDG_CONFIG_HOME")?.appending("log").string
        specifiers.merge(machine(nil)) { $1 }
        return TmpfilesContext(directories: directories, specifiers: specifiers)
    }

    /// What is the same for all users of a machine; what cannot be found out is missing.
    private static func machine(_ root: FilePath?) -> [Character: String] {
        func line(_ path: FilePath, inRoot: Bool) -> String? {
            let place = inRoot ? root?.appending(path.components) ?? path : path
            guard let bytes = try? SmallFile.read(place, limit: 65536),
                let first = bytes.split(separator: 0x0A, maxSplits: 1).first
            else { return nil }
            return String(decoding: first, as: UTF8.self)
        }
        var found: [Character: String] = [:]
        found["m"] = line("/etc/machine-id", inRoot: true)
        found["b"] = line("/proc/sys/kernel/random/boot_id", inRoot: false)
            .map { $0.filter { $0 != "-" } }
        found["a"] = root == nil ? architecture : nil
        found["v"] = line("/proc/sys/kernel/osrelease", inRoot: false)
        if let name = line("/proc/sys/kernel/hostname", inRoot: false) {
            found["H"] = name
            found["l"] = String(name.prefix { $0 != "." })
        }
        let release = root?.appending(FilePath("/etc/os-release").components) ?? "/etc/os-release"
        guard let bytes = try? SmallFile.read(release, limit: 65536) else { return found }
        var values: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...].filter { $0 != "\"" && $0 != "'" }
            values[String(line[..<equals])] = value
        }
        // One that is not set stands for nothing, as the manual says.
        for (letter, name) in [
            ("A", "IMAGE_VERSION"), ("B", "BUILD_ID"), ("M", "IMAGE_ID"), ("o", "ID"),
            ("w", "VERSION_ID"), ("W", "VARIANT_ID"),
        ] { found[Character(letter)] = values[name] ?? "" }
        return found
    }

    /// As systemd calls it: `systemd-analyze architectures`.
    private static var architecture: String? {
        #if arch(x86_64)
        "x86-64"
        #elseif arch(arm64)
        "arm64"
        #elseif arch(i386)
        "x86"
        #elseif arch(arm)
        "arm"
        #else
        nil
        #endif
    }

    /// The path with what its specifiers stand for.
    ///
    /// - Returns: nil and the specifier if it is not known.
    /// - Parameter any: put in the place of specifiers that are not known.
    func expand(
        _ path: [UInt8], any: String? = nil
    ) -> (path: [UInt8]?, unknown: String?) {
        var expanded: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                expanded.append(byte)
                continue
            }
            // A percent sign at the end stands for itself.
            guard let letter = rest.popFirst() else {
                expanded.append(byte)
                break
            }
            if letter == byte {
                expanded.append(byte)
            } else if let value = specifiers[Character(Unicode.Scalar(letter))] {
                expanded += value.utf8
            } else if let any {
                expanded += any.utf8
            } else {
                return (nil, "%\(Character(Unicode.Scalar(letter)))")
            }
        }
        return (expanded, nil)
    }
}
