//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// How long items have to be unused: the same option for plan, purge, reserve, clean and simulate.
struct IdleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Skip items used within this time; 0s skips none. Default: 1h for temporary items, 10min for caches.",
            valueName: "age"),
        transform: Values.age)
    var minIdle: Duration?

    var value: MinIdle { minIdle.map { MinIdle($0) } ?? .standard }
}
