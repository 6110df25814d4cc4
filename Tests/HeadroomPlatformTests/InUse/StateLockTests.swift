//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct StateLockTests {
    /// Each lock belongs to an open file: others see it, whoever has taken it does not.
    @Test func findsTheBytesThatOthersHaveLocked() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let state = try StateDirectory(opening: directory.path)
        let own = try SharedFile.make("locks", in: state)
        let base: UInt64 = 1 << 62
        func taken(_ count: UInt64) throws -> [UInt64] {
            try StateLock.takenBytes(own.descriptor.rawValue, offset: base, count: count)
        }
        #expect(try taken(1 << 32) == [])
        let numbers: [UInt64] = [7, 1, 900_000, 8, 0, 1 << 32 - 1, 1 << 32]
        // Open until the end: the locks go with them.
        let others = try numbers.map { number in
            let file = try SharedFile.open("locks", in: state, forWriting: true)
            #expect(
                try StateLock.takeRange(
                    file.descriptor.rawValue, offset: base + number, count: 1))
            return file
        }
        #expect(try StateLock.takeRange(own.descriptor.rawValue, offset: base + 3, count: 1))
        #expect(
            try taken(1 << 32).map { $0 - base } == numbers.filter { $0 < 1 << 32 }.sorted())
        #expect(try taken(8).map { $0 - base } == [0, 1, 7])
        StateLock.releaseRange(others[0].descriptor.rawValue, offset: base + 7, count: 1)
        #expect(try taken(8).map { $0 - base } == [0, 1])
    }
}
