//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A table in Markdown, its columns aligned so that it reads as well without a viewer.
struct Table {
    let header: [String]
    var rows: [[String]] = []

    init(_ header: [String]) {
        self.header = header
    }

    var text: String {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                // Names to the left, figures to the right.
                return column == 0 ? cells[column] + space : space + cells[column]
            }
            return "| " + padded.joined(separator: " | ") + " |\n"
        }
        let rule = widths.indices.map {
            String(repeating: "-", count: widths[$0] - 1) + ($0 == 0 ? "-" : ":")
        }
        return line(header) + "| " + rule.joined(separator: " | ") + " |\n"
            + rows.map(line).joined()
    }
}

extension Double {
    /// The value with a fixed number of decimals; a dash if there is none.
    func text(_ decimals: Int = 2) -> String {
        guard isFinite else { return "–" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((self * scale).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}

extension [Double] {
    /// The median, with the least and the greatest.
    var ratioText: String {
        guard let least = self.min(), let greatest = self.max() else { return "–" }
        return "\(median.text()) (\(least.text())–\(greatest.text()))"
    }
}
