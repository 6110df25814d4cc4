//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the automation remembers from one run to the next.
package struct AutomationMemory: Hashable, Sendable, Codable {
    /// When what is due was last cleaned, in seconds since 1970, by where the volume is mounted.
    package var lastCleanUps: [String: Int64] = [:]
    /// What had come and was not carried out to its end when it was ended, by where the volume is mounted; missing in
    /// what older versions have written.
    private var waiting: [String: String]?
    /// The version that ran last.
    package var version: String?
    /// What was declared last, by its path.
    private var declarations: [String: SeenDeclaration]?

    private enum CodingKeys: String, CodingKey {
        // What was called declarations said less.
        case lastCleanUps, waiting, version
        case declarations = "declared"
    }

    /// The file of it, beside the ledger.
    package static func file(of workspace: Workspace) -> StateFile {
        StateFile("automation.json", in: workspace.ledger.directory)
    }

    /// Reads what was kept.
    ///
    /// - Parameter trouble: told what is wrong. What cannot be read counts as never seen: every declaration
    ///   is new then, and nothing under it goes before its grace is over.
    package static func read(_ file: StateFile, trouble: (String) -> Void) -> AutomationMemory {
        do throws(HeadroomError) {
            guard let bytes = try file.read() else { return AutomationMemory() }
            if let memory = AutomationMemory(bytes) { return memory }
            trouble(
                "\(file.directory.appending(file.name).displayText) is damaged, or was never one, and begun anew "
                    + "(the file is kept beside it): what is declared counts as new, and nothing "
                    + "under it goes before its grace is over.")
        } catch {
            trouble(error.message)
        }
        return AutomationMemory()
    }

    package func write(to file: StateFile) throws(HeadroomError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Strings and numbers: there is nothing in it that cannot be encoded.
        guard let data = try? encoder.encode(self) else { return }
        // mutation: r29h-4
        try file.replace(with: Array(data)) { AutomationMemory($0) != nil }
    }

    package init() {}

    private init?(_ bytes: [UInt8]) {
        guard let memory = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
            return nil
        }
        self = memory
    }

    // MARK: - What waits

    /// What had come for a volume, and was not carried out to its end.
    package func trigger(waitingOn volume: FilePath) -> CleaningTrigger? {
        let name = waiting?[volume.displayText]
        return CleaningTrigger.allCases.first { $0.name == name }
    }

    package mutating func set(_ trigger: CleaningTrigger?, waitingOn volume: FilePath) {
        var triggers = waiting ?? [:]
        triggers[volume.displayText] = trigger?.name
        waiting = triggers.isEmpty ? nil : triggers
    }

    // MARK: - Declarations

    /// Takes in what is declared now; forgets what is not any more.
    ///
    /// A declaration that lets more go than before is a new one. So is one that has got what lay under another
    /// inside it, which is gone and let less go.
    package mutating func note(_ areas: [Area], at now: Timestamp) {
        let before = declarations ?? [:]
        var known: [String: SeenDeclaration] = [:]
        for area in areas {
            var seen = SeenDeclaration(area, since: now.seconds)
            let name = area.root.displayText
            if let old = before[name], !seen.letsMoreGo(than: old) {
                // What was seen in the future, by a clock that was wrong, is seen now.
                seen.since = min(old.since, now.seconds)
            }
            known[name] = seen
        }
        for (name, old) in before where known[name] == nil {
            let place = FilePath(name)
            let around = areas.filter { place.starts(with: $0.root) }
                .max { $0.root.components.count < $1.root.components.count }
            guard let heir = around?.root.displayText, let seen = known[heir],
                seen.letsMoreGo(than: old)
            else { continue }
            known[heir]?.since = now.seconds
        }
        declarations = known
    }

    /// When the grace periods that have not passed yet end.
    package func graceEnds(
        _ areas: [Area], grace: Duration, at now: Timestamp
    ) -> [FilePath: Timestamp] {
        var ends: [FilePath: Timestamp] = [:]
        for area in areas where area.purgeClass != .essential && grace > .zero {
            guard let seen = declarations?[area.root.displayText] else { continue }
            let end = Timestamp(seconds: seen.since).advanced(by: grace)
            if end > now { ends[area.root] = end }
        }
        return ends
    }

    /// The places whose declaration is younger than the grace.
    ///
    /// - Parameter clockHolds: whether wall and monotonic clocks agree. While they do not, nothing is
    ///   known to be old.
    package func withheld(
        _ areas: [Area], grace: Duration, at now: Timestamp, clockHolds: Bool
    ) -> Set<FilePath> {
        guard grace > .zero else { return [] }
        let young = areas.filter { area in
            guard area.purgeClass != .essential else { return false }
            guard clockHolds, let seen = declarations?[area.root.displayText] else { return true }
            return now.duration(since: Timestamp(seconds: seen.since)) < grace
        }
        return Set(young.map(\.root))
    }
}
