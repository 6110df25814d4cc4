//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

extension Automation {
    /// How often volumes are looked for on which there are areas now; earlier where something was mounted or
    /// unmounted.
    private static let searchInterval: Duration = .seconds(600)
    /// How often the mounts are compared.
    private static let mountInterval: Duration = .seconds(30)

    /// Waits until volumes are to be looked for again.
    func waitForMounts() async {
        let (began, before) = (uptime, await work.mounts())
        while !Task.isCancelled, uptime - began < Self.searchInterval {
            // Cancelled: the loop ends.
            try? await world.clock.sleep(for: Self.mountInterval)
            // mutation: r23d-2
            if await work.mounts() != before { return }
        }
    }

    /// Says when a pause of age rules begins and when it is over.
    func tellPause(_ holds: Bool) async {
        guard hasToldPause == holds else { return }
        hasToldPause = !holds
        let text = holds ? nil : await work.agePause()
        // mutation: r25e-1
        tell(.agePause(text))
    }
}
