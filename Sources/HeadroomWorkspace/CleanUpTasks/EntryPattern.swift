//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// A name in `Entries`: `*` stands for any characters, none included.
///
/// Compared byte by byte, so that it holds for names of any bytes; and, since a file system may have
/// taken a letter apart, as people read it.
struct EntryPattern {
    private let written: AsteriskPattern<UInt8>
    private let spoken: LeftoverPattern

    init(_ text: String) {
        written = AsteriskPattern(text.utf8, asterisk: UInt8(ascii: "*"))
        spoken = LeftoverPattern(text)
    }

    func matches(_ name: FileName) -> Bool {
        written.matches(name.bytes) || spoken.matches(name)
    }
}
