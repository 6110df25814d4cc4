//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the automation remembers from one run to the next.
struct AutomationMemory: Hashable, Sendable, Codable {
    /// When what is due was last cleaned, in seconds since 1970, by where the volume is mounted.
    var lastCleanUps: [String: Int64] = [:]
    /// What had come and was not carried out to its end when it was ended, by where the volume is mounted; missing in
    /// what older versions have written.
    private var waiting: [String: String]?
    /// The version that ran last.
    var version: String?
    /// When a declaration was first seen, in seconds since 1970, by what it says.
    var declarations: [String: Int64] = [:]

    /// Reads what was kept.
    ///
    /// - Parameter trouble: told what is wrong. What cannot be read counts as never seen: every declaration
    ///   is new then, and nothing under it goes before its grace is over.
    static func read(_ file: StateFile, trouble: (String) -> Void) -> AutomationMemory {
        do throws(HeadroomError) {
            guard let bytes = try file.read() else { return AutomationMemory() }
            let memory = try? JSONDecoder().decode(AutomationMemory.self, from: Data(bytes))
            if let memory { return memory }
            trouble(
                "\(file.directory.appending(file.name).displayText) is damaged, and begun anew: what is "
                    + "declared counts as new, and nothing under it goes before its grace is over.")
        } catch {
            trouble(error.message)
        }
        return AutomationMemory()
    }

    func write(to file: StateFile) throws(HeadroomError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Strings and numbers: there is nothing in it that cannot be encoded.
        guard let data = try? encoder.encode(self) else { return }
        try file.replace(with: Array(data))
    }

    // MARK: - What waits

    /// What had come for a volume, and was not carried out to its end.
    func trigger(waitingOn volume: FilePath) -> CleaningTrigger? {
        let name = waiting?[volume.displayText]
        return CleaningTrigger.allCases.first { $0.name == name }
    }

    mutating func set(_ trigger: CleaningTrigger?, waitingOn volume: FilePath) {
        var triggers = waiting ?? [:]
        triggers[volume.displayText] = trigger?.name
        waiting = triggers.isEmpty ? nil : triggers
    }

    // MARK: - Declarations

    /// Takes in what is declared now; forgets what is not any more.
    mutating func note(_ areas: [Area], at now: Timestamp) {
        let keys = areas.filter { $0.purgeClass != .essential }.map(Self.key)
        var known: [String: Int64] = [:]
        for key in keys {
            // What was seen in the future, by a clock that was wrong, is seen now.
            known[key] = min(declarations[key] ?? now.seconds, now.seconds)
        }
        declarations = known
    }

    /// The places whose declaration is younger than the grace.
    ///
    /// - Parameter clockHolds: whether wall and monotonic clocks agree. While they do not, nothing is
    ///   known to be old.
    func withheld(
        _ areas: [Area], grace: Duration, at now: Timestamp, clockHolds: Bool
    ) -> Set<FilePath> {
        guard grace > .zero else { return [] }
        let young = areas.filter { area in
            guard area.purgeClass != .essential else { return false }
            guard clockHolds, let seen = declarations[Self.key(area)] else { return true }
            return now.duration(since: Timestamp(seconds: seen)) < grace
        }
        return Set(young.map(\.root))
    }

    /// A declaration that lets more go than before is a new one; one that lets less go is too, which harms
    /// nothing.
    private static func key(_ area: Area) -> String {
        "\(area.purgeClass.name) \(area.unit.rawValue) \(area.root.displayText)"
    }
}
