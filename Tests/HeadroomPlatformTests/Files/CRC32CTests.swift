//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct CRC32CTests {
    /// RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
    @Test(
        arguments: [
            (Array("123456789".utf8), 0xE306_9283),
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
            ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
            ([], 0),
        ] as [([UInt8], UInt32)])
    func matchesTheStandard(bytes: [UInt8], expected: UInt32) {
        var sum = CRC32C()
        unsafe sum.update(bytes.span.bytes)
        #expect(sum.value == expected)
    }

    @Test func doesNotDependOnHowTheBytesAreDivided() {
        let bytes = (0..<100).map { UInt8($0 * 7 & 0xFF) }
        var whole = CRC32C()
        unsafe whole.update(bytes.span.bytes)
        for cut in 0...100 {
            var sum = CRC32C()
            let head = Array(bytes[..<cut])
            let tail = Array(bytes[cut...])
            unsafe sum.update(head.span.bytes)
            unsafe sum.update(tail.span.bytes)
            #expect(sum.value == whole.value)
        }
    }

    @Test func aNumberCountsAsItsBytes() {
        var number = CRC32C()
        number.update(0x0807_0605_0403_0201 as UInt64)
        var bytes = CRC32C()
        unsafe bytes.update(([1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]).span.bytes)
        #expect(number.value == bytes.value)
    }

    /// Around each length at which another way of going over the bytes begins.
    @Test func theInstructionSaysWhatTheTablesSay() {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 5) }
        let around = [64, 128, 192, 256, 320, 384, 512, 576, 768, 1024, 3072, 4096, 6144]
        let lengths: [Int] = around.flatMap { length in
            [-8, -1, 0, 1, 15, 24].map { length + $0 }
        }
        for length in Array(0..<40) + lengths + [3080, 9999] as [Int] {
            for start in [0, 1, 3] {
                let part = bytes[start..<min(bytes.count, start + length)]
                let copy = Array(part)
                var quick = CRC32C()
                quick.update(UInt64(length))
                unsafe quick.update(copy.span.bytes)
                var slow = CRC32C()
                slow.update(UInt64(length))
                unsafe slow.updateByTables(copy.span.bytes)
                #expect(quick.value == slow.value, "\(length) bytes from \(start)")
            }
        }
    }
}
