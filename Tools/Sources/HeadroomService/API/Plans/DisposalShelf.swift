//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What persons have named to be thrown away, and not yet confirmed.
actor DisposalShelf {
    private struct Entry {
        var id: String
        var created: Timestamp
        var selection: UserFileSelection
    }

    private var entries: [Entry] = []
    private let now: @Sendable () -> Timestamp

    static let limit = 16
    static let lifetime: Duration = .seconds(1_800)

    init(now: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.now = now
    }

    func keep(_ selection: UserFileSelection) -> (id: String, expires: Timestamp) {
        let time = now()
        let id = JobBoard.makeID() + JobBoard.makeID()
        entries.append(Entry(id: id, created: time, selection: selection))
        if entries.count > Self.limit { entries.removeFirst() }
        return (id, time.advanced(by: Self.lifetime))
    }

    /// Puts one back that could not be begun.
    func giveBack(_ selection: UserFileSelection, id: String) {
        entries.append(Entry(id: id, created: now(), selection: selection))
    }

    /// Takes one away to be carried out: it is so once.
    func take(_ id: String) throws(APIError) -> UserFileSelection {
        let time = now()
        entries.removeAll {
            $0.created > time || time.duration(since: $0.created) >= Self.lifetime
        }
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            throw .conflict(
                "plan-unknown",
                "What was confirmed is not known: it was carried out, has expired, or is of another run "
                    + "of the service.", advice: "Choose the files again.")
        }
        return entries.remove(at: index).selection
    }
}
