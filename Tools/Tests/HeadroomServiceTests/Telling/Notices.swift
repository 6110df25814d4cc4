//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// Notices for tests.
enum Notices {
    static func make(
        _ kind: Notice.Kind = .cannotHelp, volume: FilePath? = "/data",
        level: PressureLevel? = .critical, text: String = "Too little may go."
    ) -> Notice {
        Notice(
            time: Timestamp(seconds: 1_800_000_000), kind: kind, volume: volume, level: level,
            text: text, figures: ["availableBytes": 3_100_000])
    }
}
