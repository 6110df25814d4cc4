//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// The volumes that are mounted, for requests. Asks all of them: blocks.
enum MountedVolumes {
    static func all() throws(APIError) -> [Volume] {
        do throws(Errno) {
            return try Volume.all()
        } catch {
            throw .unavailable("The table of mounts could not be read: \(error).")
        }
    }

    /// The volume of a mount point: the one on top, if there are several.
    static func volume(at path: FilePath) throws(APIError) -> Volume {
        guard let volume = try all().last(where: { $0.mountPoint == path }) else {
            throw .notFound(
                "Nothing is mounted at \(path.displayText.apiShort).",
                advice: "GET /api/v1/status lists the volumes.")
        }
        return volume
    }
}
