//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What is to be asked of modules when their turn comes.
struct ModuleRequest: Sendable {
    /// What was missing; nil: nothing, only quotas are kept.
    var bytes: ByteCount?
    /// Where it was missing.
    var volume: FilePath?
    /// How much is to be available there.
    var target: ByteCount = .zero
    var level: PressureLevel
    var trigger: CleaningTrigger
    var through: PurgeableClass

    /// What is missing of it now: while it waited for its turn, those before it may have freed the same.
    ///
    /// - Parameter available: nil: not known.
    /// - Returns: nil if nothing is: then only quotas are kept.
    func missing(available: ByteCount?) -> ByteCount? {
        guard let bytes, let available else { return bytes }
        return target > available ? min(bytes, target - available) : nil
    }
}
