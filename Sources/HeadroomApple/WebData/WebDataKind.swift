//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A kind of data that web views keep.
public enum WebDataKind: String, Hashable, Sendable, CaseIterable {
    case diskCache
    case memoryCache
    /// What pages have fetched and put aside (the Cache API).
    case fetchCache
    case cookies
    case sessionStorage
    case localStorage
    case webSQL
    case indexedDB
    case serviceWorkers
    /// Files of pages, in a file system of their own.
    case fileSystem

    /// Whether it can be had again without anybody noticing.
    public var isCache: Bool {
        switch self {
        // mutation: r32f-1 (2 lines)
        case .diskCache, .memoryCache, .fetchCache: true
        case .cookies, .sessionStorage, .localStorage, .webSQL, .indexedDB, .serviceWorkers,
            .fileSystem:
            // They are what keeps a person logged in, and what they wrote.
            false
        }
    }

    /// What is removed unless more is asked for.
    public static let caches = Set(allCases.filter(\.isCache))
}
