//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What Headroom calls of BackgroundTasks, declared in our own words. The framework is not in the SDKs of
// watchOS, nor for native programs in that of macOS: Scripts/check-apple leaves it out there.

public import Foundation

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTaskRequest: NSObject {
    public var identifier: String { preconditionFailure("a stub") }
    public var earliestBeginDate: Date?
}

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGProcessingTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init() }
    public var requiresNetworkConnectivity = false
    public var requiresExternalPower = false
}

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { super.init() }
}

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTask: NSObject {
    public var identifier: String { preconditionFailure("a stub") }
    public var expirationHandler: (() -> Void)?
    public func setTaskCompleted(success: Bool) {}
}

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGProcessingTask: BGTask {}

@available(iOS 13.0, tvOS 13.0, visionOS 1.0, *)
open class BGTaskScheduler: NSObject {
    public struct Error: Swift.Error {
        public enum Code: Int, Sendable {
            case unavailable = 1
            case tooManyPendingTaskRequests = 2
            case notPermitted = 3
            case immediateRunIneligible = 4
        }
        public var code: Code { preconditionFailure("a stub") }
    }
    public class var shared: BGTaskScheduler { preconditionFailure("a stub") }
    public func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool { false }
    @available(iOS, introduced: 13.0, deprecated: 27.0)
    @available(tvOS, introduced: 13.0, deprecated: 27.0)
    @available(visionOS, introduced: 1.0, deprecated: 27.0)
    public func submit(_ request: BGTaskRequest) throws {}
    @available(iOS 27.0, tvOS 27.0, visionOS 27.0, *)
    public func submitTaskRequest(
        _ request: BGTaskRequest,
        completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {}
    public func getPendingTaskRequests(
        completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
    ) {}
    public func cancel(taskRequestWithIdentifier identifier: String) {}
}
