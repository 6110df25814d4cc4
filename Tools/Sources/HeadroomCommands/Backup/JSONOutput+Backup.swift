//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import SystemPackage

extension JSONOutput {
    /// The members of an object that says whether backups leave something out.
    mutating func fields(of exclusion: BackupExclusion) {
        field("excluded", exclusion.isExcluded)
        switch exclusion {
        case .none: break
        case .own: field("by", "own")
        case .inherited(let directory, _):
            field("by", "inherited")
            field("from", directory)
        case .byLocation(let place):
            field("by", "location")
            field("from", place.path)
            field("class", place.purgeClass.name)
            field("origin", place.origin)
        }
        if !exclusion.dialects.isEmpty {
            array("dialects", exclusion.dialects.names)
        }
    }
}
