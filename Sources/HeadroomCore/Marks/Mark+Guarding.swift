//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Mark {
    /// What stands between this mark and the one that is to take its place: this one, with what the
    /// next one protects already and nothing yet of what it permits.
    ///
    /// A class is permission: there is none in between where only one of the two has one, and of two the
    /// one that goes later. A pin holds before one that is not mentioned, which may be inherited, and
    /// that before one that is lifted.
    func guarded(by next: Mark) -> Mark {
        var mark = self
        if let own = purgeClass {
            mark.purgeClass = next.purgeClass.map { max(own, $0) }
        }
        if next.isPinned == true {
            mark.isPinned = true
        } else if isPinned == false, next.isPinned == nil {
            mark.isPinned = nil
        }
        return mark
    }
}
