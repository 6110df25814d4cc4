//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// A path or name in JSON: for display, and, where it is not UTF-8, without loss.
package struct PathText: Hashable, Sendable {
    /// What is not UTF-8 is replaced.
    package var text: String
    /// Percent-encoded bytes; nil: `text` says all.
    package var encoded: String?

    package init(bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
        encoded =
            String(validating: bytes, as: UTF8.self) == nil
            ? PercentEncoding.encoded(bytes) : nil
    }

    /// One that is longer than any that can be named in a request is for display alone, without its middle:
    /// in a tree that is deep enough a single path would fill an answer.
    package init(_ path: FilePath) {
        let bytes = path.bytes
        guard bytes.count > Self.longest else {
            self.init(bytes: bytes)
            return
        }
        self.init(bytes: bytes.prefix(1_500) + Array("…".utf8) + bytes.suffix(1_500))
        encoded = nil
    }

    /// Of a path, in bytes.
    package static let longest = 4_095

    package init(_ name: FileName) { self.init(bytes: name.bytes) }
}

extension FilePath {
    /// An absolute path as a request may name it.
    ///
    /// - Throws: for what is not absolute, goes upwards, has a NUL, or is too long for any system: what is
    ///   looked at is what was written, whatever the file system makes of `..`.
    package init(requested bytes: [UInt8]) throws(APIError) {
        guard bytes.first == UInt8(ascii: "/") else {
            throw .bad("The path does not begin with a slash.", advice: "Name the whole path.")
        }
        guard !bytes.contains(0) else {
            throw .bad("The path has a NUL.", advice: "Check the path.")
        }
        guard bytes.count <= PathText.longest else {
            throw .notFound(
                "The path is longer than 4,095 bytes: there is none such.",
                advice: "Check the path.")
        }
        let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        let isRoot = bytes.count == 1
        for component in components {
            let isTrailing = component.isEmpty && component.endIndex == bytes.endIndex
            guard isRoot || !component.isEmpty || isTrailing, component != [0x2E][...],
                component != [0x2E, 0x2E][...]
            else {
                throw .bad(
                    "The path has an empty part, or one that is . or ..",
                    advice: "Write the path without them.")
            }
            guard component.count <= 255 else {
                throw .notFound(
                    "A part of the path is longer than 255 bytes: there is none such.",
                    advice: "Check the path.")
            }
        }
        self.init(bytes: bytes)
    }
}
