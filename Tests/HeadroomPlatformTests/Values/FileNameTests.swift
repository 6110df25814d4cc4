//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct FileNameTests {
    @Test("Sorts by bytes, and a name after its beginning")
    func sortsByBytes() {
        let sorted: [[UInt8]] = [
            [0x2E], [0x41], [0x41, 0x01], [0x41, 0x7F], [0x41, 0x80], [0xFF],
        ]
        let names = sorted.compactMap(FileName.init)
        #expect(names.count == sorted.count)
        #expect(names.reversed().sorted() == names)
    }
}
