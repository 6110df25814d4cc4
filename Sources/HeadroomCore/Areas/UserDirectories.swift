//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// The file `user-dirs.dirs`, in which xdg-user-dirs keeps where a person's Documents, Pictures and
/// so on are.
package enum UserDirectories {
    /// The directories in the content of the file, by the names of their variables.
    ///
    /// The file is shell, of which only `XDG_NAME_DIR="$HOME/…"` and `"/…"` are defined; other lines
    /// are left out. A directory that is the home itself is how a user switches one off.
    package static func parse(_ content: [UInt8], home: FilePath) -> [String: FilePath] {
        var directories: [String: FilePath] = [:]
        for line in content.split(separator: UInt8(ascii: "\n")) {
            let line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: line[..<equals], as: UTF8.self)
            guard name.hasPrefix("XDG_"), name.hasSuffix("_DIR"),
                let value = quoted(line[(equals + 1)...])
            else { continue }
            let variable = Array("$HOME".utf8)
            let path: FilePath
            if value.starts(with: variable) {
                let rest = value.dropFirst(variable.count)
                guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
                path = FilePath(bytes: home.bytes + rest)
            } else if value.first == UInt8(ascii: "/") {
                path = FilePath(bytes: value)
            } else {
                continue
            }
            directories[name] = path.settled
        }
        return directories
    }

    /// The text between double quotes, with `\x` standing for `x`.
    private static func quoted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == UInt8(ascii: "\"") else { return nil }
        var value: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        return nil
    }
}
