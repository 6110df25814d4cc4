//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto

extension KeyBag {
    /// Changes the passphrase. Files stay as they are; so does what is unlocked and what is not.
    ///
    /// On disk when it returns. If the process dies meanwhile, the old passphrase works or the new one.
    /// A copy of the bag that was made before still opens with the old one.
    ///
    /// - Throws: ``ProtectionError`` `wrongPassphrase` if the old one is not it; `busy` if another
    ///   process is changing it; as ``unlock(_:)``.
    public func changePassphrase(
        from old: Passphrase, to new: Passphrase, parameters: ScryptParameters = .standard
    ) throws(ProtectionError) {
        let found = try files.read().record
        try checkSame(found)
        let keys = try opened(found, old)
        var record = found
        record.parameters = parameters
        record.salt = Random.bytes(32)
        record.generation += 1
        try keys.seal(into: &record, with: try parameters.key(from: new, salt: record.salt))
        // The work is done: nobody waits for it.
        try replace(found, with: record)
    }
}
#endif
