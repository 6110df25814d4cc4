//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CFuzzer
import HeadroomFuzzTargets

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `headroom-fuzz TARGET [OPTIONS OF libFuzzer…] [DIRECTORIES AND FILES…]`; without a target, their names.
@main
enum Fuzzer {
    // Set before the loop begins, and never again.
    nonisolated(unsafe) private static var target: (@Sendable ([UInt8]) -> Void)?

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            for name in FuzzTargets.names { print(name) }
            return
        }
        guard let chosen = try FuzzTargets.make(arguments[1]) else {
            print("headroom-fuzz: there is no target \(arguments[1])")
            exit(2)
        }
        unsafe target = chosen
        // Kept to the end of the process, as those of main are.
        var words = unsafe ([arguments[0]] + arguments.dropFirst(2)).map { unsafe strdup($0) }
        unsafe words.append(nil)
        var count = unsafe Int32(words.count - 1)
        let code = unsafe words.withUnsafeMutableBufferPointer { words in
            var base = words.baseAddress
            return unsafe LLVMFuzzerRunDriver(&count, &base) { bytes, count in
                // libFuzzer's buffer, which ends with the call.
                unsafe Fuzzer.target?(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        exit(code)
    }
}
