//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// R37: what holds for every command, so that a new one is noticed.
@Suite("R37: all commands", .blocks)
struct AllCommandTests {
    @Test(.tags(.r37g)) func eachHasAnExampleHere() throws {
        let examples = try AllCommands().examples
        let names = Set(try AllCommands.list().map(\.name))
        #expect(names == Set(examples.keys))
    }

    @Test(.tags(.r37g)) func eachThatReportsDoesItInJSON() throws {
        let place = try AllCommands()
        let examples = place.examples
        for (name, command) in try AllCommands.list() {
            guard let example = examples[name] else { continue }  // Told above.
            #expect(command.takesJSON == example.reports, "\(name)")
            guard example.reports else { continue }
            // What one of them deletes the next may want.
            let place =
                if case .looks = example.effect { place } else { try AllCommands(for: name) }
            let again = try #require(place.examples[name])
            let words = name.split(separator: " ").map(String.init)
            let result = try place.home.run(words + ["--json"] + again.arguments)
            #expect([0, 3, 4].contains(result.exitCode), "\(name): \(result)")
            let documents = result.output.split(separator: "\n")
            #expect(!documents.isEmpty, "\(name) prints nothing: \(result)")
            for document in documents {
                let value = try? JSONSerialization.jsonObject(with: Data(document.utf8))
                let schema = (value as? [String: Any])?["schema"] as? String
                #expect(schema?.hasPrefix("headroom.") == true, "\(name): \(document)")
                #expect(schema != "headroom.error/1", "\(name): \(document)")
            }
        }
    }

    @Test(.tags(.r37h)) func thoseThatOnlyLookLeaveAllAsItWas() throws {
        let place = try AllCommands()
        try #require(try place.hasWhatMayGo())
        var before = try place.state()
        for (name, example) in place.examples.sorted(by: { $0.key < $1.key }) {
            guard case .looks = example.effect else { continue }
            let words = name.split(separator: " ").map(String.init)
            let result = try place.home.run(words + example.arguments)
            #expect([0, 3, 4].contains(result.exitCode), "\(name): \(result)")
            let after = try place.state()
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(changed.isEmpty, "\(name): \(changed.sorted())")
            before = after
        }
        // All the while there was something that could have gone.
        #expect(try place.hasWhatMayGo())
        #expect(try place.home.run("purge", "--all", "--yes").exitCode == 0)
        #expect(try place.state() != before)
    }

    /// The sentences of the program's help that say what deletes.
    private func whatDeletes() throws -> [String] {
        let help = try Program.run(["--help"]).output
        let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.split(separator: ".").filter { $0.contains("delete") }.map(String.init)
    }

    @Test(arguments: [
        "trash put --permanently", "dir remove --contents", "serve in every mode",
    ])
    func whatDeletesInOneWayOnlyIsNamedSo(spoken: String) throws {
        let named = try whatDeletes()
        #expect(named.contains { $0.contains(spoken) }, "help does not name \(spoken)")
    }

    @Test(.tags(.r37h)) func noneDeletesButThoseThatAreNamedSo() throws {
        let named = try whatDeletes()
        for (name, example) in try AllCommands(for: "any").examples {
            let words = name.split(separator: " ").map(String.init)
            switch example.effect {
            case .looks: break
            case .deletes:
                // `tasks` is what is named of `tasks run`.
                let spoken = name == "tasks run" ? "tasks" : name
                #expect(named.contains { $0.contains(spoken) }, "help does not name \(name)")
            case .changes(let names):
                let place = try AllCommands(for: name)
                let before = try place.contents()
                let again = try #require(place.examples[name])
                let result = try place.home.run(words + again.arguments)
                #expect(result.exitCode == 0, "\(name): \(result)")
                let after = try place.contents()
                for (path, bytes) in before where !path.hasPrefix("state/") {
                    // What was in the trash is back where it was.
                    let isBack = name == "trash restore" && path.contains("Trash/")
                    // A thread of this process ends the store that it has closed, and writes so there.
                    let isOurs = path == "store/index.log"
                    guard !names.contains(path), !isBack, !isOurs else { continue }
                    #expect(after[path] == bytes, "\(name): \(path)")
                }
                // What moves is somewhere.
                for path in names where name == "trash put" {
                    let bytes = try #require(before[path])
                    #expect(after.values.contains(bytes), "\(path)")
                }
                if name == "trash restore" {
                    #expect(after["home/Documents/thrown"] != nil)
                }
            }
        }
    }
}
