//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomFuzzTargets
import HeadroomServiceFuzzTargets

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// `headroom-fuzz TARGET [OPTIONS OF libFuzzer…] [DIRECTORIES AND FILES…]`; without a target, their names.
// The program's main is libFuzzer's, which calls these two.

private let targets = FuzzTargets(FuzzTargets.ofLibrary + ServiceFuzzTargets.all)

/// Tells the target to the processes that libFuzzer starts to merge a corpus: it gives them its own arguments only.
private let inheritedName = "HEADROOM_FUZZ_TARGET"

// Set before the loop begins, and never again.
nonisolated(unsafe) private var target: (@Sendable ([UInt8]) -> Void)?

/// Takes the target from the arguments; libFuzzer reads the others.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else {
        for name in targets.names { print(name) }
        exit(0)
    }
    // Those processes are given options, or directories, first.
    let isNamed = targets.names.contains(arguments[1])
    let inherited = unsafe getenv(inheritedName).map { unsafe String(cString: $0) }
    let name = isNamed ? arguments[1] : inherited ?? arguments[1]
    do {
        guard let chosen = try targets.make(name) else {
            print("headroom-fuzz: there is no target \(name)")
            exit(2)
        }
        unsafe target = chosen
        setenv(inheritedName, name, 1)
    } catch {
        print("headroom-fuzz: \(name) cannot be made ready: \(error)")
        exit(2)
    }
    guard isNamed else { return 0 }
    // In bounds: there are as many words as it says, and one more that is nil.
    for index in unsafe 1..<Int(count.pointee) {
        unsafe words.pointee[index] = words.pointee[index + 1]
    }
    unsafe count.pointee -= 1
    return 0
}

/// Runs the target with one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // libFuzzer's buffer, which ends with the call.
    unsafe target?(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
