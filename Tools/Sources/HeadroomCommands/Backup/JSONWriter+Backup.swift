//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import SystemPackage

extension JSONWriter {
    /// The members of an object that says whether backups leave something out.
    mutating func members(of exclusion: BackupExclusion) {
        member("excluded", exclusion.isExcluded)
        switch exclusion {
        case .none: break
        case .own: member("by", "own")
        case .inherited(let directory, _):
            member("by", "inherited")
            member("from", directory)
        case .byLocation(let place):
            member("by", "location")
            member("from", place.path)
            member("class", place.purgeClass.name)
            member("origin", place.origin)
        }
        if !exclusion.dialects.isEmpty {
            array("dialects", exclusion.dialects.names)
        }
    }
}
