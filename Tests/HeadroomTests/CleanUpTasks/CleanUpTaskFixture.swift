//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A container with a storage, and tasks in the words of a file.
struct CleanUpTaskFixture {
    let base: TemporaryDirectory
    let storage: Storage
    var tree: Tree { base.tree }

    init(on place: TemporaryDirectory.Base = .memory) throws {
        base = try TemporaryDirectory(on: place)
        for name in [
            "Documents", "Library/Caches", "Library/Preferences", "Library/Application Support",
            "tmp",
        ] as [TreePath] { try base.tree.directory("container" / name) }
        storage = try Storage(
            container: URL(filePath: base.path.appending("container").string), owner: "Podcaster",
            ledgerDirectory: base.path.appending("ledger"))
    }

    func path(_ name: String) -> TreePath { "container" / TreePath(stringLiteral: name) }

    func add(_ name: String, kilobytes: Int64 = 8) throws {
        try tree.file(path(name), size: .kilobytes(kilobytes))
    }

    func exists(_ name: String) -> Bool { tree.exists(path(name)) }

    func url(_ name: String) -> URL { URL(filePath: tree.path(path(name)).string) }

    /// Everything there is, as `find` says.
    func everything() throws -> [String] {
        try ChildProcess.run(
            "find",
            [
                base.path.string, "-path", "*/ledger", "-prune", "-o", "-type", "d", "-printf",
                "%P d\\n", "-o", "-printf", "%P %y %s\\n",
            ]
        ).output.split(separator: "\n").map(String.init).sorted()
    }

    /// Runs the tasks to the end.
    func run(
        _ list: CleanUpTaskList, options: CleanUpTaskOptions = CleanUpTaskOptions()
    ) async throws -> CleanUpTaskSummary {
        try #require(
            try await storage.cleanUp(list, options: options).reduce(nil) { $1.summary ?? $0 })
    }

    func run(_ tasks: String) async throws -> CleanUpTaskSummary { try await run(Self.list(tasks)) }

    /// Runs the steps of tasks one after another with other system calls.
    func run(
        _ list: CleanUpTaskList, calls: any FileSystemCalls, _ progress: CleanUpTaskProgress,
        actions: [Duration?] = [], act: (CleanUpTaskProgress) -> Void = { _ in },
        whenMeasured: () -> Void = {}
    ) throws -> CleanUpTaskSummary {
        let workspace = Workspace(
            ledger: Ledger.open(directory: base.path.appending("ledger")) {
                Timestamp.wallClock()
            }, layouts: [], interrupted: [], clock: { Timestamp.wallClock() }, calls: calls)
        let runner = try CleanUpTaskRunner(
            list, in: workspace, containerAt: base.path.appending("container"),
            requester: "test", progress: progress)
        runner.measureBefore(actions: actions)
        runner.clean()
        if !actions.isEmpty { progress.begin(.acting) }
        act(progress)
        runner.measureAfter()
        whenMeasured()
        progress.finish()
        whenMeasured()
        return runner.summary
    }

    /// A list in XML, of the dictionaries of its tasks.
    static func list(_ tasks: String) throws -> CleanUpTaskList {
        try CleanUpTaskList(parsing: Array(xml(tasks).utf8), named: "PurgeableCache.plist")
    }

    static func xml(_ tasks: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <array>
        \(tasks)
        </array>
        </plist>

        """
    }

    static func remove(_ path: String, _ entries: [String]? = nil) -> String {
        "<dict><key>Path</key><string>\(path)</string>"
            + (entries.map { "<key>Entries</key>" + strings($0) } ?? "") + "</dict>"
    }

    static func call(_ name: String, _ selectors: [String]) -> String {
        "<dict><key>Class</key><string>\(name)</string><key>Selectors</key>\(strings(selectors))</dict>"
    }

    private static func strings(_ texts: [String]) -> String {
        "<array>" + texts.map { "<string>\($0)</string>" }.joined() + "</array>"
    }
}
