//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport

/// What one run of a command cost.
struct Measurement {
    /// From start to end, in seconds.
    let wall: Double
    /// User and system time, in seconds.
    let processor: Double
    /// The most memory it had resident, in bytes.
    let peakMemory: Double

    /// Runs a contestant on a directory, by the small program that starts and waits for it.
    ///
    /// - Throws: ``RunFailure`` if it ended with anything but 0.
    init(_ contestant: Contestant, on directory: String, floor: String) throws {
        var arguments = ["time"]
        if let terminal = contestant.terminal {
            arguments = ["terminal", terminal.until, terminal.keys]
        }
        let command = contestant.command(on: directory)
        let result =
            contestant.measuresItself
            ? try ChildProcess.run(command[0], Array(command.dropFirst()))
            : try ChildProcess.run(floor, arguments + command)
        let figures = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard result.succeeded, figures.count == 5 else {
            throw RunFailure(text: "\(contestant.name) could not be run: \(result.errors)")
        }
        guard figures[4] == 0 else {
            throw RunFailure(text: "\(contestant.name) ended with \(Int(figures[4]))")
        }
        wall = figures[0] / 1e9
        processor = (figures[1] + figures[2]) / 1e6
        peakMemory = figures[3] * 1024
    }
}

/// A run that does not count.
struct RunFailure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

extension Array where Element == Double {
    /// The middle value, or the mean of the two in the middle; NaN if there are none.
    var median: Double {
        let sorted = sorted()
        guard !isEmpty else { return .nan }
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
