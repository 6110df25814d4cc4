//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why the system's background scheduler was not asked, or said no: a code for programs, and a sentence for
/// people.
public struct BackgroundError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// A kind of failure. New codes may appear in any release.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let value: String

        public var description: String { value }

        /// The app has finished launching: the system ends an app that registers now.
        public static let tooLate = Code(value: "tooLate")
        /// Somebody else in this process has registered the identifier: the system ends an app that does
        /// it twice.
        public static let alreadyRegistered = Code(value: "alreadyRegistered")
        /// Nothing can be submitted before it is registered: the system ends an app that does.
        public static let notRegistered = Code(value: "notRegistered")
        /// The identifier or the background mode is not in the app's Info.plist.
        public static let notPermitted = Code(value: "notPermitted")
        /// There are no background tasks here: the simulator, an extension, or a person has switched
        /// them off.
        public static let unavailable = Code(value: "unavailable")
        /// The app has as many requests pending as the system takes.
        public static let tooManyRequests = Code(value: "tooManyRequests")
        /// Anything else.
        public static let failed = Code(value: "failed")
    }
}
