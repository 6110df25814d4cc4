//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine

/// The entry of another program's command among those of `headroom`, for help, completions and manual pages.
///
/// It is never run: the other program is started before arguments are parsed.
struct ExternalCommandEntry<Arguments: ExternalArguments>: ParsableCommand {
    static var configuration: CommandConfiguration { Arguments.configuration }

    @OptionGroup var arguments: Arguments
}

/// The entry of `headroom config`.
struct ConfigEntry: ParsableCommand {
    static let configuration = ConfigArguments.configuration([
        ExternalCommandEntry<ConfigCheckArguments>.self,
        ExternalCommandEntry<ConfigShowArguments>.self,
    ])
}
