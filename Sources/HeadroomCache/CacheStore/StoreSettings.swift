//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// How those who use a store have it behave: in the log, for those who do not know it.
package struct StoreSettings: Hashable, Sendable {
    package var policy: CachePolicy
    var limit: ByteCount
    var entryLimit: Int?
    /// Somebody has had his values put to disk: they are there before they are taken from where they were.
    var isDurable: Bool

    /// - Parameter known: what the log has.
    init(_ options: CacheOptions, _ known: StoreSettings?) {
        policy = options.policy
        limit = options.limit
        entryLimit = options.entryLimit
        // His values may still be there, whoever uses the store now.
        isDurable = options.durability != .none || known?.isDurable == true
    }

    init?(_ reader: inout ByteReader) {
        guard let code = try? reader.integer(UInt8.self), Int(code) < Self.policies.count,
            let limit = try? reader.integer(UInt64.self),
            let entryLimit = try? reader.integer(UInt64.self)
        else { return nil }
        policy = Self.policies[Int(code)]
        self.limit = ByteCount(Int64(clamping: limit))
        self.entryLimit = entryLimit == 0 ? nil : Int(clamping: entryLimit)
        // Nothing was said of it at first.
        isDurable = (try? reader.integer(UInt8.self)).map { $0 != 0 } ?? true
    }

    func write(to writer: inout ByteWriter) {
        // All policies are among them.
        writer.integer(UInt8(Self.policies.firstIndex(of: policy) ?? 0))
        writer.integer(UInt64(clamping: limit.bytes))
        writer.integer(UInt64(clamping: entryLimit ?? 0))
        writer.integer(UInt8(isDurable ? 1 : 0))
    }

    /// Their codes on disk are their places.
    private static let policies: [CachePolicy] = [
        .costAware, .leastRecentlyUsed, .oldestCreated, .sieve,
    ]
}

extension CacheOptions {
    /// The options of somebody who only takes away, by the settings of those who use the store; what is moved is on
    /// disk before its original goes, as those may have asked for.
    init(visiting settings: StoreSettings?) {
        self.init(
            limit: settings?.limit ?? ByteCount(1 << 50), entryLimit: settings?.entryLimit,
            policy: settings?.policy ?? .costAware, durability: .batched)
        heedsPressure = false
        isVisitor = true
    }
}
