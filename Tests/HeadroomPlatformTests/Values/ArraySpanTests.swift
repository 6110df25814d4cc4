//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

/// What stands on Apple's older systems for `span` of arrays.
struct ArraySpanTests {
    @Test(arguments: [0, 1, 5, 10_000])
    func lendsTheElements(count: Int) {
        let array = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let span = array.borrowedElements
        #expect(span.count == count)
        for index in array.indices where span[index] != array[index] {
            Issue.record("\(index) differs")
        }
    }

    @Test func lendsTheElementsOfPartsOfStructs() {
        struct Holder { var bytes: [UInt32] }
        let holder = Holder(bytes: [7, 8, 9])
        #expect(holder.bytes.borrowedElements[2] == 9)
    }

    @Test func changesInPlaceAndNotInCopies() {
        var array: [UInt64] = [1, 2, 3]
        let copy = array
        do {
            var span = array.changeableElements
            span[1] = 20
        }
        #expect(array == [1, 20, 3])
        #expect(copy == [1, 2, 3])
    }
}
