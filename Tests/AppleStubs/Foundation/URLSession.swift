//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

open class URLResponse: NSObject, @unchecked Sendable {
    public var url: URL? { stub() }
    public var expectedContentLength: Int64 { stub() }
    public var mimeType: String? { stub() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public var statusCode: Int { stub() }
    public func value(forHTTPHeaderField field: String) -> String? { stub() }
}

public struct URLRequest: Hashable, Sendable {
    public enum CachePolicy: UInt, Sendable { case reloadIgnoringLocalCacheData = 1 }
    public init(
        url: URL, cachePolicy: CachePolicy = .reloadIgnoringLocalCacheData,
        timeoutInterval: TimeInterval = 60
    ) { stub() }
    public var url: URL? { stub() }
    public var httpMethod: String? {
        get { stub() }
        set {}
    }
    public var timeoutInterval: TimeInterval {
        get { stub() }
        set {}
    }
    public var cachePolicy: CachePolicy {
        get { stub() }
        set {}
    }
    public var allHTTPHeaderFields: [String: String]? {
        get { stub() }
        set {}
    }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
    public func value(forHTTPHeaderField field: String) -> String? { stub() }
}

public typealias NSURLRequest = URLRequest

public struct URLError: Error, Hashable, Sendable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static var cancelled: Code { stub() }
        public static var timedOut: Code { stub() }
        public static var cannotFindHost: Code { stub() }
        public static var cannotConnectToHost: Code { stub() }
        public static var networkConnectionLost: Code { stub() }
        public static var notConnectedToInternet: Code { stub() }
    }
    public var code: Code { stub() }
    public init(_ code: Code) { stub() }
}

open class URLCache: NSObject, @unchecked Sendable {
    public class var shared: URLCache {
        get { stub() }
        set {}
    }
    public var memoryCapacity: Int {
        get { stub() }
        set {}
    }
    public var diskCapacity: Int {
        get { stub() }
        set {}
    }
    public var currentMemoryUsage: Int { stub() }
    public var currentDiskUsage: Int { stub() }
    public func removeAllCachedResponses() {}
    public func removeCachedResponses(since date: Date) {}
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    public class var ephemeral: URLSessionConfiguration { stub() }
    public class var `default`: URLSessionConfiguration { stub() }
    public var urlCache: URLCache? {
        get { stub() }
        set {}
    }
    public var requestCachePolicy: NSURLRequest.CachePolicy {
        get { stub() }
        set {}
    }
    public var httpMaximumConnectionsPerHost: Int {
        get { stub() }
        set {}
    }
}

open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload }
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) { stub() }
    public func dataTask(with request: URLRequest) -> URLSessionDataTask { stub() }
    public func finishTasksAndInvalidate() {}
    public func invalidateAndCancel() {}
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public var taskIdentifier: Int { stub() }
    public var response: URLResponse? { stub() }
    public var originalRequest: URLRequest? { stub() }
    public func resume() {}
    public func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
