//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomConfiguration
package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// Until when the daemon leaves areas alone because their declarations are new. By-hand commands do not
/// wait.
package struct GracePeriods: Sendable {
    private let ends: [FilePath: Timestamp]

    /// Reads the memory of the daemon. Blocks.
    ///
    /// - Parameter memory: of the daemon; one that does not exist or cannot be read says nothing.
    package init(_ configuration: ServiceConfiguration, memory file: StateFile, now: Timestamp) {
        let memory = AutomationMemory.read(file) { _ in }
        ends = memory.graceEnds(configuration.areas, grace: configuration.grace, at: now)
    }

    /// When the grace period of an area ends; nil: it has none now.
    package func end(of root: FilePath) -> Timestamp? { ends[root] }

    /// The areas that are left alone now, in the order of their paths.
    package var areas: [FilePath] { ends.keys.sorted { $0.string < $1.string } }
}
