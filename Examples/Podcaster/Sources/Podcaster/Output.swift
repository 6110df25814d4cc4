//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

/// `Order      last resort, 1st of 3`
func field(_ name: String, _ value: String, width: Int = 13) -> String {
    name.padding(toLength: max(width, name.count + 1), withPad: " ", startingAt: 0) + value
}

/// A numbered line with its state at the right of column 80; long titles are cut.
func row(_ number: Int, _ title: String, _ state: String) -> String {
    let room = max(20, 74 - state.count)
    let title = title.count > room ? title.prefix(room - 1) + "…" : title[...]
    let padding = String(repeating: " ", count: room - title.count)
    let digits = "\(number)"
    return String(repeating: " ", count: max(0, 3 - digits.count))
        + "\(digits)  \(title)\(padding) \(state)"
}

/// Text in lines of 80 columns, set in.
func paragraph(_ text: String, indent: Int = 4) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = [""]
    for word in text.split(separator: " ") {
        if lines[lines.count - 1].isEmpty {
            lines[lines.count - 1] = String(word)
        } else if lines[lines.count - 1].count + word.count + 1 + indent <= 80 {
            lines[lines.count - 1] += " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines.map { margin + $0 }.joined(separator: "\n")
}

func shown(_ figure: VolumeCapacity.Figure) -> String {
    figure.bytes.map { "\($0)" } ?? "unknown"
}

func shown(_ verdict: Advice.Verdict) -> String {
    switch verdict {
    case .fits: "fits"
    case .fitsAfterFreeing(let bytes): "fits after freeing \(bytes)"
    case .doesNotFit(let shortBy): "\(shortBy) short"
    }
}

extension App {
    /// The path below the home or container.
    func relative(_ file: URL) -> String {
        let root = storage.root.path
        let base = root.hasSuffix("/") ? root : root + "/"
        return file.path.hasPrefix(base) ? String(file.path.dropFirst(base.count)) : file.path
    }
}

/// A line that grows on a terminal; nothing in a pipe.
final class ProgressBar: Sendable {
    private let title: String
    private let isShown = isatty(2) != 0

    init(_ title: String) {
        self.title = title
    }

    func show(_ received: ByteCount, of total: ByteCount?) {
        guard isShown else { return }
        let fraction = total.map { Double(received.bytes) / Double(max(1, $0.bytes)) } ?? 0
        let filled = max(0, min(20, Int(fraction * 20)))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
        let amount = total.map { "\(received) of \($0)" } ?? "\(received)"
        write("\r\u{1B}[K  \(bar)  \(amount)  \(title.prefix(30))")
    }

    func end() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
