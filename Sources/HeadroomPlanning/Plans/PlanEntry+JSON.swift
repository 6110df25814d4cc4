//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform

extension PlanEntry {
    /// Writes the members of the entry into an open object: `path`, `class`, `unit`, `bytes`, `lastUse` (ISO 8601 in UTC),
    /// `reason` with `code` and `text`, and, if it has any, the names of its `sidecars`.
    public func write(to json: inout JSONWriter) {
        json.member("path", path)
        json.member("class", purgeClass.name)
        json.member("unit", unit.rawValue)
        json.member("bytes", max(0, bytes.bytes))
        json.member("lastUse", lastUse)
        json.member("reason", reason)
        if !sidecars.isEmpty { json.array("sidecars", sidecars.map(\.text)) }
    }
}
