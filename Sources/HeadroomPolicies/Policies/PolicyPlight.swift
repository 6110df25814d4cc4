//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// What a volume lacks that purging cannot give: people have to be told.
public struct PolicyPlight: Hashable, Sendable {
    /// Where the volume is mounted.
    public var volume: FilePath
    public var need: PolicyNeed
    /// All that might go, in bytes or inodes.
    public var eligible: Int64

    public init(volume: FilePath, need: PolicyNeed, eligible: Int64) {
        self.volume = volume
        self.need = need
        self.eligible = eligible
    }
}

extension PolicyPlight: CustomStringConvertible {
    /// A sentence: what is missing where, what there would be, and what to do.
    public var description: String {
        "\(volume.displayText) is at \(need.level.name): \(need.text(need.available)) are available, "
            + "\(need.text(need.shortage)) are missing, and all that may go is "
            + "\(need.text(eligible)): only temporary content goes. Free space by hand (headroom "
            + "clean), or say what else may go (headroom mark PATH --purgeable)."
    }
}
