//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests

/// Modules that a person has chosen, as they were shown.
struct ModuleChoice: Sendable {
    /// Of the configuration that they are of.
    let configuration: Int
    let modules: [Cleanable]

    private static let budget = 100_000

    /// A deep clean has all that are listed.
    ///
    /// - Throws: 400 if they are more than a preview can show.
    init(
        _ selection: CleaningSelection, in look: SeenCleanables.Look, of situation: APISituation
    ) throws(APIError) {
        configuration = situation.number
        let listed = look.sections.flatMap(\.update.items)
        modules = (selection.isDeep ? listed : selection.items).filter {
            $0.action == .module && APICleanable.isSelectable($0)
        }
        var budget = AnswerBudget(Self.budget)
        guard modules.allSatisfy({ budget.admits(APIChosenModule($0).cost) }) else {
            throw .bad("Too many modules are to be cleaned.", advice: "Clean in several steps.")
        }
    }

    /// What each was said to hold, by its id.
    var shown: [String: ByteCount] {
        Dictionary(
            modules.map { ($0.id, $0.allocated ?? .zero) }, uniquingKeysWith: { first, _ in first })
    }
}
