//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore

extension CleanUpTaskRunner {
    /// Of a task that calls what is not registered; of the class nothing is, if no selectors are given.
    package func noteUnknown(_ task: CleanUpTask, _ selectors: [String]) {
        update(task.number) { result in
            result.outcome = .refused
            result.problems += selectors.map { selector in
                CleanUpTaskProblem(
                    task, key: "Selectors", .unknownAction,
                    "Nothing is registered as \(selector.quotedForPeople). Register it at every launch, "
                        + "before the clean-up.")
            }
            guard selectors.isEmpty else { return }
            result.problems.append(
                CleanUpTaskProblem(
                    task, key: "Class", .unknownAction,
                    "The program has registered no action of this class. Register it at every launch, "
                        + "before the clean-up."))
        }
    }

    /// Of a task whose actions are another program's.
    func noteElsewhere(_ task: CleanUpTask) {
        guard case .call = task.work else { return }
        update(task.number) { result in
            result.outcome = .refused
            result.problems.append(
                CleanUpTaskProblem(
                    task, key: "Class", .unknownAction,
                    "Actions are called by the program that has registered them, when it cleans up itself."
                ))
        }
    }

    /// An action has returned.
    package func noteAction(_ task: CleanUpTask) {
        update(task.number) { if $0.outcome == .notReached { $0.outcome = .done } }
    }

    /// An action has failed, or was left behind.
    package func noteAction(
        _ task: CleanUpTask, _ selector: String, _ code: Reason.Code, _ text: String
    ) {
        update(task.number) { result in
            result.outcome = .partly
            result.problems.append(
                CleanUpTaskProblem(
                    task, key: "Selectors", code, "\(selector.quotedForPeople): \(text)"))
        }
    }

    /// An action was not called, since the clean-up was stopped.
    package func noteStopped(_ task: CleanUpTask) {
        update(task.number) { if $0.outcome == .done { $0.outcome = .partly } }
    }
}
