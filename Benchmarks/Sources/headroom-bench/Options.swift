//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What was asked for on the command line.
struct Options {
    /// What there is to measure.
    enum Subject: String, CaseIterable {
        case scan, purge, plan, live, memory, save, protection, cache, hits, tasks, forecast, all
        /// Makes an inventory of ``Options/tree`` and nothing else, for others to measure.
        case inventory
        /// Carries out a plan of all of ``Options/tree``, and prints what that alone has cost.
        case carryOut = "carry-out"
        /// Changes some files of ``Options/tree``.
        case change
    }

    var subject = Subject.all
    /// The directories in which trees are made, one after another.
    var places: [String] = ["/dev/shm", "/tmp"]
    /// How large the trees are: 1 for a million files.
    var scale = 1.0
    /// How often everything is measured; nil for the subject's own number.
    var rounds: Int?
    /// A tenth of the requests in `hits`, and of the traces in `forecast`.
    var isQuick = false
    /// Whether the caches are emptied before each scan.
    var isCold = false
    /// Whether the way of a progress is shown, and not its worst alone.
    var showsCurves = false
    /// How many percent a progress may be off, in `tasks`, before the program fails; nil: it only says.
    var most: Double?
    /// An existing tree to scan instead of made ones.
    var tree: String?
    /// Where the ledger of a plan that is carried out lies.
    var ledger: String?
    /// The names of the contestants to run; all, if empty.
    var only: Set<String> = []
    /// The program to measure, if it is not where `make` builds it.
    var headroom = ".build/release/headroom"
    /// Further contestants: a name, and a command with `{}` for the directory.
    var others: [(name: String, command: [String])] = []

    static let usage = """
        usage: headroom-bench SUBJECT [OPTIONS]
          scan|purge|plan|live|memory|save|protection|cache|hits|tasks|forecast|all
          --on DIRECTORY         where trees are made; may be repeated (/dev/shm and /tmp)
          --scale FACTOR         size of the trees; 1 is a million files (1); of a cache's entries
          --rounds N             rounds, each with every contestant (5; purge 3, save 15, protection 9)
          --curves               show time and fraction in steps of 5 %, of tasks
          --at-most PERCENT      fail where the progress of tasks is further off than that
          --cold                 empty the caches before each scan; needs root
          --quick                hits, forecast: a tenth of the requests, of the traces
          --tree DIRECTORY       scan an existing tree instead
          --only NAME,NAME       only these contestants (du, gdu, "headroom totals", …); of tasks
                                 these trees, of forecast these traces
          --headroom PATH        the program to measure (.build/release/headroom)
          --command 'NAME=CMD'   one more contestant; {} stands for the directory
        """

    /// - Throws: what is wrong, as a sentence.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var places: [String] = []
        while let argument = rest.popFirst() {
            if let subject = Subject(rawValue: argument) {
                self.subject = subject
                continue
            }
            if argument == "--cold" {
                isCold = true
                continue
            }
            if argument == "--quick" {
                isQuick = true
                continue
            }
            if argument == "--curves" {
                showsCurves = true
                continue
            }
            guard argument.hasPrefix("--") else { throw UsageError("what is \(argument)?") }
            guard let value = rest.popFirst() else { throw UsageError("\(argument) needs a value") }
            switch argument {
            case "--on":
                places.append(value)
            case "--scale":
                guard let scale = Double(value), scale > 0, scale <= 100 else {
                    throw UsageError("--scale takes a number above 0 and at most 100")
                }
                self.scale = scale
            case "--rounds":
                guard let rounds = Int(value), (1...1000).contains(rounds) else {
                    throw UsageError("--rounds takes a number from 1 to 1000")
                }
                self.rounds = rounds
            case "--at-most":
                guard let most = Double(value), most > 0, most <= 100 else {
                    throw UsageError("--at-most takes percents, above 0 and at most 100")
                }
                self.most = most
            case "--tree":
                tree = value
            case "--ledger":
                ledger = value
            case "--only":
                only = Set(value.split(separator: ",").map(String.init))
            case "--headroom":
                headroom = value
            case "--command":
                let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
                let command = parts.last?.split(separator: " ").map(String.init) ?? []
                guard parts.count == 2, command.contains("{}") else {
                    throw UsageError("--command takes NAME=COMMAND with {} for the directory")
                }
                others.append((parts[0], command))
            default:
                throw UsageError("no option \(argument)")
            }
        }
        if !places.isEmpty { self.places = places }
    }
}

/// A command line that cannot be followed.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
