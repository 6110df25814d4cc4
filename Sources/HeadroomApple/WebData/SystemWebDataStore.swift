//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(iOS) || os(macOS) || os(visionOS)
import Foundation
public import Headroom
public import HeadroomPlatform
public import WebKit

/// The real store. Nothing is decided here.
private struct SystemWebDataStore: WebDataStoring {
    // A store belongs to the main actor, where all that is asked of it happens.
    private let store: WKWebsiteDataStore

    init(_ store: WKWebsiteDataStore) {
        self.store = store
    }

    @MainActor
    func records(of kinds: Set<WebDataKind>) async -> [WebDataRecord] {
        let types = Set(kinds.map(\.type))
        return await withCheckedContinuation { continuation in
            store.fetchDataRecords(ofTypes: types) { records in
                continuation.resume(
                    returning: records.map { record in
                        WebDataRecord(
                            domain: record.displayName,
                            kinds: kinds.filter { record.dataTypes.contains($0.type) })
                    })
            }
        }
    }

    @MainActor
    func remove(_ kinds: Set<WebDataKind>, ofDomains domains: Set<String>) async {
        let types = Set(kinds.map(\.type))
        await withCheckedContinuation { continuation in
            store.fetchDataRecords(ofTypes: types) { records in
                let chosen = records.filter { domains.contains($0.displayName) }
                store.removeData(ofTypes: types, for: chosen) { continuation.resume() }
            }
        }
    }

    @MainActor
    func remove(_ kinds: Set<WebDataKind>, modifiedSince time: Date) async {
        let types = Set(kinds.map(\.type))
        await withCheckedContinuation { continuation in
            store.removeData(ofTypes: types, modifiedSince: time) { continuation.resume() }
        }
    }
}

extension WebDataKind {
    /// WebKit's name for it.
    fileprivate var type: String {
        switch self {
        case .diskCache: WKWebsiteDataTypeDiskCache
        case .memoryCache: WKWebsiteDataTypeMemoryCache
        case .fetchCache: WKWebsiteDataTypeFetchCache
        case .cookies: WKWebsiteDataTypeCookies
        case .sessionStorage: WKWebsiteDataTypeSessionStorage
        case .localStorage: WKWebsiteDataTypeLocalStorage
        case .webSQL: WKWebsiteDataTypeWebSQLDatabases
        case .indexedDB: WKWebsiteDataTypeIndexedDBDatabases
        case .serviceWorkers: WKWebsiteDataTypeServiceWorkerRegistrations
        case .fileSystem: WKWebsiteDataTypeFileSystem
        }
    }
}

extension WebDataCleaner {
    /// Cleans a store of WebKit's; without one, that of all web views that have no other.
    @MainActor
    public init(_ store: WKWebsiteDataStore? = nil) {
        self.init(SystemWebDataStore(store ?? .default()))
    }
}

extension WebDataModule {
    /// The caches of the web views of the running app.
    ///
    /// - Parameter storage: the app's own: WebKit's directory in its container is measured.
    @MainActor
    public init(_ storage: Storage, quota: ByteCount? = nil) {
        self.init(WebDataCleaner(nil), quota: quota) { try await Self.size(in: storage) }
    }
}
#endif
