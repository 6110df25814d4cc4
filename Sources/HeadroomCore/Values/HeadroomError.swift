//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// What the engine throws: a code for programs and a message for people that says what failed, on
/// what, why, and what to do.
public struct HeadroomError: Error, Hashable, Sendable {
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
        package enum Value: String {
            case notFound, notPermitted, readOnly, unsupported, invalid, refused, busy, damaged
            case noSpace, storeFull, io
        }
        private let value: Value

        package init(_ value: Value) {
            self.value = value
        }

        public var description: String { value.rawValue }

        /// No such file or directory.
        public static let notFound = Code(.notFound)
        /// The system does not let us.
        public static let notPermitted = Code(.notPermitted)
        /// The volume, or the mount through which the path leads, is read-only (`EROFS`).
        public static let readOnly = Code(.readOnly)
        /// The file system has no such operation or attribute (`EOPNOTSUPP`, `ENOSYS`, `ENOTTY`).
        public static let unsupported = Code(.unsupported)
        /// Input that cannot be understood.
        public static let invalid = Code(.invalid)
        /// Understood and not done, because it is not safe.
        public static let refused = Code(.refused)
        /// Somebody else is at it.
        public static let busy = Code(.busy)
        /// A file of ours is not as we wrote it.
        public static let damaged = Code(.damaged)
        public static let noSpace = Code(.noSpace)
        /// A cache store is at its limit, and all that is in it is pinned or in use.
        public static let storeFull = Code(.storeFull)
        /// Any other failed system call.
        public static let io = Code(.io)
    }
}

extension HeadroomError: CustomStringConvertible {
    public var description: String { message }
}

extension HeadroomError {
    /// Translates the error of an operation on a path.
    ///
    /// - Parameter operation: as it stands in the sentence, "read", "open", "lock".
    public init(_ operation: String, _ path: FilePath, _ cause: Errno) {
        let (code, advice): (Code, String) =
            switch cause {
            case .noSuchFileOrDirectory: (.notFound, "Check the path.")
            case .permissionDenied, .notPermitted: (.notPermitted, Self.permissionAdvice)
            case .notDirectory: (.invalid, "Name a directory.")
            case .noSpace: (.noSpace, "The volume is full.")
            // mutation: r46b-1
            case .readOnlyFileSystem: (.readOnly, Self.readOnlyAdvice)
            case .notSupported, .noFunction, .inappropriateIOCTLForDevice:
                // mutation: r46b-2
                (.unsupported, "The file system does not support this.")
            default: (.io, "")
            }
        let detail = advice.isEmpty ? "\(cause)." : "\(cause). \(advice)"
        self.init(code, "Could not \(operation) \(path.displayText): \(detail)", cause: cause)
    }

    static let readOnlyAdvice = "The volume is mounted read-only. Remount it read-write first."

    /// The advice for a missing permission.
    package static var permissionAdvice: String { permissionAdvice(user: User.effective) }

    /// Root has no other user to turn to: flags, mandatory access control or a network server refuse it.
    package static func permissionAdvice(user: UInt32) -> String {
        // mutation: s12c-4
        user == 0
            ? "Root is refused by a flag of the file (lsattr), a security module, or a network server."
            : "Run as the user who owns it, or as root."
    }
}

extension FilePath {
    /// The path for people: control characters and bytes that are not UTF-8 as `\xNN`, and characters that
    /// turn the reading direction or hide as `\u{202E}`.
    public var displayText: String {
        unsafe withCString { base in
            let all = unsafe UnsafeRawBufferPointer(start: base, count: length)
            // Most paths: printable ASCII.
            if unsafe all.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) {
                return unsafe String(decoding: all, as: UTF8.self)
            }
            var text = ""
            var bytes = unsafe all[...]
            while let byte = unsafe bytes.first {
                var iterator = unsafe bytes.makeIterator()
                var decoder = UTF8()
                if case .scalarValue(let scalar) = unsafe decoder.decode(&iterator),
                    scalar != "\u{FFFD}", !(0x80..<0xA0).contains(scalar.value)
                {
                    if scalar.isControl {
                        text += scalar.escaped
                    } else {
                        text.unicodeScalars.append(scalar)
                    }
                    unsafe bytes = bytes.dropFirst(UTF8.width(scalar))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    text += "\\x" + (digits.count == 1 ? "0" : "") + digits
                    unsafe bytes = bytes.dropFirst()
                }
            }
            return text
        }
    }
}
