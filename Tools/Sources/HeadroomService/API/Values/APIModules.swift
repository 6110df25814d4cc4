//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests

/// A module that a person has chosen, with what it says that it holds.
struct APIChosenModule: Encodable, Sendable {
    var id: String
    var name: String
    var bytes: Int64

    init(_ module: Cleanable) {
        id = APICleanable.id(of: module)
        name = module.name.apiShort
        bytes = (module.allocated ?? .zero).apiSize
    }

    var cost: Int { 60 + AnswerBudget.cost(id) + AnswerBudget.cost(name) }
}

/// What a module has done when a person let it clean.
package struct APIModuleReport: Encodable, Hashable, Sendable {
    var id: String
    var name: String
    var outcome: String
    var beforeBytes: Int64?
    var afterBytes: Int64?
    var freedBytes: Int64
    var text: String

    init(_ report: ModuleReport) {
        id = "module:\(report.id.apiShort)"
        name = report.displayName.apiShort
        outcome =
            switch report.outcome {
            case .cleaned: "cleaned"
            case .notNeeded: "notNeeded"
            case .failed: "failed"
            case .timedOut: "timedOut"
            case .stillRunning: "stillRunning"
            case .cancelled: "cancelled"
            }
        beforeBytes = report.before?.apiSize
        afterBytes = report.after?.apiSize
        freedBytes = report.freed.apiSize
        text = "\(report)".apiShort
    }

    /// As many as fit into a job, of which an answer may have many.
    static func list(_ reports: [ModuleReport]) -> [APIModuleReport] {
        var budget = AnswerBudget(15_000)
        var list: [APIModuleReport] = []
        for report in reports {
            let next = APIModuleReport(report)
            let words = [next.id, next.name, next.text]
            guard budget.admits(words.reduce(200) { $0 + AnswerBudget.cost($1) }) else { break }
            list.append(next)
        }
        return list
    }
}

extension ModuleReport {
    /// Why a module did not say what it holds; nil: it did.
    var trouble: String? {
        switch outcome {
        case .cleaned, .notNeeded: nil
        case .failed(let words): "does not say what it holds: \(words)"
        case .timedOut: "did not say in its time what it holds"
        case .stillRunning: "has not yet returned from an earlier call"
        case .cancelled: "was not measured: looking was stopped"
        }
    }
}
