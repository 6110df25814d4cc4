//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
package import HeadroomPlatform

/// How long items have to be unused before a purge may take them (R43): a program may need a file again after it
/// has closed it.
public struct MinIdle: Hashable, Sendable {
    public var temporary: Duration
    public var cache: Duration
    public var lastResort: Duration

    /// One hour for temporary items, ten minutes for caches and last-resort items.
    public static let standard = MinIdle(
        temporary: .seconds(3600), cache: .seconds(600), lastResort: .seconds(600))

    /// No item is too young.
    public static let none = MinIdle(temporary: .zero, cache: .zero, lastResort: .zero)

    public init(temporary: Duration, cache: Duration, lastResort: Duration) {
        self.temporary = temporary
        self.cache = cache
        self.lastResort = lastResort
    }

    /// The same time for all classes.
    public init(_ duration: Duration) {
        self.init(temporary: duration, cache: duration, lastResort: duration)
    }

    /// For each class the longer time: automatic purges never use a shorter one than the standard.
    public func atLeast(_ other: MinIdle) -> MinIdle {
        MinIdle(
            temporary: max(temporary, other.temporary), cache: max(cache, other.cache),
            lastResort: max(lastResort, other.lastResort))
    }

    /// The time for a class.
    public subscript(_ purgeClass: PurgeableClass) -> Duration {
        switch purgeClass {
        case .temporary: temporary
        case .cache: cache
        case .lastResort: lastResort
        }
    }
}

/// The moments from which on a use counts as recent, for a request.
///
/// Whole seconds, as the inventory keeps them.
struct IdleCutoffs {
    private let temporary: UInt32
    private let cache: UInt32
    private let lastResort: UInt32

    init(_ request: PlanRequest) {
        func cutoff(_ idle: Duration) -> UInt32 {
            guard idle > .zero else { return .max }
            return UInt32(clampedSeconds: request.idleNow.advanced(by: .zero - idle))
        }
        // mutation: r43a-1
        temporary = cutoff(request.minIdle.temporary)
        // mutation: r43a-2
        cache = cutoff(request.minIdle.cache)
        lastResort = cutoff(request.minIdle.lastResort)
    }

    /// The time after which a use is recent. Items of the Trash have waited already.
    func since(_ rank: OrderKey.Rank) -> UInt32 {
        switch rank {
        case .temporary: temporary
        case .cache: cache
        case .lastResort: lastResort
        case .expiredTrash, .olderTrash: .max
        }
    }
}

extension PlanRequest {
    /// Why something that was used at a time is kept: "used 40 s ago; purged after 10 min without use".
    ///
    /// - Parameter now: nil: the time of the request.
    package func recentUse(
        _ used: UInt32, _ purgeClass: PurgeableClass, now: Timestamp? = nil
    ) -> Reason {
        let age = (now ?? idleNow).duration(since: Timestamp(seconds: Int64(used)))
        let ago = age < .seconds(1) ? "used just now" : "used \(age.ageDescription) ago"
        return Reason(
            .recentlyUsed, "\(ago); purged after \(minIdle[purgeClass].ageDescription) without use")
    }
}
