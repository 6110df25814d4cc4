//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Asks a person before something is deleted.
package struct Confirmation {
    package var input: FileDescriptor
    package var output: FileDescriptor

    package init(
        input: FileDescriptor = .standardInput, output: FileDescriptor = .standardError
    ) {
        self.input = input
        self.output = output
    }

    package enum Answer: Hashable, Sendable {
        case yes
        case no
        /// There is nobody to ask: standard input or error is no terminal.
        case nobody
    }

    /// Whether there is somebody to ask.
    package static var isPossible: Bool {
        isatty(FileDescriptor.standardInput.rawValue) == 1
            && isatty(FileDescriptor.standardError.rawValue) == 1
    }

    /// Asks a question that is answered with `y` or, by anything else, no.
    package func ask(_ question: String) -> Answer {
        guard isatty(input.rawValue) == 1, isatty(output.rawValue) == 1 else { return .nobody }
        // What was typed before the question was seen is no answer to it.
        _ = tcflush(input.rawValue, TCIFLUSH)
        guard (try? output.writeAll("\(question) [y/N] ".utf8)) != nil else { return .no }
        let answer = readLine()
        if answer == nil { _ = try? output.writeAll("\n".utf8) }
        return Self.meansYes(answer) ? .yes : .no
    }

    package static func meansYes(_ line: String?) -> Bool {
        let word = (line ?? "").lowercased().filter { !$0.isWhitespace }
        return ["y", "yes"].contains(word)
    }

    /// A line, or nil at the end of the input or after a signal.
    private func readLine() -> String? {
        var line: [UInt8] = []
        while line.count < 1_024 {
            var byte: UInt8 = 0
            // One byte of room for one byte; not retried, so that a signal ends the question.
            let count = unsafe withUnsafeMutableBytes(of: &byte) { buffer in
                unsafe read(input.rawValue, buffer.baseAddress, 1)
            }
            guard count == 1 else { return nil }
            if byte == 0x0A { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
