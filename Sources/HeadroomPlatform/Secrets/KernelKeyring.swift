//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

/// Secrets in the kernel's keyring of the user (`keyrings(7)`): never swapped, never dumped, dropped after
/// a time by the kernel itself, and all of them when the machine starts anew or the user's last
/// process ends.
///
/// Every process of the user sees them; other users and their root-less containers do not. All throw
/// `ENOTSUP` on other systems, and `ENOSYS` or `EPERM` where a sandbox forbids it.
package enum KernelKeyring {
    /// Puts a secret there in place of what has its name.
    ///
    /// - Parameter lifetime: in whole seconds, at least one; nil: for ever.
    package static func store(
        _ secret: SecretBytes, named name: String, lifetime: Duration?
    ) throws(Errno) {
        let key = unsafe try secret.withBytes { (bytes) throws(Errno) in
            try call { unsafe hr_keyring_add(name, bytes.baseAddress, bytes.count) }
        }
        // Zero would lift the timeout that the key had before.
        let seconds = lifetime.map { max(1, $0.components.seconds) } ?? 0
        do throws(Errno) {
            _ = try call { hr_keyring_set_timeout(key, UInt32(clamping: seconds)) }
        } catch {
            _ = hr_keyring_invalidate(key)
            throw error
        }
    }

    /// - Parameter count: how long it is.
    /// - Returns: nil if there is none of that name and length, or its time is over.
    package static func secret(named name: String, count: Int) throws(Errno) -> SecretBytes? {
        guard let key = try find(name) else { return nil }
        var length = -1
        let secret = unsafe try SecretBytes(count: count) { (buffer) throws(Errno) in
            do throws(Errno) {
                length = Int(
                    try call { unsafe hr_keyring_read(key, buffer.baseAddress, buffer.count) })
            } catch {
                guard isGone(error) else { throw error }
            }
        }
        return length == count ? secret : nil
    }

    /// Lets its time begin anew.
    package static func renew(_ name: String, lifetime: Duration) throws(Errno) {
        guard let key = try find(name) else { return }
        let seconds = UInt32(clamping: max(1, lifetime.components.seconds))
        _ = try call { hr_keyring_set_timeout(key, seconds) }
    }

    /// - Returns: whether there was one.
    package static func remove(_ name: String) throws(Errno) -> Bool {
        guard let key = try find(name) else { return false }
        _ = try call { hr_keyring_invalidate(key) }
        return true
    }

    private static func find(_ name: String) throws(Errno) -> Int? {
        do throws(Errno) {
            return try call { unsafe hr_keyring_find(name) }
        } catch {
            guard isGone(error) else { throw error }
            return nil
        }
    }

    private static func call(_ body: () -> Int) throws(Errno) -> Int {
        let result = body()
        if result < 0 { throw .current }
        return result
    }

    private static func isGone(_ error: Errno) -> Bool {
        #if os(Linux)
        // ENOKEY, EKEYEXPIRED, EKEYREVOKED.
        return (126...128).contains(error.rawValue)
        #else
        return false
        #endif
    }
}
