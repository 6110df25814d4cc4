//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The way from directories and targets to a plan, with progress on the way.
struct PlanJob {
    var workspace: Workspace
    var scope: Scope
    var showsProgress: Bool

    init(_ options: AreaOptions, in workspace: Workspace, showsProgress: Bool) throws {
        self.workspace = workspace
        self.showsProgress = showsProgress
        scope =
            if let tmpfiles = options.tmpfiles {
                workspace.scope(try Self.read(tmpfiles))
            } else if options.paths.isEmpty {
                workspace.scope()
            } else {
                try workspace.scope(
                    paths: options.paths.map(Paths.absolute), as: options.purgeClass,
                    unit: options.unit ?? .file, areGroups: options.layout == .group)
            }
        for note in scope.notes { Diagnostics.say(note.text) }
        guard options.tmpfiles == nil, options.paths.isEmpty else { return }
        for note in try DaemonView(workspace).notes { Diagnostics.say(note) }
    }

    private static func read(_ choice: TmpfilesChoice) throws -> TmpfilesRules {
        let rules = try choice.rules()
        for finding in rules.findings { Diagnostics.say(finding.text) }
        return rules
    }

    /// Scans what is in the scope.
    ///
    /// - Throws: the exit code of an interruption; ``HeadroomError`` if a root cannot be opened.
    func scan() throws -> Inventory {
        let progress = ScanProgress()
        let inventory = try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in try scope.scan(progress: progress) })
        guard inventory.isComplete else { throw ExitStatus.interrupted.code }
        if inventory.failureCount > 0 {
            let places = inventory.failureCount.counted("place")
            let example = inventory.failures.first.map { ", \($0.path.displayText) for one" } ?? ""
            Diagnostics.say("\(places) could not be read\(example): what is there stays.")
        }
        return inventory
    }

    /// Scans and plans.
    func plan(_ options: TargetOptions) throws -> Plan {
        let inventory = try scan()
        var request = try scope.request(targets: options.targets, through: options.through)
        request.sparing = options.sparing
        request.includesUnprofitable = options.includeLinked
        return Planner.plan(inventory, request)
    }
}
