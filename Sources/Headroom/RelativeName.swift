//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// A name below a directory, such as `Trip/photo.jpg`, taken apart and found harmless.
struct RelativeName: Hashable, Sendable {
    let directories: [FileName]
    let last: FileName
    let text: String

    /// - Throws: `invalidName` if it is empty, absolute, contains `.`, `..`, an empty component or
    ///   NUL, is too long, or is one of Headroom's own.
    init(_ text: String) throws(StorageError) {
        func refused(_ why: String) -> StorageError {
            StorageError(
                .invalidName,
                "“\(text)” cannot be used as a name: \(why). Use a name such as “Trip/photo.jpg”.")
        }
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw refused("it is empty") }
        if let name = Self.plain(bytes) {
            (directories, last, self.text) = ([], name, text)
            return
        }
        guard bytes.first != Self.slash else { throw refused("it is an absolute path") }
        var names: [FileName] = []
        // By bytes: to the system nothing joins a slash.
        for part in bytes.split(separator: Self.slash, omittingEmptySubsequences: false) {
            guard !part.elementsEqual(Self.dots.prefix(part.count)) || part.isEmpty else {
                throw refused("it contains “\(String(decoding: part, as: UTF8.self))”")
            }
            guard let name = FileName(Array(part)) else {
                throw refused(part.isEmpty ? "it has an empty part" : "it contains NUL")
            }
            // NAME_MAX of every file system in use.
            guard part.count <= 255 else { throw refused("a part of it is longer than 255 bytes") }
            guard !part.starts(with: Self.reserved) else {
                throw refused("names that start with “.headroom-” are Headroom's own")
            }
            names.append(name)
        }
        guard let last = names.popLast() else { throw refused("it is empty") }
        directories = names
        self.last = last
        self.text = text
    }

    private static let slash = UInt8(ascii: "/")
    private static let dots = Array("..".utf8)
    private static let reserved = Array(".headroom-".utf8)

    /// Whether it is, or lies in, something of this name; letters of ASCII alike, as on Apple's file systems.
    func begins(with name: String) -> Bool {
        let first = (directories.first ?? last).bytes
        return first.count == name.utf8.count
            && zip(first, name.utf8).allSatisfy { Self.lowercase($0) == Self.lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// The short way for what needs no second look: one component that does not begin with a dot.
    private static func plain(_ bytes: [UInt8]) -> FileName? {
        guard bytes.count <= 255, bytes.first != UInt8(ascii: ".") else { return nil }
        // Nor with a slash or NUL in it.
        return FileName(bytes)
    }
}
