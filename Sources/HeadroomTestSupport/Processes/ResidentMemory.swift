//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What this process has of the machine's memory, so that a test notices what is not given back.
///
/// Tests run in parallel: only what is much larger than what others use says anything.
public enum ResidentMemory {
    /// In bytes; 0 where the system does not say.
    public static var bytes: Int {
        let text = (try? Tree(root: "/proc/self").contents(of: "statm")) ?? []
        let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst().first
        return pages.flatMap { Int($0) }.map { $0 * Int(getpagesize()) } ?? 0
    }
}
