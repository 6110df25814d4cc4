//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport

/// Cases: made up from a seed, done again from their operations, and shrunk.
enum ModelCase {
    /// Whether the tests' directories are on a file system that keeps all that the model speaks of.
    static let isPossible: Bool = {
        // What cannot be tried is not possible.
        (try? TemporaryDirectory.with(on: .memory) { directory in
            try directory.tree.file("file")
            let ledger = MemoryMarkLedger()
            let marks = MarkStore(calls: NativeCalls.make(), ledger: ledger)
            let place = try marks.update(directory.tree.path("file")) { $0.isPinned = true }
            return try place == .attribute && directory.tree.status(of: "file").created != nil
        }) ?? false
    }()

    struct Result {
        var operations: [ModelOperation] = []
        var failure: ModelFailure?
        var tally = ModelTally()
    }

    /// Makes up a case and plays it until engine and model differ.
    static func play(seed: UInt64, steps: Int) -> Result {
        var result = Result()
        do {
            let run = try ModelRun()
            var generator = ModelGenerator(seed: seed)
            for _ in 0..<steps {
                let operation = generator.next(run.world)
                result.operations.append(operation)
                result.failure = failure { try run.perform(operation) }
                if result.failure != nil { break }
            }
            result.tally = run.tally
        } catch {
            result.failure = ModelFailure(.broken, "\(error)")
        }
        return result
    }

    /// Plays operations.
    static func replay(_ operations: [ModelOperation]) -> ModelFailure? {
        failure {
            let run = try ModelRun()
            for operation in operations { try run.perform(operation) }
        }
    }

    private static func failure(_ body: () throws -> Void) -> ModelFailure? {
        do {
            try body()
            return nil
        } catch let failure as ModelFailure {
            return failure
        } catch {
            return ModelFailure(.broken, "\(error)")
        }
    }

    /// A report of a failed case: the seed, and the fewest operations that fail in the same way.
    static func report(seed: UInt64, _ result: Result, _ failure: ModelFailure) -> String {
        let shrunk = Shrinking.shrunk(result.operations) { operations in
            replay(operations)?.kind == failure.kind
        }
        // What did not fail again was disturbed from outside, or is a matter of time: told as it was.
        let again = replay(shrunk)
        let lines = shrunk.map { "  \($0)" }.joined(separator: "\n")
        return """
            HEADROOM_SEED=\(seed)
            \(again ?? failure)\(again == nil ? " (not when it was done again)" : "")
            \(shrunk.count) of \(result.operations.count) operations:
            \(lines)
            """
    }
}

/// Delta debugging: the fewest of a list that still fail.
enum Shrinking {
    /// Leaves out parts, halves first and single ones at last, as long as the rest fails.
    ///
    /// - Parameters:
    ///   - limit: how often it may be tried.
    ///   - fails: whether a list fails; asked of shorter ones only.
    /// - Returns: a list of which none can be left out alone, unless the limit was reached.
    static func shrunk<Element>(
        _ list: [Element], limit: Int = 1_000, _ fails: ([Element]) -> Bool
    ) -> [Element] {
        var list = list
        var tries = 0
        var length = max(1, list.count / 2)
        while true {
            var hasShrunk = false
            // From the end, since what comes late depends on what came before.
            var end = list.count
            while end > 0, tries < limit {
                let part = max(0, end - length)..<end
                var rest = list
                rest.removeSubrange(part)
                tries += 1
                if fails(rest) {
                    list = rest
                    hasShrunk = true
                }
                end = part.lowerBound
            }
            if length == 1, !hasShrunk || tries >= limit { return list }
            length = hasShrunk ? min(length, max(1, list.count / 2)) : max(1, length / 2)
            if tries >= limit { return list }
        }
    }
}
