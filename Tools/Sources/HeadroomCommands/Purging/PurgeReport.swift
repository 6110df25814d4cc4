//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom purge` did.
struct PurgeReport {
    static let schema = "headroom.purge/1"

    /// Nil if there was nothing to do.
    var receipt: Receipt?
    var plan: Plan
    var recorder: PurgeRecorder
    var took: Duration
    /// How many places could not be looked at for the plan.
    var unread: Int
    /// The items that the caller left out of the plan.
    var excluded: [Receipt.Skipped] = []

    var status: ExitStatus {
        let whole: ExitStatus = unread > 0 ? .partly : .done
        guard let receipt else { return plan.reachesTarget ? whole : .targetNotReached }
        switch receipt.outcome {
        case .interrupted: return .interrupted
        case .broken, .crashed, .started: return .failed
        case .completed: break
        }
        guard plan.reachesTarget else { return .targetNotReached }
        // mutation: r37c-1
        return receipt.skippedCount > 0 ? .partly : whole
    }

    /// The members after `removed`, which was written while the purge ran.
    func write(to json: inout JSONWriter) {
        json.array("skipped") { json in
            for skipped in recorder.skipped {
                json.object { json in
                    json.member("path", skipped.path)
                    json.member("reason", skipped.reason)
                    json.member("planned", true)
                }
            }
            let obstacles = plan.obstacles.map { Receipt.Skipped(path: $0.path, reason: $0.reason) }
            for obstacle in obstacles + excluded {
                json.object { json in
                    json.member("path", obstacle.path)
                    json.member("reason", obstacle.reason)
                    json.member("planned", false)
                }
            }
        }
        json.member("expectedBytes", receipt?.expected ?? .zero)
        json.member("volumeGainedBytes", receipt == nil ? .zero : receipt?.volumeGained)
        json.member("completed", receipt.map { $0.outcome == .completed } ?? true)
        json.member("outcome", receipt?.outcome.rawValue ?? "nothing-to-do")
        json.member("receipt", receipt?.id)
        json.member("removedCount", receipt?.removedCount ?? 0)
        json.member("emptiedDirectories", receipt?.emptiedCount ?? 0)
        json.member("skippedCount", receipt?.skippedCount ?? 0)
        json.member("reachesTarget", plan.reachesTarget)
        json.member("missingBytes", plan.missing)
        json.member("unreadPlaces", unread)
        json.array("differences", receipt?.differences ?? [])
        json.array("notes", receipt?.notes ?? [])
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        guard let receipt else {
            document.add(PlanText(plan).headline)
            PlanText(plan).describe(unread: unread, in: &document)
            if let shortfall = PlanText(plan).shortfall { document.add(shortfall) }
            document.next = ["headroom status"]
            return document
        }
        ReceiptText(receipt).describeResult(in: &document, took: took)
        PlanText(plan).describe(unread: unread, in: &document)
        if let shortfall = PlanText(plan).shortfall { document.add(shortfall) }
        document.next = ["headroom log --receipt \(receipt.shortID)", "headroom status"]
        return document
    }
}
