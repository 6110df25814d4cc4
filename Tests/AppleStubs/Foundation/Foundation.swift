//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom uses of Foundation, declared in our own words from its public documentation and from
// swift-foundation and swift-corelibs-foundation. The availability is Apple's, so that the compiler
// refuses what our oldest systems do not have. Values: the other files of this folder.

@_exported import Darwin
@_exported import Dispatch

public typealias TimeInterval = Double

/// Nothing of a stub is ever run.
func stub<T>() -> T { preconditionFailure("a stub") }

open class NSObject: Hashable, Equatable {
    public init() {}
    public static func == (left: NSObject, right: NSObject) -> Bool { stub() }
    public func hash(into hasher: inout Hasher) {}
}

public protocol NSObjectProtocol: AnyObject {}

extension NSObject: NSObjectProtocol {}

open class NSNumber: NSObject, @unchecked Sendable {
    public var boolValue: Bool { stub() }
    public var intValue: Int { stub() }
    public var int64Value: Int64 { stub() }
    public var uint64Value: UInt64 { stub() }
}

public func NSHomeDirectory() -> String { stub() }
public func NSTemporaryDirectory() -> String { stub() }

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { stub() }
    public var failureReason: String? { stub() }
    public var recoverySuggestion: String? { stub() }
}

extension Error {
    public var localizedDescription: String { stub() }
}

open class NSError: NSObject, Error, @unchecked Sendable {
    public var domain: String { stub() }
    public var code: Int { stub() }
    public var userInfo: [String: Any] { stub() }
    public init(domain: String, code: Int, userInfo: [String: Any]? = nil) { stub() }
}

/// What the compiler calls for `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { stub() }

public let NSPOSIXErrorDomain = "NSPOSIXErrorDomain"
public let NSCocoaErrorDomain = "NSCocoaErrorDomain"

public struct CocoaError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var fileNoSuchFile: Code { stub() }
        public static var fileReadNoSuchFile: Code { stub() }
        public static var fileReadNoPermission: Code { stub() }
        public static var fileWriteNoPermission: Code { stub() }
        public static var fileWriteOutOfSpace: Code { stub() }
        public static var fileWriteVolumeReadOnly: Code { stub() }
        public static var featureUnsupported: Code { stub() }
    }
    public var code: Code { stub() }
    public var underlying: (any Error)? { stub() }
}

public struct POSIXErrorCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int32
    public init?(rawValue: Int32) { self.rawValue = rawValue }
}

public struct POSIXError: Error, Hashable, Sendable {
    public var code: POSIXErrorCode { stub() }
}

open class ProcessInfo: NSObject, @unchecked Sendable {
    public static var processInfo: ProcessInfo { stub() }
    public var environment: [String: String] { stub() }
    public var processIdentifier: Int32 { stub() }
    public var operatingSystemVersion: OperatingSystemVersion { stub() }
    public var operatingSystemVersionString: String { stub() }
    public var isLowPowerModeEnabled: Bool { stub() }
}

public struct OperatingSystemVersion: Sendable {
    public var majorVersion: Int
    public var minorVersion: Int
    public var patchVersion: Int
}

open class Bundle: NSObject, @unchecked Sendable {
    public class var main: Bundle { stub() }
    public var bundlePath: String { stub() }
    public var bundleURL: URL { stub() }
    public var bundleIdentifier: String? { stub() }
    public func object(forInfoDictionaryKey key: String) -> Any? { stub() }
    public func url(forResource name: String?, withExtension ext: String?) -> URL? { stub() }
}

public enum QualityOfService: Int, Sendable {
    case userInteractive = 0x21
    case userInitiated = 0x19
    case utility = 0x11
    case background = 0x09
    case `default` = -1
}

open class OperationQueue: NSObject, @unchecked Sendable {
    public class var main: OperationQueue { stub() }
    public override init() { super.init() }
    public var maxConcurrentOperationCount: Int {
        get { stub() }
        set {}
    }
    public var underlyingQueue: DispatchQueue? {
        get { stub() }
        set {}
    }
}

open class NotificationCenter: NSObject, @unchecked Sendable {
    public class var `default`: NotificationCenter { stub() }
    public func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { stub() }
    public func removeObserver(_ observer: Any) {}
}

public struct Notification {
    public struct Name: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
    public var name: Name { stub() }
    public var object: Any? { stub() }
}

public typealias NSNotification = NotificationNames

/// The real one is a class of Foundation with the same type in it.
public enum NotificationNames {
    public typealias Name = Notification.Name
}

extension Notification.Name {
    @available(iOS, introduced: 9.0, deprecated: 27.0)
    @available(tvOS, introduced: 9.0, deprecated: 27.0)
    @available(watchOS, introduced: 2.0, deprecated: 27.0)
    @available(visionOS, introduced: 1.0, deprecated: 27.0)
    @available(macOS, unavailable)
    public static var NSBundleResourceRequestLowDiskSpace: Notification.Name { stub() }
}

@available(macOS 10.10, *)
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
open class NSBackgroundActivityScheduler: NSObject {
    public enum Result: Int, Sendable {
        case finished = 1
        case deferred = 2
    }
    public typealias CompletionHandler = @Sendable (Result) -> Void
    public init(identifier: String) { super.init() }
    public var identifier: String { stub() }
    public var repeats: Bool {
        get { stub() }
        set {}
    }
    public var interval: TimeInterval {
        get { stub() }
        set {}
    }
    public var tolerance: TimeInterval {
        get { stub() }
        set {}
    }
    public var qualityOfService: QualityOfService {
        get { stub() }
        set {}
    }
    public var shouldDefer: Bool { stub() }
    public func schedule(_ block: @escaping @Sendable (@escaping CompletionHandler) -> Void) {}
    public func invalidate() {}
}
