//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// Which of some volumes a path lies on.
package struct VolumePlaces {
    private let volumes: [Volume]
    private let table: MountTable

    package init(_ volumes: [Volume]) {
        self.volumes = volumes
        // Without a table nothing is assigned, and figures that need it are missing.
        table = (try? MountTable.current()) ?? MountTable([])
    }

    package func index(of path: FilePath) -> Int? {
        guard let mount = table.mount(at: path) else { return nil }
        return volumes.firstIndex { $0.device == mount.device }
    }

    /// What could go on a volume.
    package func purgeable(
        on index: Int, in summary: PlanSummary, measured: Timestamp
    ) -> VolumeCapacity.Purgeable {
        summary.purgeable(measured: measured) { self.index(of: $0.root) == index }
    }
}
