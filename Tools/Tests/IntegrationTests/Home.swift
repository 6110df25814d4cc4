//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A home of its own with a ledger of its own, in which the real binary works.
struct Home {
    let directory: TemporaryDirectory
    /// How far the clock of the programs in it is ahead, in seconds.
    let clockOffset: Int

    init(on base: TemporaryDirectory.Base = .memory, clockOffset: Int = 0) throws {
        self.clockOffset = clockOffset
        directory = try TemporaryDirectory(on: base)
        try tree.directory("home/.cache")
        try tree.directory("home/Documents")
        try tree.directory("home/tmp")
    }

    var tree: Tree { directory.tree }
    var path: FilePath { directory.path.appending("home") }

    var environment: [String: String?] {
        // Variables of tools lead to real caches.
        var environment: [String: String?] = [:]
        for name in Catalogue.standard.variables { environment.updateValue(nil, forKey: name) }
        let own: [String: String?] = [
            "HOME": path.string, "TMPDIR": path.appending("tmp").string,
            "HEADROOM_STATE_DIRECTORY": directory.path.appending("state").string,
            "XDG_CACHE_HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_DATA_HOME": nil,
            "XDG_STATE_HOME": nil, "NO_COLOR": nil,
        ]
        return environment.merging(own) { $1 }
            .merging(ClockOffset.environment(clockOffset)) { $1 }
    }

    func run(_ arguments: String...) throws -> ChildResult { try run(arguments) }

    func run(_ arguments: [String]) throws -> ChildResult {
        try Program.run(Self.ignoringIdleTimes(arguments), environment: environment)
    }

    func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            Program.path, Self.ignoringIdleTimes(arguments), environment: environment)
    }

    /// The files of a test were just written; separate tests cover idle times.
    static func ignoringIdleTimes(_ arguments: [String]) -> [String] {
        let commands = ["plan", "purge", "room", "clean", "simulate", "status", "explain"]
        guard let command = arguments.first, commands.contains(command),
            !arguments.contains("--min-idle"), !arguments.contains("--help")
        else { return arguments }
        return [command, "--min-idle", "0s"] + arguments.dropFirst()
    }

    /// A file in the cache that was last used long ago, as far as a test can make it so.
    func cache(_ name: String, size: ByteCount = .kilobytes(40), age: Duration = .seconds(0))
        throws
    {
        let path = TreePath(stringLiteral: "home/.cache/" + name)
        try tree.file(path, size: size)
        if age > .zero { try tree.age(path, by: age) }
    }

    func exists(_ path: String) -> Bool { tree.exists(TreePath(stringLiteral: "home/" + path)) }

    /// Everything there is, by path and contents, for "nothing changed".
    func listing() throws -> String {
        try ChildProcess.run(
            "find", [path.string, "-printf", "%P %i %s %T@ %C@\\n"]
        ).output
    }
}

extension ChildResult {
    /// The value of a member of a JSON document, as it stands there: the first of that name.
    func json(_ name: String) -> Substring? {
        guard let start = output.range(of: "\"\(name)\":") else { return nil }
        return output[start.upperBound...].prefix { $0 != "," && $0 != "}" && $0 != "]" }
    }
}

extension ChildResult {
    /// The values of all members of a name, in their order.
    func values(_ name: String) -> [String] {
        output.components(separatedBy: "\"\(name)\":").dropFirst().map { rest in
            String(rest.prefix { $0 != "," && $0 != "}" && $0 != "]" })
        }
    }
}

extension String {
    /// Where a text stands first.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
