//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

extension MountTable {
    /// Other paths by which the root of a mount can be reached: a bind mount shows a directory a
    /// second time, and its `..` leads elsewhere than the first one's.
    func aliases(ofRootOf id: UInt64) -> [FilePath] {
        guard let mount = mount(id: id), mount.root != "/" else { return [] }
        return mounts.compactMap { other in
            guard other.id != id, other.device == mount.device, other.root != mount.root else {
                return nil
            }
            var rest = mount.root
            return rest.removePrefix(other.root) ? other.point.pushing(rest) : nil
        }
    }
}
