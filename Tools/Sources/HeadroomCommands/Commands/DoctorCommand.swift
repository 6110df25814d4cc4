//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// `headroom doctor`
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what works on this machine, and what that means.",
        discussion: "Changes nothing.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: false)
        try output.print(DoctorReport.make(workspace))
    }
}
