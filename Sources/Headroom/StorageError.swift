//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
import HeadroomWorkspace
public import SystemPackage

/// What the library throws: a code for programs, and a sentence for people that says what failed, on
/// what, why, and what to do.
public struct StorageError: Error, Hashable, Sendable {
    public var code: Code
    public var message: String
    /// The system's error number behind it.
    public var cause: Errno?
    /// What is missing to do it; nil unless space is what is missing.
    public var shortBy: ByteCount?
    /// What was purged before it failed; nil: nothing was.
    public var receipt: Receipt?
    /// What the server has answered; nil unless its answer is what is wrong.
    public var httpStatus: Int?

    public init(
        _ code: Code, _ message: String, cause: Errno? = nil, shortBy: ByteCount? = nil,
        receipt: Receipt? = nil, httpStatus: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.shortBy = shortBy
        self.receipt = receipt
        self.httpStatus = httpStatus
    }

    /// A kind of failure. New codes may appear in any release.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case insufficientSpace, invalidName, invalidOwner, noContainer, notPermitted, readOnly,
                unsupported, refused, busy, storeFull, keysMissing
            case notFound, io, httpStatus, network, timedOut, corrupt, cancelled
        }
        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        public var description: String { value.rawValue }

        /// The volume, or a quota on it, has not enough room, and what may be spent is not enough.
        public static let insufficientSpace = Code(.insufficientSpace)
        /// A name that is empty, absolute, leads elsewhere, or is reserved.
        public static let invalidName = Code(.invalidName)
        public static let invalidOwner = Code(.invalidOwner)
        /// The directory is no container of a known layout.
        public static let noContainer = Code(.noContainer)
        /// The system does not let us.
        public static let notPermitted = Code(.notPermitted)
        /// The volume is mounted read-only.
        public static let readOnly = Code(.readOnly)
        /// The file system has no such operation or attribute.
        public static let unsupported = Code(.unsupported)
        /// Understood and not done, because it is not safe.
        public static let refused = Code(.refused)
        /// Somebody else is at it.
        public static let busy = Code(.busy)
        /// A cache store is at its limit, and all that is in it is pinned or in use.
        public static let storeFull = Code(.storeFull)
        /// Content there has to be encrypted, and no keys were given.
        public static let keysMissing = Code(.keysMissing)
        public static let notFound = Code(.notFound)
        /// Any other failed system call.
        public static let io = Code(.io)
        /// The server has answered, and not with what was asked for: see
        /// ``StorageError/httpStatus``.
        public static let httpStatus = Code(.httpStatus)
        /// The server could not be reached, or the connection broke off.
        public static let network = Code(.network)
        /// Nothing came for longer than is waited.
        public static let timedOut = Code(.timedOut)
        /// What came is not what was announced or expected: another length, another digest.
        public static let corrupt = Code(.corrupt)
        /// The task was cancelled.
        public static let cancelled = Code(.cancelled)
    }
}

extension StorageError: CustomStringConvertible {
    public var description: String { message }
}

extension StorageError {
    /// Translates what the engine throws.
    package init(_ error: HeadroomError) {
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .notPermitted: .notPermitted
            case .readOnly: .readOnly
            case .unsupported: .unsupported
            case .refused, .invalid: .refused
            case .busy: .busy
            case .noSpace: .insufficientSpace
            case .storeFull: .storeFull
            default: .io
            }
        self.init(code, error.message, cause: error.cause)
    }
}

extension StorageError {
    /// Translates what the engine throws, for modules above.
    package init(engine error: HeadroomError) { self.init(error) }
}

extension StorageError {
    /// Translates what keeps room from being made.
    init(_ error: RoomError) {
        switch error {
        case .failed(let error): self.init(error)
        case .short(let shortage):
            self.init(
                .insufficientSpace, shortage.message, shortBy: shortage.shortBy,
                receipt: shortage.receipt)
        }
    }
}
