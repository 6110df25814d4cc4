//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomTestSupport
import SystemPackage

/// What a run of `Tests/BudgetDriver` has asked of the system, counted by strace.
struct TracedCalls {
    /// By the name of the call.
    private(set) var calls: [String: Int] = [:]
    /// The same of those alone that name one of the files of the test's own trees: what a purge looks at in
    /// `/proc` depends on the machine.
    private(set) var callsOnFiles: [String: Int] = [:]
    /// What it says that it has done, by the word before the number.
    private(set) var figures: [String: Int] = [:]

    static let program = BuiltProgram.path("BudgetDriver")

    /// Whether calls can be counted here: some machines have strace and forbid what it does.
    static let isPossible: Bool = {
        guard program != nil, Privilege.has(program: "strace") else { return false }
        // What cannot be tried is not possible.
        let result = try? ChildProcess.run("strace", ["-f", "-qq", "-o", "/dev/null", "true"])
        return result?.succeeded == true
    }()

    /// Before a command, where that may be: its own `/proc`, since a look at it costs by who else is there.
    private static let apart: [String] = {
        let command = ["unshare", "--pid", "--fork", "--mount-proc"]
        let result = try? ChildProcess.run(command[0], command.dropFirst() + ["true"])
        return result?.succeeded == true ? command : []
    }()

    /// Runs the program under strace.
    static func run(
        _ work: String, _ directory: FilePath, count: Int = 0, bytes: Int = 0
    ) throws -> TracedCalls {
        let trace = try TemporaryDirectory(on: .memory)
        let file = trace.path.appending("trace")
        let command =
            apart + ["strace", "-f", "-qq", "-o", file.string]
            + [program ?? "", work, directory.string, "\(count)", "\(bytes)"]
        let result = try ChildProcess.run(command[0], Array(command.dropFirst()))
        guard result.succeeded else {
            throw FixtureError("BudgetDriver", on: work, details: result.output + result.errors)
        }
        return TracedCalls(
            trace: try trace.tree.contents(of: "trace"), output: result.output)
    }

    /// Runs the program by itself.
    static func prepare(
        _ work: String, _ directory: FilePath, count: Int, bytes: Int
    ) throws {
        let result = try ChildProcess.run(
            program ?? "", [work, directory.string, "\(count)", "\(bytes)"])
        guard result.succeeded else {
            throw FixtureError("BudgetDriver", on: work, details: result.output + result.errors)
        }
    }

    private init(trace: [UInt8], output: String) {
        // Each line is a process, spaces, and a call with its arguments, the rest of one, or a signal.
        for line in trace.split(separator: UInt8(ascii: "\n")) {
            let call = line.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }
            let name = call.prefix { $0 != UInt8(ascii: "(") }
            guard name.count < call.count, let first = name.first,
                first != UInt8(ascii: "<"), first != UInt8(ascii: "-"), first != UInt8(ascii: "+")
            else { continue }
            // What older versions of strace do not know has a number for its name.
            let text = String(decoding: name, as: UTF8.self)
            calls[text == "syscall_0x1d0" ? "getxattrat" : text, default: 0] += 1
            if Self.namesFile(call) { callsOnFiles[text, default: 0] += 1 }
        }
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { figures[String(words[0])] = number }
        }
    }

    /// Whether an argument is `"f` with a number, as ``Tree/files(_:in:size:)`` names its files.
    private static func namesFile(_ call: ArraySlice<UInt8>) -> Bool {
        let quote = UInt8(ascii: "\"")
        guard let start = call.firstIndex(of: quote) else { return false }
        let name = call[(start + 1)...].prefix { $0 != quote }
        return name.first == UInt8(ascii: "f") && name.count > 1
            && name.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// How often calls were made.
    func count(_ names: [String]) -> Int { names.reduce(0) { $0 + calls[$1, default: 0] } }

    func countOnFiles(_ names: [String]) -> Int {
        names.reduce(0) { $0 + callsOnFiles[$1, default: 0] }
    }

    var total: Int { calls.values.reduce(0, +) }
}

/// What something may cost: calls of some names, or allocations, for each thing that is done.
struct CallBudget {
    enum Cost {
        case calls([String])
        /// Those that name a file of the tree.
        case callsOnFiles([String])
        case allCalls
        case allocations
    }

    var name: String
    var counted: Cost
    var most: Double

    /// The same of calls that name a file of the tree.
    var onFiles: CallBudget {
        guard case .calls(let names) = counted else { return self }
        return CallBudget(name: "\(name) of files", counted: .callsOnFiles(names), most: most)
    }

    /// All that looks at a file's status.
    static func status(_ most: Double) -> CallBudget {
        CallBudget(
            name: "status", counted: .calls(["statx", "newfstatat", "fstat", "stat", "lstat"]),
            most: most)
    }

    static func open(_ most: Double) -> CallBudget {
        CallBudget(name: "open", counted: .calls(["open", "openat", "openat2"]), most: most)
    }

    static func list(_ most: Double) -> CallBudget {
        CallBudget(name: "list", counted: .calls(["getdents64"]), most: most)
    }

    static func attributes(_ most: Double) -> CallBudget {
        CallBudget(
            name: "attributes",
            counted: .calls(["getxattrat", "getxattr", "lgetxattr", "fgetxattr"]), most: most)
    }

    static func calls(_ name: String, _ most: Double) -> CallBudget {
        CallBudget(name: name, counted: .calls([name]), most: most)
    }

    static func all(_ most: Double) -> CallBudget {
        CallBudget(name: "all calls", counted: .allCalls, most: most)
    }

    static func allocations(_ most: Double) -> CallBudget {
        CallBudget(name: "allocations", counted: .allocations, most: most)
    }

    /// What one more costs: by the difference of two runs, so that what a run costs by itself is out of it.
    ///
    /// - Parameter things: how many more things the second run has done.
    func cost(_ first: TracedCalls, _ second: TracedCalls, things: Int) -> Double {
        let difference: Int
        switch counted {
        case .calls(let names): difference = second.count(names) - first.count(names)
        case .callsOnFiles(let names):
            difference = second.countOnFiles(names) - first.countOnFiles(names)
        case .allCalls: difference = second.total - first.total
        case .allocations:
            difference =
                second.figures["allocations", default: 0] - first.figures["allocations", default: 0]
        }
        return Double(difference) / Double(things)
    }
}
#endif
