//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension Receipt {
    /// The receipt as one line of JSON Lines, without the line's end.
    ///
    /// Keys, in this order: `id`, `kind` (`purge`, `disposal` or `restoration`), `started`, `ended` (ISO 8601 in UTC, or null), `outcome`,
    /// `requester`, `target`, `expectedBytes`, `volumeGainedBytes` (or null), `differences`,
    /// `removedCount`, `emptiedDirectories`, `skippedCount`, `perClass`, `perArea`, `perDirectory` (each `name`,
    /// `bytes`, `count`), `removed` (`path`, `bytes`), `skipped` (`path`, `reason` with `code`
    /// and `text`), `notes`. A path that is not UTF-8 has a `pathBytes` beside it.
    ///
    /// - Complexity: O(*n*) in the number of paths.
    public func jsonLine() -> String {
        var json = JSONWriter()
        json.object { json in write(to: &json) }
        return json.text
    }

    /// Writes the members of the receipt into an object that is open.
    public func write(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("started", started)
        json.member("ended", ended)
        json.member("outcome", outcome.rawValue)
        // mutation: r22a-1
        json.member("requester", requester)
        json.member("target", target)
        json.member("expectedBytes", expected)
        json.member("volumeGainedBytes", volumeGained)
        json.array("differences", differences)
        json.member("removedCount", removedCount)
        json.member("emptiedDirectories", emptiedCount)
        json.member("skippedCount", skippedCount)
        for (name, totals) in [
            ("perClass", perClass), ("perArea", perArea), ("perDirectory", perDirectory),
        ] {
            json.objects(name, totals) { json, total in
                json.member("name", total.name)
                json.member("bytes", total.bytes)
                json.member("count", total.count)
            }
        }
        json.objects("removed", removed) { json, removed in
            json.member("path", removed.path)
            json.member("bytes", removed.bytes)
        }
        json.objects("skipped", skipped) { json, skipped in
            json.member("path", skipped.path)
            json.member("reason", skipped.reason)
        }
        json.array("notes", notes)
    }
}
