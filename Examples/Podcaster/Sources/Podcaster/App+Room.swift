//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom

extension App {
    func showPlaces() {
        for (what, content) in [
            ("Your notes", ContentClass.essential(.userContent)),
            ("Library, episodes", .essential(.appData)), ("Last resort", .lastResort),
            ("Pictures", .cache), ("Temporary", .temporary),
        ] {
            print(field(what, storage.directory(for: content).path, width: 18))
        }
    }

    /// What there is room for; and whether there is for an episode of this size.
    func room(_ size: ByteCount?) async throws {
        let capacity = try await storage.capacity(for: .lastResort)
        print(field("Free now", shown(capacity.available)))
        print(field("For episodes", "\(shown(capacity.forImportantUsage)) with what can go"))
        print(field("For pictures", shown(capacity.forOpportunisticUsage)))
        guard let size else { return }
        for intent in [Storage.Intent.optional, .requested, .essential] {
            let advice = try await storage.advise(size, for: intent)
            print(field("\(size), \(intent.rawValue)", shown(advice.verdict), width: 20))
        }
    }

    /// What would go, in this order. Deletes nothing.
    func showPlan(freeing size: ByteCount) async throws {
        let plan = try await storage.plan(freeing: size)
        var order = 0
        // Directories that are left empty go too, and free next to nothing.
        let entries = plan.filter { $0.bytes > .zero }
        for entry in entries.prefix(15) {
            order += 1
            let path = relative(URL(filePath: entry.path.string))
            print(row(order, path, "\(entry.bytes)  \(entry.purgeClass.spokenName)"))
        }
        if entries.count > order { print("     and \(entries.count - order) more") }
        print(
            plan.reachesTarget
                ? "Frees \(plan.frees)." : "Frees \(plan.frees); \(plan.missing) short of \(size).")
    }

    func audit(fixes: Bool) async throws {
        let audit = try await storage.audit()
        print(field("In backups", "\(audit.backup.total.allocated)"))
        print(field("Of that", "\(audit.backup.recreatable) could be had again"))
        for file in audit.largest.prefix(3) {
            let name = file.path.lastComponent?.string ?? ""
            print(field("Large", "\(file.allocated)  \(file.kind)  \(name)"))
        }
        for finding in audit.findings {
            print("\(finding.severity.name): \(relative(URL(filePath: finding.path.string)))")
            print(paragraph(finding.text))
            if let fix = finding.fix, !fixes { print("    → \(fix.command(\.string))") }
        }
        if audit.findings.isEmpty { print("Nothing is amiss.") }
        guard fixes else { return }
        for repair in await storage.repair(audit) {
            let path = relative(URL(filePath: repair.finding.path.string))
            print(repair.failure.map { "Not done: \($0)" } ?? "Done: \(path)")
        }
    }
}
