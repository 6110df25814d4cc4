//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// A name below a directory, such as `Trip/photo.jpg`, looked through and found harmless.
///
/// Each save makes one: it is looked through once, and taken apart only where its parts are asked for.
struct RelativeName: Hashable, Sendable {
    let text: String
    private let bytes: [UInt8]
    private let lastStart: Int

    /// - Throws: `invalidName` if it is empty, absolute, contains `.`, `..`, an empty component or
    ///   NUL, is too long, or is one of Headroom's own.
    init(_ text: String) throws(StorageError) {
        let bytes = Array(text.utf8)
        var start = bytes.startIndex
        // By bytes: to the system nothing joins a slash.
        while let end = bytes[start...].firstIndex(of: Self.slash) {
            if let why = Self.objection(to: bytes[start..<end]) {
                throw Self.refused(text, end == 0 ? "it is an absolute path" : why)
            }
            start = end + 1
        }
        if let why = Self.objection(to: bytes[start...]) {
            throw Self.refused(text, bytes.isEmpty ? "it is empty" : why)
        }
        (self.text, self.bytes, lastStart) = (text, bytes, start)
    }

    private static let slash = UInt8(ascii: "/")
    private static let reserved = Array(".headroom-".utf8)

    /// - Returns: why a part cannot be; nil if it can.
    private static func objection(to part: ArraySlice<UInt8>) -> String? {
        guard let first = part.first else { return "it has an empty part" }
        if part.contains(0) { return "it contains NUL" }
        // NAME_MAX of every file system in use.
        if part.count > 255 { return "a part of it is longer than 255 bytes" }
        guard first == UInt8(ascii: ".") else { return nil }
        // mutation: r3b-1
        if part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) {
            return "it contains “\(String(decoding: part, as: UTF8.self))”"
        }
        return part.starts(with: reserved)
            ? "names that start with “.headroom-” are Headroom's own" : nil
    }

    private static func refused(_ text: String, _ why: String) -> StorageError {
        StorageError(
            .invalidName,
            "“\(text)” cannot be used as a name: \(why). Use a name such as “Trip/photo.jpg”.")
    }

    // MARK: - Its parts

    var isInDirectory: Bool { lastStart > 0 }

    /// From the outermost to the one that it lies in.
    var directories: [FileName] { Self.split(directoryBytes) }

    /// The same as a path, with a slash at its end; empty if there are none.
    var directoryBytes: ArraySlice<UInt8> { bytes[..<lastStart] }

    var last: FileName { FileName(unchecked: Array(lastBytes)) }

    var lastBytes: ArraySlice<UInt8> { bytes[lastStart...] }

    /// ``directories``, and ``last``.
    var parts: [FileName] { Self.split(bytes[...]) }

    private static func split(_ path: ArraySlice<UInt8>) -> [FileName] {
        path.split(separator: slash).map { FileName(unchecked: Array($0)) }
    }

    /// Whether it is, or lies in, something of this name; letters of ASCII alike, as on Apple's file systems.
    func begins(with name: String) -> Bool {
        let first = bytes.prefix { $0 != Self.slash }
        return first.count == name.utf8.count
            && zip(first, name.utf8).allSatisfy { Self.lowercase($0) == Self.lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
