//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public enum DirectoryHint: Sendable {
        case isDirectory, notDirectory, checkFileSystem, inferFromPath
    }

    public init?(string: String) { stub() }
    public init(fileURLWithPath path: String) { stub() }
    public init(fileURLWithPath path: String, isDirectory: Bool) { stub() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public init(
        filePath: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo: URL? = nil
    ) { stub() }
    public var description: String { stub() }
    public var absoluteString: String { stub() }
    public var absoluteURL: URL { stub() }
    public var path: String { stub() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func path(percentEncoded: Bool = true) -> String { stub() }
    public var scheme: String? { stub() }
    public var host: String? { stub() }
    public var port: Int? { stub() }
    public var isFileURL: Bool { stub() }
    public var lastPathComponent: String { stub() }
    public var pathExtension: String { stub() }
    public var standardizedFileURL: URL { stub() }
    public func appendingPathComponent(_ component: String) -> URL { stub() }
    public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { stub() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending(
        path: String, directoryHint: DirectoryHint = .inferFromPath
    ) -> URL { stub() }
    public func deletingLastPathComponent() -> URL { stub() }
    public func withUnsafeFileSystemRepresentation<R>(
        _ body: (UnsafePointer<Int8>?) throws -> R
    ) rethrows -> R { stub() }

    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
        stub()
    }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
    public mutating func removeAllCachedResourceValues() {}
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var homeDirectory: URL { stub() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var temporaryDirectory: URL { stub() }
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static var cachesDirectory: URL { stub() }
}

public struct URLResourceKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var volumeTotalCapacityKey: URLResourceKey { stub() }
    public static var volumeAvailableCapacityKey: URLResourceKey { stub() }
    @available(macOS 10.13, iOS 11.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var volumeAvailableCapacityForImportantUsageKey: URLResourceKey { stub() }
    @available(macOS 10.13, iOS 11.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public static var volumeAvailableCapacityForOpportunisticUsageKey: URLResourceKey { stub() }
    public static var isExcludedFromBackupKey: URLResourceKey { stub() }
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public static var isPurgeableKey: URLResourceKey { stub() }
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public static var mayShareFileContentKey: URLResourceKey { stub() }
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public static var volumeSupportsFileProtectionKey: URLResourceKey { stub() }
    @available(macOS 10.11, iOS 9.0, tvOS 9.0, watchOS 2.0, *)
    public static var fileProtectionKey: URLResourceKey { stub() }
    public static var isUbiquitousItemKey: URLResourceKey { stub() }
}

/// A get-only property here is one that Apple's has no setter for.
public struct URLResourceValues {
    public init() { stub() }
    public var allValues: [URLResourceKey: Any] { stub() }
    public var volumeTotalCapacity: Int? { stub() }
    public var volumeAvailableCapacity: Int? { stub() }
    #if os(macOS) || os(iOS)
    public var volumeAvailableCapacityForImportantUsage: Int64? { stub() }
    public var volumeAvailableCapacityForOpportunisticUsage: Int64? { stub() }
    #endif
    public var isExcludedFromBackup: Bool? {
        get { stub() }
        set {}
    }
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public var isPurgeable: Bool? { stub() }
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public var mayShareFileContent: Bool? { stub() }
    @available(macOS 11.0, iOS 9.0, tvOS 9.0, watchOS 2.0, *)
    public var fileProtection: URLFileProtection? { stub() }
    public var isUbiquitousItem: Bool? { stub() }
}

@available(*, unavailable)
extension URLResourceValues: Sendable {}

@available(macOS 11.0, iOS 9.0, tvOS 9.0, watchOS 2.0, *)
public struct URLFileProtection: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

public struct FileProtectionType: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var none: FileProtectionType { stub() }
    public static var complete: FileProtectionType { stub() }
    public static var completeUnlessOpen: FileProtectionType { stub() }
    public static var completeUntilFirstUserAuthentication: FileProtectionType { stub() }
    @available(iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    @available(macOS, unavailable)
    public static var completeWhenUserInactive: FileProtectionType { stub() }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var protectionKey: FileAttributeKey { stub() }
    public static var size: FileAttributeKey { stub() }
}

open class FileManager: NSObject, @unchecked Sendable {
    public class var `default`: FileManager { stub() }
    @available(macOS 10.12, *)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @available(visionOS, unavailable)
    public var homeDirectoryForCurrentUser: URL { stub() }
    public var temporaryDirectory: URL { stub() }
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { stub() }
    public func setAttributes(
        _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
    ) throws {}
    public func createDirectory(
        at url: URL, withIntermediateDirectories: Bool,
        attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    public func fileExists(atPath path: String) -> Bool { stub() }
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { stub() }
    @available(macOS 10.8, iOS 11.0, visionOS 1.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public func trashItem(
        at url: URL, resultingItemURL: UnsafeMutablePointer<NSURL?>?
    ) throws {}
}

open class NSURL: NSObject, @unchecked Sendable {
    public init(fileURLWithPath path: String) { super.init() }
    open var path: String? { stub() }
    public func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {}
}

public struct URLComponents: Hashable, Sendable {
    public init?(url: URL, resolvingAgainstBaseURL: Bool) { stub() }
    public init?(string: String) { stub() }
    public var scheme: String?
    public var host: String?
    public var path: String
    public var query: String?
    public var fragment: String?
    public var user: String?
    public var password: String?
    public var url: URL? { stub() }
    public var string: String? { stub() }
}
