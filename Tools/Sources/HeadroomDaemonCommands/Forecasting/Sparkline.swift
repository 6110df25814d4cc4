//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform

/// The past of a volume in one line: how full it was, from empty to full, left to right in equal times.
package enum Sparkline {
    package static let width = 24

    /// The fullest moment of each part of the past; nothing where there was none.
    package static func points(_ samples: [ForecastSample], width: Int = Sparkline.width)
        -> [ForecastSample]
    {
        parts(samples, width).compactMap { $0 }
    }

    /// `▁▁▂▂▃▃▅▆▇`; empty with less than two samples. Times without a sample are spaces.
    package static func text(
        _ samples: [ForecastSample], width: Int = Sparkline.width, usesBlocks: Bool
    ) -> String {
        guard samples.count > 1 else { return "" }
        let marks = Array(usesBlocks ? "▁▂▃▄▅▆▇█" : "_.-:=+*#")
        return String(
            parts(samples, width).map { sample in
                guard let sample, sample.total > .zero else { return " " }
                let used = 1 - Double(sample.available.bytes) / Double(sample.total.bytes)
                let index = Int((used * Double(marks.count)).rounded(.down))
                return marks[min(max(index, 0), marks.count - 1)]
            })
    }

    private static func parts(_ samples: [ForecastSample], _ width: Int) -> [ForecastSample?] {
        var parts = [ForecastSample?](repeating: nil, count: width)
        guard let first = samples.first, let last = samples.last else { return [] }
        let span = max(1, last.time.seconds - first.time.seconds)
        for sample in samples {
            let place = Int((sample.time.seconds - first.time.seconds) * Int64(width - 1) / span)
            guard parts.indices.contains(place) else { continue }
            if let other = parts[place], other.available <= sample.available { continue }
            parts[place] = sample
        }
        return parts
    }
}
