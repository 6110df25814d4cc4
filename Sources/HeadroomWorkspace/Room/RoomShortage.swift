//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// Why there is no room for something.
public struct RoomShortage: Error, Hashable, Sendable {
    /// A sentence: what does not fit, where, why, and what to do.
    public var message: String
    /// What is missing.
    public var shortBy: ByteCount
    /// What was purged nevertheless: nil if it was clear beforehand that it would not do.
    public var receipt: Receipt?

    public init(_ message: String, shortBy: ByteCount, receipt: Receipt? = nil) {
        self.message = message
        self.shortBy = shortBy
        self.receipt = receipt
    }
}

/// What keeps room from being made.
public enum RoomError: Error, Hashable, Sendable {
    /// There is not enough, whatever may be spent.
    case short(RoomShortage)
    /// It could not be found out, or not be done.
    case failed(HeadroomError)
}
