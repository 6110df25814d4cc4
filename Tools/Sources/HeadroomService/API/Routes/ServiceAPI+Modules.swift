//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomRequests
import Hummingbird

/// Letting modules of the configuration clean that a person has chosen.
extension ServiceAPI {
    func addModules(to routes: inout APIRoutes) {
        routes.on(.post, "/module-runs/{id}/confirm") { [self] request in
            APIAnswer.json(["job": try await runModules(request.id)], status: .accepted)
        }
    }

    private func runModules(_ id: String) async throws -> APIJob {
        let situation = try situation()
        let automation = situation.automation
        guard !automation.modules.isCleaning else { throw Self.modulesAreBusy }
        let entry = try await moduleChoices.take(id)
        let choice = entry.selection
        // mutation: r31e-7/1
        guard choice.configuration == situation.number else {
            throw APIError.conflict(
                "plan-unknown", "The configuration was read again since the modules were shown.",
                advice: "Choose again, and look at what that does.")
        }
        let progress = ModuleRunProgress(of: choice.modules.count)
        let (inventories, moduleChoices) = (inventories, moduleChoices)
        let work = JobWork(
            // mutation: r31e-7/2
            kind: .modules, title: "Letting modules clean", configuration: choice.configuration,
            progress: { progress.progress }, cancel: { progress.cancel() },
            body: {
                let run = await progress.run {
                    await automation.cleanModules(choice.shown) { progress.note($0) }
                }
                guard let run else {
                    await moduleChoices.giveBack(entry)
                    throw Self.modulesAreBusy
                }
                await inventories.markStale()
                return JobOutcome(
                    run, text: Self.words(of: run), wasCancelled: progress.isCancelled)
            })
        do {
            return try await board.start(work)
        } catch {
            await moduleChoices.giveBack(entry)
            throw error
        }
    }

    private static let modulesAreBusy = APIError.busy("The modules are being cleaned already.")

    private static func words(of run: ModuleRun) -> String {
        let trouble = run.modules.count(where: \.isInTrouble)
        let isOne = run.modules.count == 1
        return (isOne ? "The module" : "The \(run.modules.count) modules")
            + " freed \(run.freed), by \(isOne ? "its" : "their") own measure"
            + (trouble > 0 ? "; \(trouble) in trouble." : ".")
    }
}
