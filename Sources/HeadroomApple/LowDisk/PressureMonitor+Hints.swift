//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
public import Headroom

extension PressureMonitor {
    /// Reads the volumes at once when the system hints that space is short, until the task is cancelled.
    ///
    ///     .task { await storage.pressure.followSystemHints() }
    ///
    /// A hint is only a reason to look: the system does not promise any. On iOS, tvOS, watchOS and visionOS
    /// it is the notice for on-demand resources, which is deprecated from 27 on; on macOS there is none, and
    /// this returns. The monitor's own polling does without.
    public func followSystemHints() async {
        #if !os(macOS)
        let system = SystemHints(.default)
        await HintedReading(system.hints) { await read() }.run()
        system.end()
        #endif
    }
}
#endif
