//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Sorts candidates by key with a radix sort, eight bits at a time, and then what shares a key.
///
/// A comparison sort of a million costs twenty comparisons each; this costs one move a digit, and
/// digits that are the same for all are left out.
enum CandidateSort {
    static func sort(
        _ candidates: inout [Candidate], before isBefore: (Candidate, Candidate) -> Bool
    ) {
        guard candidates.count > 2048 else {
            candidates.sort(by: isBefore)
            return
        }
        sortByKey(&candidates)
        var start = 0
        for index in 1...candidates.count
        where index == candidates.count || candidates[index].key != candidates[start].key {
            if index - start > 1 { candidates[start..<index].sort(by: isBefore) }
            start = index
        }
    }

    private static func sortByKey(_ candidates: inout [Candidate]) {
        var common: UInt64 = 0
        for candidate in candidates { common |= candidate.key ^ candidates[0].key }
        var other = candidates
        for shift in stride(from: UInt64(0), to: 64, by: 8) where common >> shift & 0xFF != 0 {
            var starts = [Int](repeating: 0, count: 257)
            for candidate in candidates { starts[Int(candidate.key >> shift & 0xFF) + 1] += 1 }
            for digit in 1...256 { starts[digit] += starts[digit - 1] }
            for candidate in candidates {
                let digit = Int(candidate.key >> shift & 0xFF)
                other[starts[digit]] = candidate
                starts[digit] += 1
            }
            swap(&candidates, &other)
        }
    }
}
