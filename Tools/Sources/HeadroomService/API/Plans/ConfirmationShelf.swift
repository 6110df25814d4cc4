//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import HeadroomRequests

/// What persons have named to be thrown away, and not yet confirmed.
package typealias DisposalShelf = ConfirmationShelf<UserFileSelection>

/// What persons were shown of a choice that is no plan, and have not yet confirmed. It does not change: its id
/// names one choice.
package actor ConfirmationShelf<Selection: Sendable> {
    /// One of them.
    package struct Entry {
        var id: String
        var created: Timestamp
        var selection: Selection
    }

    private var entries: [Entry] = []
    private let now: @Sendable () -> Timestamp

    static var limit: Int { 16 }
    static var lifetime: Duration { .seconds(1_800) }

    package init(now: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.now = now
    }

    package func keep(_ selection: Selection) -> (id: String, expires: Timestamp) {
        let time = now()
        let id = JobBoard.makeID() + JobBoard.makeID()
        add(Entry(id: id, created: time, selection: selection))
        return (id, time.advanced(by: Self.lifetime))
    }

    /// Puts one back that could not be begun; it is as old as it was.
    package func giveBack(_ entry: Entry) { add(entry) }

    private func add(_ entry: Entry) {
        forgetOld()
        entries.append(entry)
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// Lets go what cannot be confirmed any more.
    func forgetOld() {
        let time = now()
        entries.removeAll {
            $0.created > time || time.duration(since: $0.created) >= Self.lifetime
        }
    }

    /// Takes one away to be carried out: it is so once.
    package func take(_ id: String) throws(APIError) -> Entry {
        forgetOld()
        guard let index = entries.firstIndex(where: { $0.id == id }) else {
            throw .conflict(
                "plan-unknown",
                "What was confirmed is not known: it was carried out, has expired, or is of another run "
                    + "of the service.", advice: "Choose again, and look at what that does.")
        }
        return entries.remove(at: index)
    }
}
