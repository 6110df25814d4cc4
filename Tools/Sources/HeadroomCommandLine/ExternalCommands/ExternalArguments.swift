//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments and the help of a command that another program than `headroom` runs.
///
/// They are here, so that the help, completions and manual pages of `headroom` have the command like any other.
/// Only `run()` is in the other program.
package protocol ExternalArguments: ParsableArguments {
    static var configuration: CommandConfiguration { get }
}
