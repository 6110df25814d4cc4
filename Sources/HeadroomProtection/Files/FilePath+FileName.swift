//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension FilePath {
    /// The name of the file that it leads to, whose bytes may be any.
    func fileName() throws(ProtectionError) -> FileName {
        let last = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        guard let name = FileName(last), last != [0x2E], last != [0x2E, 0x2E] else {
            throw ProtectionError(.invalid, "“\(displayText)” names no file.")
        }
        return name
    }
}
#endif
