//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCache
import HeadroomPlatform

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key of a ``TypedCache``: something that has a text of its own, which must not change between versions of an
/// app.
public protocol CacheKey: Sendable {
    /// Of at most 1,024 bytes; the same for equal keys, another for others.
    var cacheKey: String { get }
}

extension String: CacheKey {
    /// In the form of Unicode in which Swift compares strings: equal ones may have other bytes.
    public var cacheKey: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return String(decoding: _nfcCodeUnits, as: UTF8.self)
    }
}

extension Int: CacheKey {
    public var cacheKey: String { String(self) }
}

extension URL: CacheKey {
    public var cacheKey: String { absoluteString }
}

extension UUID: CacheKey {
    public var cacheKey: String { uuidString }
}

/// A view of a ``CacheStore`` with keys and values of some type, beside others in the same store.
///
///     let episodes = TypedCache<URL, Episode>(in: store, named: "episodes")
///     try await episodes.put(episode, for: feed)
///     let episode = try await episodes.value(for: feed)
public struct TypedCache<Key: CacheKey, Value: Codable & Sendable>: Sendable {
    public let store: CacheStore
    private let prefix: String
    private let encode: @Sendable (Value) throws -> Data
    private let decode: @Sendable (Data) throws -> Value

    /// - Parameters:
    ///   - name: in front of all its keys, with a slash; slashes and percent signs in it are escaped, so
    ///     that no key of another is one of this. Change it when the type of the values changes so that
    ///     old ones cannot be read.
    ///   - encode: nil: as JSON.
    ///   - decode: what was encoded.
    public init(
        in store: CacheStore, named name: String,
        encode: (@Sendable (Value) throws -> Data)? = nil,
        decode: (@Sendable (Data) throws -> Value)? = nil
    ) {
        self.store = store
        prefix = Self.escaped(name) + "/"
        self.encode = encode ?? { try JSONEncoder().encode($0) }
        self.decode = decode ?? { try JSONDecoder().decode(Value.self, from: $0) }
    }

    private static func escaped(_ name: String) -> String {
        name.cacheKey.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "/": escaped += "%2F"
            case "%": escaped += "%25"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Puts a value under a key. Does not block.
    ///
    /// - Throws: ``StorageError``, and what encoding throws.
    public func put(
        _ value: Value, for key: Key, _ attributes: CacheAttributes = CacheAttributes()
    ) async throws {
        try await store.put(encode(value), for: prefix + key.cacheKey, attributes)
    }

    /// The value of a key; nil if there is none, or it cannot be decoded: what another version of the app has put
    /// stays there until it is replaced.
    public func value(for key: Key) async throws(StorageError) -> Value? {
        guard let data = try await store.data(for: prefix + key.cacheKey) else { return nil }
        return try? decode(data)
    }

    /// The value of a key; made and put if there is none.
    ///
    /// - Parameter make: its time is what the value costs to get again, if nothing else is said.
    /// - Returns: what was made also when it could not be put, or what is there could not be read.
    /// - Throws: what `make` throws.
    public func value(
        for key: Key, _ attributes: CacheAttributes = CacheAttributes(),
        orMake make: () async throws -> Value
    ) async throws -> Value {
        // A cache that cannot be read, or cannot take it, is no reason not to have it.
        if let value = try? await value(for: key) { return value }
        let clock = ContinuousClock()
        let start = clock.now
        let value = try await make()
        var attributes = attributes
        if attributes.cost == .zero { attributes.cost = clock.now - start }
        try? await put(value, for: key, attributes)
        return value
    }

    /// Whether there is a value under a key, as far as the index says.
    public func contains(_ key: Key) -> Bool { store.contains(prefix + key.cacheKey) }

    /// Removes the value of a key.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: Key) async throws(StorageError) -> Bool {
        try await store.remove(prefix + key.cacheKey)
    }
}
