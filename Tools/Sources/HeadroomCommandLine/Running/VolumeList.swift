//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
import SystemPackage

/// The volumes that a command shows, asked now.
package enum VolumeList {
    package static func all() throws(HeadroomError) -> [Volume] {
        do throws(Errno) {
            return try Volume.all()
        } catch {
            throw HeadroomError(
                .io, "Could not read the table of mounts: \(error).", cause: error)
        }
    }

    /// The volumes of paths that need not exist, each once.
    package static func containing(_ paths: [String]) throws(HeadroomError) -> [Volume] {
        var volumes: [Volume] = []
        for text in paths {
            // A volume can be found for what is not there: a slip of the pen would go unnoticed.
            _ = try Paths.existing(text)
            do throws(Errno) {
                let volume = try Volume.containing(FilePath(text))
                if !volumes.contains(where: { $0.mountPoint == volume.mountPoint }) {
                    volumes.append(volume)
                }
            } catch {
                throw HeadroomError("find the volume of", FilePath(text), error)
            }
        }
        return volumes
    }
}
