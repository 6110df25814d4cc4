//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The name of an extended attribute, as a literal: asking for it copies and converts nothing, which
/// counts where every file is asked.
@safe package struct AttributeName: ExpressibleByStringLiteral, Sendable {
    private let name: StaticString

    package init(stringLiteral name: StaticString) {
        precondition(name.hasPointerRepresentation, "a name is longer than a character")
        self.name = name
    }

    package var text: String { name.description }

    /// NUL-terminated, and there for ever.
    var base: UnsafePointer<CChar> {
        // A literal is terminated and never moves; CChar and UInt8 have one layout.
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
