//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

extension TargetOptions {
    /// The options as they can be typed again.
    var words: [String] {
        var words: [String] = []
        for target in targets { words += target.words }
        if through != .cache {
            words += ["--through", through == .lastResort ? "last-resort" : "temporary"]
        }
        if includeLinked { words.append("--include-linked") }
        return words
    }
}

extension Target {
    /// The options of the command line that mean this.
    var words: [String] {
        switch self {
        case .free(let bytes): ["--free", bytes.exactText]
        case .available(let bytes): ["--until", bytes.exactText]
        case .availableShare(let points):
            [
                "--until",
                points % 100 == 0
                    ? "\(points / 100)%"
                    : "\(points / 100).\(points % 100 < 10 ? "0" : "")\(points % 100)%",
            ]
        case .normalLevel: ["--until", "normal"]
        case .toLimit(let bytes): ["--to-limit", bytes.exactText]
        case .overLimit: ["--over-limit"]
        case .expired: ["--expired"]
        case .olderThan(let age, let basis):
            ["--older-than", age.exactText] + (basis == .used ? [] : ["--age-by", "\(basis)"])
        case .inodes(let count): ["--inodes", "\(count)"]
        case .all: ["--all"]
        }
    }
}

extension ByteCount {
    /// The amount as an option's value, to the byte: `5GB`, `2GiB`, `1234567`.
    var exactText: String {
        let units: [(Int64, String)] = [
            (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1 << 30, "GiB"), (1_000_000, "MB"),
            (1 << 20, "MiB"), (1_000, "kB"),
        ]
        for (size, name) in units where bytes >= size && bytes % size == 0 {
            return "\(bytes / size)\(name)"
        }
        return "\(bytes)"
    }
}

extension Duration {
    /// The duration as an option's value, to the second: `10d`, `36h`, `90s`.
    var exactText: String {
        let seconds = components.seconds
        for (length, name) in [(Int64(86_400), "d"), (3_600, "h"), (60, "min")]
        where seconds > 0 && seconds % length == 0 {
            return "\(seconds / length)\(name)"
        }
        return "\(seconds)s"
    }
}
