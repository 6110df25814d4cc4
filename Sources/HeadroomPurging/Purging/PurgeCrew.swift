//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Threads that remove plain files of different directories at the same time.
///
/// Only single files with one link: units, databases and link groups need to know of one another
/// and are left to the run itself, which waits meanwhile. Each thread has a cursor, a recorder and a
/// breaker of its own; what they have counted is taken over when all are done.
final class PurgeCrew {
    /// Fewer items than this are not worth starting threads for.
    static let minimum = 2_048
    /// Directories that a thread takes at once: neighbours, so that its open chain serves them.
    private static let share = 8

    private let members: [PurgeRun]

    /// - Parameter makeMember: makes a run that shares nothing with the others but the plan.
    init(threads: Int, makeMember: () -> PurgeRun) {
        members = (0..<threads).map { _ in makeMember() }
    }

    /// Removes the files of whole directories.
    ///
    /// - Parameters:
    ///   - groups: the steps of one directory each.
    ///   - prepare: called for each member before it starts.
    ///   - absorb: called for each member when all are done.
    func remove(
        _ groups: [ArraySlice<PurgeRun.Step>], prepare: (PurgeRun) -> Void,
        absorb: (PurgeRun) -> Void
    ) {
        members.forEach(prepare)
        let next = Atomic<Int>(0)
        withExtendedLifetime(members) {
            Self.inParallel(members) { member in
                while true {
                    let start = next.add(Self.share, ordering: .relaxed).oldValue
                    guard start < groups.count else { return }
                    for group in groups[start..<min(start + Self.share, groups.count)] {
                        member.removeFiles(group)
                    }
                }
            }
        }
        members.forEach(absorb)
    }

    /// Calls `body` for each member on a thread of its own, the last on this one.
    private static func inParallel(_ members: [PurgeRun], _ body: (PurgeRun) -> Void) {
        withoutActuallyEscaping(body) { body in
            var threads: [WorkerThread] = []
            for member in members.dropLast() {
                let work = Work(member: member, body: body)
                // Where the system allows no more threads the others do the work.
                if let thread = try? WorkerThread({ work.run() }) { threads.append(thread) }
            }
            if let last = members.last { body(last) }
            for thread in threads { thread.join() }
        }
    }

    /// One member's share.
    private struct Work: @unchecked Sendable {  // One thread has the member; all are joined.
        // The closure reads what is atomic or does not change while the threads run.
        let member: PurgeRun
        let body: (PurgeRun) -> Void

        func run() { body(member) }
    }
}
