//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension KeyBag {
    /// The secret, then the seconds that it is kept for from each use, or zero.
    private static let payloadSize = 36

    /// Leaves the keys that are at hand in the kernel's keyring of this user, for other processes of
    /// theirs: ``unlockFromKeyring()``.
    ///
    /// The kernel swaps them nowhere and drops them when their time is over, and at the latest when
    /// the machine starts anew. Whatever runs as this user can use them meanwhile.
    ///
    /// - Parameters:
    ///   - lifetime: for `complete` and `completeUnlessOpen`; nil: until they are locked.
    ///   - inactivity: for `completeWhenUserInactive`, anew from each use.
    /// - Throws: ``ProtectionError`` `unsupported` where there is no such keyring.
    public func leaveInKeyring(
        for lifetime: Duration?, inactivity: Duration
    ) throws(ProtectionError) {
        for level in ClassKeys.levels {
            guard let secret = secret(for: level) else { continue }
            let kept: Duration? =
                switch level {
                case .completeUntilFirstUserAuthentication: nil
                case .completeWhenUserInactive: inactivity
                default: lifetime
                }
            let renewed = level == .completeWhenUserInactive ? inactivity.components.seconds : 0
            do throws(Errno) {
                let payload = try Self.payload(secret, UInt32(clamping: max(0, renewed)))
                try KernelKeyring.store(payload, named: keyName(level), lifetime: kept)
            } catch {
                throw Self.noKeyring(error)
            }
        }
    }

    /// Takes the keys that the keyring has.
    ///
    /// - Returns: the levels whose keys it had.
    /// - Throws: ``ProtectionError`` `unsupported` where there is no such keyring.
    @discardableResult
    public func unlockFromKeyring() throws(ProtectionError) -> Set<ProtectionLevel> {
        var found: Set<ProtectionLevel> = []
        for level in ClassKeys.levels {
            do throws(Errno) {
                let name = keyName(level)
                guard
                    let payload = try KernelKeyring.secret(named: name, count: Self.payloadSize)
                else { continue }
                let (secret, seconds) = try Self.taken(payload)
                if seconds > 0 { try KernelKeyring.renew(name, lifetime: .seconds(seconds)) }
                adopt(secret, for: level)
                found.insert(level)
            } catch {
                throw Self.noKeyring(error)
            }
        }
        return found
    }

    /// Takes keys out of the keyring, and out of this process: ``lock(_:)``. Other processes that
    /// have taken them keep them.
    ///
    /// - Returns: the levels whose keys were there.
    /// - Throws: ``ProtectionError`` `unsupported` where there is no such keyring.
    @discardableResult
    public func lockKeyring(
        _ reason: LockReason = .locked
    ) throws(ProtectionError) -> Set<ProtectionLevel> {
        lock(reason)
        var found: Set<ProtectionLevel> = []
        for level in reason.ended {
            do throws(Errno) {
                // mutation: r37j-2
                if try KernelKeyring.remove(keyName(level)) { found.insert(level) }
            } catch {
                throw Self.noKeyring(error)
            }
        }
        return found
    }

    private func keyName(_ level: ProtectionLevel) -> String {
        let id = bagID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "headroom:\(id):\(level.name)"
    }

    private static func payload(
        _ secret: SecretBytes, _ seconds: UInt32
    ) throws(Errno) -> SecretBytes {
        unsafe try SecretBytes(count: payloadSize) { (buffer) throws(Errno) in
            guard secret.count == payloadSize - 4 else { throw .invalidArgument }
            unsafe secret.withBytes { unsafe buffer.copyMemory(from: $0) }
            var writer = ByteWriter()
            writer.integer(seconds)
            for (number, byte) in writer.bytes.enumerated() {
                unsafe buffer[payloadSize - 4 + number] = byte
            }
        }
    }

    private static func taken(
        _ payload: SecretBytes
    ) throws(Errno) -> (secret: SecretBytes, seconds: UInt32) {
        unsafe try payload.withBytes { (bytes) throws(Errno) in
            // In bounds: it is as long as it was asked for.
            var reader = ByteReader(unsafe Array(bytes[(payloadSize - 4)...])[...])
            let secret = unsafe try SecretBytes(
                UnsafeRawBufferPointer(rebasing: bytes[..<(payloadSize - 4)]))
            return (secret, (try? reader.integer(UInt32.self)) ?? 0)
        }
    }

    private static func noKeyring(_ error: Errno) -> ProtectionError {
        ProtectionError(
            .unsupported,
            "The keys cannot be kept between commands: there is no keyring of the kernel for this "
                + "user here (\(error)). Give the passphrase with each command.", cause: error)
    }
}
#endif
