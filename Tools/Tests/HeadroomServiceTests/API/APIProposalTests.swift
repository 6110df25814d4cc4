//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: in the mode `ask` what waits has a plan, which is looked at and confirmed as every other.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APIProposalTests {
    /// An automation that has looked around once, and found an area of 48 KiB over its limit of 32.
    private func propose(_ served: ServedAPI) async throws {
        let workspace = served.workspace.declaring([
            Area(
                root: served.directory.path.appending("builds"), purgeClass: .cache,
                limit: .kibibytes(32), origin: "test")
        ])
        var settings = AutomationSettings()
        settings.mode = .ask
        settings.policy.minIdle = .none
        let automation = Automation(
            settings, work: WorkspaceWork(workspace), memory: nil
        ) { _ in }
        _ = await automation.sweep()
        var situation = ServedAPI.situation(workspace)
        situation.automation = automation
        await served.api.use(situation)
    }

    private static func fill(_ tree: Tree) throws {
        for name in ["a", "b", "c"] {
            try tree.file(TreePath("builds/\(name)"), size: .kibibytes(16))
        }
        try tree.file("home/.cache/app", size: .kibibytes(64))
    }

    private func plan(_ served: ServedAPI, _ proposal: String) async throws -> ServedAPI.Answer {
        try await served.ask("POST", "/plans", #"{"proposal":"\#(proposal)"}"#)
    }

    @Test func itsPlanIsThatOfItsOwnOrderAndIsCarriedOutOnce() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            try await propose(served)
            let asking = try await served.ask("GET", "/asking")
            #expect(try asking.count("asking") == 1, "\(asking.text)")
            #expect(try asking.value("asking.0.items") == "1")
            let proposal = try asking.value("asking.0.id")
            let shown = try await plan(served, proposal)
            #expect(shown.status == 201)
            // What is over its limit, and not the other caches.
            #expect(try shown.value("items") == "1")
            #expect(try shown.value("freesBytes") == "\(16 * 1_024)")
            #expect(try shown.value("target").contains("shrink what is over its limit"))
            let id = try shown.value("id")
            let entries = try await served.ask("GET", "/plans/\(id)/entries")
            let path = try entries.value("entries.0.path")
            // It goes on waiting, and only what its plan says is chosen from.
            #expect(try await served.ask("GET", "/asking").count("asking") == 1)
            let begun = try await served.ask(
                "POST", "/purges",
                #"{"plan":"\#(id)","selection":"\#(try shown.value("selection.digest"))"}"#)
            #expect(begun.status == 202)
            let job = try await served.finished(try begun.value("job.id"))
            #expect(try job.value("state") == "done")
            for name in ["a", "b", "c"] {
                let isLeft = served.tree.exists(TreePath("builds/\(name)"))
                #expect(isLeft == !path.hasSuffix("/\(name)"))
            }
            #expect(served.tree.exists("home/.cache/app"))
            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("requester").hasSuffix(": due, interval"))
            #expect(try receipt.value("removedCount") == "1")
            #expect(try await served.ask("GET", "/asking").count("asking") == 0)
            let again = try await plan(served, proposal)
            #expect(again.status == 409)
            #expect(try again.value("error.code") == "proposal-changed")
        }
    }

    /// Confirmed is a plan with what is chosen of it, never a proposal.
    @Test(.tags(.r29b)) func onlyAPlanWithItsDigestIsConfirmed() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            try await propose(served)
            let proposal = try await served.ask("GET", "/asking").value("asking.0.id")
            let shown = try await plan(served, proposal)
            let id = try shown.value("id")
            for (body, status) in [
                (#"{"proposal":"\#(proposal)"}"#, 400), (#"{"plan":"\#(proposal)"}"#, 400),
                (#"{"plan":"\#(proposal)","selection":"x"}"#, 409),
                (#"{"plan":"\#(id)","selection":"x"}"#, 409),
            ] {
                #expect(try await served.ask("POST", "/purges", body).status == status, "\(body)")
            }
            // What was taken out leaves nothing, and the proposal goes on waiting.
            let none = try await served.ask(
                "PUT", "/plans/\(id)/selection", #"{"entries":[0]}"#)
            let refused = try await served.ask(
                "POST", "/purges",
                #"{"plan":"\#(id)","selection":"\#(try none.value("digest"))"}"#)
            #expect(refused.status == 400)
            #expect(try await served.ask("GET", "/asking").count("asking") == 1)
            for name in ["a", "b", "c"] {
                #expect(served.tree.exists(TreePath("builds/\(name)")))
            }
        }
    }

    @Test func whatDoesNotWaitIsSaidSo() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            for (body, status) in [
                (#"{"proposal":"x"}"#, 409), (#"{"proposal":""}"#, 409), (#"{"proposal":1}"#, 400),
                (#"{"proposal":"x","target":{"kind":"all"}}"#, 400),
                (#"{"proposal":"x","volume":"/"}"#, 400), ("{}", 400),
            ] {
                #expect(try await served.ask("POST", "/plans", body).status == status, "\(body)")
            }
            try await propose(served)
            let proposal = try await served.ask("GET", "/asking").value("asking.0.id")
            // Somebody has made room meanwhile.
            try served.tree.remove("builds/a")
            let over = try await plan(served, proposal)
            #expect(over.status == 409)
            #expect(try over.value("error.message").contains("nothing is missing any more"))
            #expect(try await served.ask("GET", "/asking").count("asking") == 0)
        }
    }
}
