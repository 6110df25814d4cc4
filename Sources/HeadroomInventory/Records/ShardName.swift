//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// The name of one of several files that make up a whole: `model-00001-of-00003.gguf`.
///
/// Tools that split models and data sets number the parts in this way, before the extension or at the end of the name.
package struct ShardName {
    /// The name without the number of the part: the same for all parts of a whole.
    let whole: [UInt8]

    /// - Returns: nil if it is not the name of a part.
    init?(_ name: EntryName) {
        guard let end = Self.end(name) else { return nil }
        var whole = unsafe Array(name.bytes)
        whole.removeSubrange(end - 14..<end - 9)
        self.whole = whole
    }

    package static func matches(_ name: EntryName) -> Bool { end(name) != nil }

    /// The offset after the numbers; nil if the name has none.
    private static func end(_ name: EntryName) -> Int? {
        let bytes = unsafe name.bytes
        let ends = unsafe [bytes.count, bytes.lastIndex(of: 0x2E) ?? 0]
        return ends.first { end in
            guard end > 15 else { return false }
            let digits: [Range<Int>] = [end - 14..<end - 9, end - 5..<end]
            return unsafe bytes[end - 15] == 0x2D
                && bytes[end - 9..<end - 5].elementsEqual("-of-".utf8)
                && digits.allSatisfy { range in
                    unsafe bytes[range].allSatisfy { (0x30...0x39).contains($0) }
                }
        }
    }
}
