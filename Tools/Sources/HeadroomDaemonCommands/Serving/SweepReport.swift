//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// What `headroom sweep` has done.
struct SweepReport: Report {
    static let schema = "headroom.sweep/1"

    var mode: ServiceMode
    var results: [PolicyResult]
    var events: [AutomationEvent]
    var wasInterrupted = false

    var status: ExitStatus {
        if wasInterrupted { return .interrupted }
        if results.contains(where: { if case .failed = $0.outcome { true } else { false } }) {
            return .failed
        }
        return results.allSatisfy(\.isComplete) ? .done : .targetNotReached
    }

    private var modules: [ModuleReport] {
        events.flatMap { event -> [ModuleReport] in
            if case .modules(let run) = event { return run.modules }
            return []
        }
    }

    /// Why something was not done.
    private var reasons: [Reason] {
        events.compactMap { event in
            if case .putOff(_, _, let reason) = event { return reason }
            return nil
        }
    }

    private var withheld: [FilePath] {
        events.flatMap { event -> [FilePath] in
            if case .withheld(let places) = event { return places }
            return []
        }
    }

    private var proposed: [PlanEntry] {
        events.compactMap { event in
            if case .wouldRemove(let entry, _) = event { return entry }
            return nil
        }
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("mode", mode.rawValue)
        json.member("completed", !wasInterrupted)
        json.array("results") { json in
            for result in results { json.object { Self.write(result, to: &$0) } }
        }
        json.array("proposed") { json in
            for entry in proposed {
                json.object { json in
                    json.member("path", entry.path)
                    json.member("class", entry.purgeClass.name)
                    json.member("bytes", entry.bytes)
                    json.member("reason", entry.reason)
                }
            }
        }
        json.array("modules") { json in
            for module in modules {
                json.object { json in
                    json.member("id", module.id)
                    json.member("bytes", module.after ?? module.before)
                    json.member("quotaBytes", module.quota)
                    json.member("text", "\(module)")
                }
            }
        }
        json.array("withheld") { json in
            for path in withheld { json.object { $0.member("path", path) } }
        }
        json.array("putOff") { json in
            for reason in reasons { json.object { $0.member("reason", reason) } }
        }
    }

    private static func write(_ result: PolicyResult, to json: inout JSONWriter) {
        if let volume = result.volume { json.member("volume", volume) }
        json.member("purpose", result.step.purpose.name)
        json.member("trigger", result.trigger.name)
        json.member("outcome", word(for: result.outcome))
        json.member("plannedBytes", result.planned)
        json.member("plannedItems", result.plannedItems)
        json.member("receipt", result.receipt?.id)
        json.member("expectedBytes", result.receipt?.expected)
        json.member("gainedBytes", result.gained)
        json.member("complete", result.isComplete)
        json.member("text", "\(result)")
        json.array("plights") { json in
            for plight in result.plights { json.object { $0.member("text", "\(plight)") } }
        }
    }

    private static func word(for outcome: PolicyResult.Outcome) -> String {
        switch outcome {
        case .nothing: "nothing"
        case .proposed: "proposed"
        case .purged: "purged"
        case .busy: "busy"
        case .failed: "failed"
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        for result in results { document.add(StyledText("\(result)")) }
        for plight in results.flatMap(\.plights) {
            document.add(StyledText("\(plight)", .warning))
        }
        for entry in proposed.prefix(Self.shown) {
            document.add(
                StyledText("would remove \(entry.path.displayText), \(entry.bytes): ", .faint)
                    + StyledText(entry.reason.text, .faint))
        }
        if proposed.count > Self.shown {
            let more = proposed.count - Self.shown
            document.add(StyledText("and \(more.grouped) more, with --json", .faint))
        }
        for module in modules { document.add(StyledText("\(module)")) }
        for path in withheld {
            document.add(
                StyledText("\(path.displayText) is left alone: its declaration is new.", .faint))
        }
        for reason in reasons { document.add(StyledText(reason.text, .faint)) }
        if results.isEmpty, reasons.isEmpty {
            document.add(StyledText("There is nothing to do: no volume has areas."))
        }
        document.addBlank()
        document.add(
            StyledText(
                mode.deletesByItself
                    ? "Next: headroom log · headroom status"
                    : "Nothing was deleted: mode \(mode.rawValue). Next: headroom config show",
                .faint))
        return document
    }

    private static let shown = 20
}
