//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension ServiceConfiguration {
    /// How the pressure of a volume is watched: what is configured for its mount point, else for a path
    /// that exists and lies on it, else the standard. Reads the mount table.
    public func settings(of volume: Volume) -> PressureSettings {
        if let exact = volumes.first(where: { $0.path == volume.mountPoint }) {
            return exact.settings
        }
        guard !volumes.isEmpty, let mounts = try? MountTable.current() else { return .standard }
        let match = volumes.first { configured in
            // While nothing is mounted at a path, it lies on a volume that nobody meant.
            mounts.mount(at: configured.path)?.device == volume.device
                && ConfigurationFile.exists(configured.path)
        }
        return match?.settings ?? .standard
    }
}
