//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// A pattern of names by which something that can be had again is known.
public struct RecreatableRule: Hashable, Sendable {
    /// What kind of thing it is, as a short stable word: `thumbnails`, `npm`.
    public var topic: String
    public var scope: Scope
    /// What it is, in words that begin a sentence: `Map tiles`.
    public var description: String
    /// Whether it stands for directories; else for single files.
    public var isDirectory: Bool
    let components: [NamePattern]

    /// Where a rule holds.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Everywhere: the name is that of a well-known cache.
        case any
        /// The pattern starts at a home.
        case home
        /// In apps' own data: Application Support, `XDG_DATA_HOME`, a container's Documents, an app
        /// group. Never for databases, documents and preferences, whatever they are in.
        case data
    }

    /// The pattern as it was written.
    public var pattern: String {
        components.map(\.text).joined(separator: "/") + (isDirectory ? "/" : "")
    }

    /// - Returns: nil if the pattern is empty, absolute or leads upwards.
    init?(topic: String, scope: Scope, pattern: String, description: String) {
        var text = pattern[...]
        isDirectory = text.last == "/"
        if isDirectory { text = text.dropLast() }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !topic.isEmpty, !description.isEmpty, !parts.isEmpty,
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), parts.last != "*"
        else { return nil }
        self.topic = topic
        self.scope = scope
        self.description = description
        components = parts.map { NamePattern(String($0)) }
    }
}

/// A name in which `*` stands for any bytes; letters of ASCII match in either case.
struct NamePattern: Hashable, Sendable {
    let text: String
    private let pattern: AsteriskPattern<UInt8>

    init(_ text: String) {
        self.text = text
        pattern = AsteriskPattern(text.utf8.map(Self.lower), asterisk: UInt8(ascii: "*"))
    }

    /// The name in lower case if it contains no `*`.
    var literal: [UInt8]? { pattern.literal }

    static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// - Parameter name: in lower case.
    func matches(_ name: [UInt8]) -> Bool { pattern.matches(name) }
}
