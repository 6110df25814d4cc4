//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom calls of Dispatch, declared in our own words; see swift-corelibs-libdispatch.

open class DispatchObject: @unchecked Sendable {
    init() {}
}

public struct DispatchQoS: Sendable, Equatable {
    public static let background = DispatchQoS()
    public static let utility = DispatchQoS()
    public static let userInitiated = DispatchQoS()
    public static let unspecified = DispatchQoS()
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 2)
    }

    public static var main: DispatchQueue { stub() }
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = []
    ) { stub() }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}

public typealias dispatch_queue_t = DispatchQueue

/// Nothing of a stub is ever run.
private func stub<T>() -> T { preconditionFailure("a stub") }
