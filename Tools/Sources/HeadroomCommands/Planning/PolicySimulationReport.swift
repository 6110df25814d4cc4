//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom simulate --policy` found.
struct PolicySimulationReport: Report {
    static let schema = "headroom.simulate-policy/1"

    var volume: FilePath
    var total: ByteCount
    /// What is available in truth, and what is assumed.
    var available: ByteCount
    var assumed: ByteCount
    var mode: ServiceMode
    var level: PressureLevel?
    var top: Int
    /// In the order in which the service would do them.
    var steps: [PolicyProposal] = []
    /// Why nothing, or not everything, would be done.
    var rests: [Reason] = []
    /// Why something is left out.
    var notes: [Reason] = []

    var status: ExitStatus {
        steps.allSatisfy { $0.plights.isEmpty && isReached($0) } ? .done : .targetNotReached
    }

    private func isReached(_ proposal: PolicyProposal) -> Bool {
        proposal.step.needs.isEmpty || proposal.plan?.reachesTarget ?? false
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("volume", volume)
        json.member("totalBytes", total)
        json.member("availableBytes", available)
        json.member("assumedBytes", assumed)
        json.member("level", level?.name)
        json.member("mode", mode.rawValue)
        json.member("wouldDelete", mode.deletesByItself && steps.contains { !$0.isEmpty })
        json.objects("steps", steps) { json, proposal in
            json.member("purpose", proposal.step.purpose.name)
            json.member("trigger", proposal.trigger.name)
            json.member("through", proposal.step.through?.purgeClass.name)
            json.member("helps", !proposal.step.isHopeless)
            json.objects("needs", proposal.step.needs) { json, need in
                json.member("resource", need.resource.rawValue)
                json.member("available", need.available)
                json.member("target", need.target)
                json.member("shortage", need.shortage)
            }
            json.objects("plights", proposal.plights) { $0.member("text", "\($1)") }
            guard let plan = proposal.plan else { return }
            json.object("plan") { PlanReport(plan: plan, top: top, arguments: "").write(to: &$0) }
        }
        json.objects("rests", rests) { $0.member("reason", $1) }
        json.objects("notes", notes) { $0.member("reason", $1) }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        let share = Double(assumed.bytes) / Double(max(1, total.bytes))
        document.add(
            StyledText("With \(assumed) available on \(volume.displayText)", .strong)
                + StyledText(" (\(share.percentText); now \(available)) the level would be ")
                + StyledText(level?.name ?? "none", level == .normal ? .good : .warning) + ".")
        document.add(StyledText(behaviour))
        for (number, proposal) in steps.enumerated() {
            document.addBlank()
            add(proposal, number: number + 1, to: &document)
        }
        if !rests.isEmpty || !notes.isEmpty { document.addBlank() }
        for reason in rests + notes { document.add(StyledText(reason.text, .faint)) }
        document.next = ["headroom config show", "headroom plan"]
        return document
    }

    private var behaviour: String {
        switch mode {
        case .act: "In the mode act the service would do this by itself:"
        case .ask: "In the mode ask the service would propose this, and wait for a person:"
        case .observe: "In the mode observe the service would only log this, and delete nothing:"
        }
    }

    private func add(_ proposal: PolicyProposal, number: Int, to document: inout Document) {
        let step = proposal.step
        document.add(
            StyledText("\(number) \(title(step.purpose))", .strong)
                + StyledText(
                    step.needs.map {
                        ", to \($0.text($0.target)) available: \($0.text($0.shortage)) missing"
                    }.joined()))
        for plight in proposal.plights { document.add(StyledText("\(plight)", .warning)) }
        guard let plan = proposal.plan, !plan.isEmpty else {
            document.add(StyledText("Nothing may go for it.", .faint))
            return
        }
        document.blocks += PlanReport(plan: plan, top: top, arguments: "").document.blocks
    }

    private func title(_ purpose: PolicyStep.Purpose) -> String {
        switch purpose {
        case .due: "what is due"
        case .aheadOfTime: "ahead of time"
        case .level(let level): "for the level \(level.name)"
        }
    }
}
