//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomEngine
public import SystemPackage

/// What protection throws: a code for programs, and a sentence for people that says what failed, on
/// what, why, and what to do.
public struct ProtectionError: Error, Hashable, Sendable {
    public var code: Code
    public var message: String
    /// The system's error number behind it.
    public var cause: Errno?

    public init(_ code: Code, _ message: String, cause: Errno? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// A kind of failure. New codes may appear in any release.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case locked, wrongPassphrase, noKeyBag, keyBagExists, damagedKeyBag, otherKeyBag
            case damaged, unsupported, notProtected, alreadyProtected, invalid, busy, changed, io
        }
        private let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        public var description: String { value.rawValue }

        /// The key is not there: unlock, and try again. Nothing is lost.
        public static let locked = Code(.locked)
        public static let wrongPassphrase = Code(.wrongPassphrase)
        /// There is no key bag in this place.
        public static let noKeyBag = Code(.noKeyBag)
        /// There is one already; another in its place would lose all files.
        public static let keyBagExists = Code(.keyBagExists)
        /// The key bag is not as it was written, and neither is its copy.
        public static let damagedKeyBag = Code(.damagedKeyBag)
        /// The file was protected with another key bag.
        public static let otherKeyBag = Code(.otherKeyBag)
        /// The file is not as it was written: damaged, cut off, or altered.
        public static let damaged = Code(.damaged)
        /// It was written by a later version, or cannot be protected here.
        public static let unsupported = Code(.unsupported)
        /// The file is not encrypted.
        public static let notProtected = Code(.notProtected)
        public static let alreadyProtected = Code(.alreadyProtected)
        /// Input that cannot be used: an empty passphrase, a range before the beginning.
        public static let invalid = Code(.invalid)
        /// Somebody else is at it.
        public static let busy = Code(.busy)
        /// The file changed while it was worked on, and stays as it is.
        public static let changed = Code(.changed)
        /// Any other failed system call.
        public static let io = Code(.io)
    }
}

extension ProtectionError: CustomStringConvertible {
    public var description: String { message }
}

extension ProtectionError {
    /// Translates the error of an operation on a path.
    init(_ operation: String, _ path: FilePath, _ cause: Errno) {
        let error = HeadroomError(operation, path, cause)
        self.init(.io, error.message, cause: cause)
    }

    static func locked(_ path: FilePath, _ level: ProtectionLevel) -> ProtectionError {
        ProtectionError(
            .locked,
            "Could not read \(path.displayText): it is protected (\(level.name)) and locked. "
                + "Unlock it, and try again.")
    }

    static func damaged(_ path: FilePath, _ what: String) -> ProtectionError {
        ProtectionError(
            .damaged,
            "Could not read \(path.displayText): \(what). Restore it from a backup; what can be read "
                + "of it is still there.")
    }

    static func noMemory(_ error: Errno) -> ProtectionError {
        ProtectionError(
            .io, "There is no memory for a key (\(error)). Close programs, and try again.",
            cause: error)
    }
}
#endif
