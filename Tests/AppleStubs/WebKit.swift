//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom calls of WebKit, declared in our own words from its documentation and its open source.

public import Foundation

public let WKWebsiteDataTypeDiskCache = "WKWebsiteDataTypeDiskCache"
public let WKWebsiteDataTypeMemoryCache = "WKWebsiteDataTypeMemoryCache"
public let WKWebsiteDataTypeFetchCache = "WKWebsiteDataTypeFetchCache"
public let WKWebsiteDataTypeCookies = "WKWebsiteDataTypeCookies"
public let WKWebsiteDataTypeSessionStorage = "WKWebsiteDataTypeSessionStorage"
public let WKWebsiteDataTypeLocalStorage = "WKWebsiteDataTypeLocalStorage"
public let WKWebsiteDataTypeWebSQLDatabases = "WKWebsiteDataTypeWebSQLDatabases"
public let WKWebsiteDataTypeIndexedDBDatabases = "WKWebsiteDataTypeIndexedDBDatabases"
public let WKWebsiteDataTypeServiceWorkerRegistrations =
    "WKWebsiteDataTypeServiceWorkerRegistrations"
@available(macOS 13.0, iOS 16.0, visionOS 1.0, *)
public let WKWebsiteDataTypeFileSystem = "WKWebsiteDataTypeFileSystem"

@available(macOS 10.11, iOS 9.0, visionOS 1.0, *)
@MainActor
open class WKWebsiteDataRecord: NSObject {
    public var displayName: String { preconditionFailure("a stub") }
    public var dataTypes: Set<String> { preconditionFailure("a stub") }
}

@available(macOS 10.11, iOS 9.0, visionOS 1.0, *)
@MainActor
open class WKWebsiteDataStore: NSObject {
    public class func `default`() -> WKWebsiteDataStore { preconditionFailure("a stub") }
    public class func allWebsiteDataTypes() -> Set<String> { [] }
    public func fetchDataRecords(
        ofTypes types: Set<String>,
        completionHandler: @escaping @MainActor @Sendable ([WKWebsiteDataRecord]) -> Void
    ) {}
    public func removeData(
        ofTypes types: Set<String>, for records: [WKWebsiteDataRecord],
        completionHandler: @escaping @MainActor @Sendable () -> Void
    ) {}
    public func removeData(
        ofTypes types: Set<String>, modifiedSince date: Date,
        completionHandler: @escaping @MainActor @Sendable () -> Void
    ) {}
}
