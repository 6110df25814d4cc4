//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Finds what somebody meant who wrote something else.
enum Spelling {
    /// The word that is fewest letters away, if it is near enough to have been meant.
    static func nearest(to word: String, among words: [String]) -> String? {
        let plain = simplified(word)
        let best =
            words
            .map { (word: $0, distance: distance(plain, simplified($0))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, plain.count / 3) else { return nil }
        return best.word
    }

    /// `ageBy`, `age_by` and `age-by` are the same word.
    private static func simplified(_ word: String) -> [Character] {
        word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    }

    /// How many letters are to be put in, taken out, replaced or swapped with the next.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    last[column + 1] + 1, line[column] + 1, last[column] + (letter == other ? 0 : 1)
                )
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                line.append(best)
            }
            before = last
            last = line
        }
        return last[right.count]
    }
}
