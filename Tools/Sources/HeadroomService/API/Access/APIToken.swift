//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import SystemPackage

/// What a request has to bring: 32 random bytes that are made anew at each start.
///
/// They lie in a file that its owner alone can read, beside the ledger: who can read that can do all this
/// by himself. They are never logged.
public struct APIToken: Hashable, Sendable {
    /// In hexadecimal digits.
    public let text: String

    private static let digits = Set("0123456789abcdef".utf8)

    /// The name of its file.
    public static let fileName = "api-token"

    /// Makes a token.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Writes it for programs of the same user, with mode 0600 from the start, in place of the one before.
    /// Blocks.
    public func write(in directory: FilePath) throws(HeadroomError) {
        let line = Array((text + "\n").utf8)
        try StateFile(Self.fileName, in: directory).replace(with: line, isPrivate: true) { bytes in
            // mutation: r29h-3
            bytes.count == line.count && bytes.dropLast().allSatisfy(Self.digits.contains)
        }
    }

    /// Whether a request's header has it.
    ///
    /// Takes as long for a token that is wrong at its first character as for one that is wrong at its last.
    func isIn(_ authorization: String?) -> Bool {
        // mutation: r38a-7
        guard let authorization else { return false }
        let parts = authorization.split(
            separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let given = Array(parts[1].utf8)
        let own = Array(text.utf8)
        // Its length is no secret.
        guard given.count == own.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(given, own) { difference |= one ^ other }
        return difference == 0
    }
}

extension APIToken: CustomStringConvertible, CustomReflectable {
    /// Says nothing: it ends up in logs.
    public var description: String { "a token" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
