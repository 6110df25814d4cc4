//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What to expect of writing something, asked before it is written.
public struct Advice: Hashable, Sendable {
    public var verdict: Verdict
    /// The class it was judged as: the one asked for, or, with demotion allowed, the next lower one
    /// in which it fits.
    public var content: ContentClass
    /// Where it would go.
    public var directory: URL
    /// Whether to go ahead: always for what is essential, whatever the verdict.
    public var mayProceed: Bool

    public enum Verdict: Hashable, Sendable {
        case fits
        /// Room can be made, by purging this much of what the intent may spend.
        case fitsAfterFreeing(ByteCount)
        case doesNotFit(shortBy: ByteCount)
    }
}
