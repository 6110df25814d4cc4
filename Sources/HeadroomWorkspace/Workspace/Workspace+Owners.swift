//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

extension Workspace {
    /// The directories of apps that have registered something there: `~/.cache/Podcaster`.
    ///
    /// Unknown content of `~/.cache` is purged by whole directories (``PurgeUnit/directory``). An app that uses
    /// Headroom keeps single files in its own directory, and purges them one by one.
    func ownersAreas(in areas: [Area]) -> [Area] {
        var found: [Area] = []
        for registration in registered {
            guard let owner = registration.owner.flatMap({ FilePath.Component($0) }),
                owner.kind == .regular
            else {
                continue
            }
            for area in areas where area.unit == .directory && area.purgeClass != .essential {
                let root = area.root.appending(owner)
                let isDeclared = (areas + found).contains { $0.root == root }
                guard registration.area.root.lies(in: root), !isDeclared else { continue }
                var own = area
                own.root = root
                own.unit = .file
                own.origin = owner.string
                own.allowsMountRoot = false
                found.append(own)
            }
        }
        return found
    }
}
