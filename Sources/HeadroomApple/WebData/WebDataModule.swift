//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
import HeadroomEngine
public import HeadroomPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The caches of web views as a part of the app that can be measured and cleaned.
///
///     storage.register(WebDataModule(storage))
///
/// Cookies, local storage and databases are never touched by it.
public struct WebDataModule: StorageModule {
    public let id = "web-data"
    public var displayName: String { "Web pages" }
    public let quota: ByteCount?

    private let cleaner: WebDataCleaner
    private let measure: @Sendable () async throws -> ByteCount

    package init(
        _ cleaner: WebDataCleaner, quota: ByteCount?,
        measure: @escaping @Sendable () async throws -> ByteCount
    ) {
        self.cleaner = cleaner
        self.quota = quota
        self.measure = measure
    }

    public func usage() async throws -> ByteCount { try await measure() }

    public func clean(_ request: CleaningRequest) async throws {
        // All of it is cache.
        guard request.allowedClass >= .cache else { return }
        try await cleaner.remove()
    }

    /// What lies in WebKit's directory among the caches of a container; it is only looked at.
    package static func size(in storage: Storage) async throws(StorageError) -> ByteCount {
        let directory = storage.root.appendingPathComponent("Library/Caches/WebKit")
        do throws(StorageError) {
            return try await storage.size(of: directory).allocated
        } catch  where error.code == .notFound {
            // No page was ever shown.
            return .zero
        }
    }
}
