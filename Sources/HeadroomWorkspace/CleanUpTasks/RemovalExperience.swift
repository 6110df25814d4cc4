//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// How many times what is usual on its type of file system removing has cost on a volume.
///
/// What a directory costs where a journal is kept differs by a factor of three from disk to disk, and is only
/// known when the first of them goes: after all the files. The runs before tell.
package struct RemovalExperience: Hashable, Sendable {
    package var item = 1.0
    /// By itself, and with what it is in.
    package var directory = 1.0
    package var inside = 1.0
    package var looking = 1.0
    /// How many runs it is from.
    package var runs = 0

    /// A disk that hung for once is no reason to expect it.
    private static let range = 0.02...50.0
    /// So many of the last runs count as much as all before.
    private static let memory = 3.0

    package init() {}

    fileprivate init(
        item: Double, directory: Double, inside: Double, looking: Double, runs: Int
    ) {
        self.item = item
        self.directory = directory
        self.inside = inside
        self.looking = looking
        self.runs = runs
    }

    /// Takes in how many times what was expected, with this experience, a run has cost; nil where too little
    /// went to tell.
    package mutating func take(
        item: Double?, directory: Double?, inside: Double?, looking: Double?
    ) {
        guard item != nil || directory != nil || inside != nil || looking != nil else { return }
        runs += 1
        let usual = 1 / min(Double(runs), Self.memory)
        func learn(_ value: inout Double, _ ratio: Double?) {
            guard let ratio, ratio > 0, ratio.isFinite else { return }
            // The runs before may have been of files alone: what was never seen is learnt in full.
            let weight = value == 1 ? 1 : usual
            value *= 1 + (ratio - 1) * weight
            value = min(max(value, Self.range.lowerBound), Self.range.upperBound)
        }
        learn(&self.item, item)
        learn(&self.directory, directory)
        learn(&self.inside, inside)
        learn(&self.looking, looking)
    }

    /// - Returns: whether it lets expect something else than another does.
    func differs(from other: RemovalExperience) -> Bool {
        zip(factors, other.factors).contains { abs($0 / $1 - 1) > 0.05 }
    }

    private var factors: [Double] { [item, directory, inside, looking] }
}

extension CleanUpCosts {
    /// With what was learnt on the volume.
    package func with(_ experience: RemovalExperience) -> CleanUpCosts {
        var costs = self
        costs.removing *= experience.item
        costs.removingDirectory *= experience.directory
        costs.removingInside *= experience.inside
        costs.looking *= experience.looking
        costs.wholeDirectory *= experience.looking
        return costs
    }
}

/// The experience with each volume, in a small file beside the ledger.
///
/// Only the evenness of bars depends on it: what cannot be read is forgotten, and what cannot be written is
/// learnt anew. Of two that write at once, one is kept.
struct RemovalExperiences {
    private var volumes: [(name: String, experience: RemovalExperience)] = []

    private static let fileName = "removal-costs"
    /// By which a file of another form is known.
    private static let header = "headroom.removal-costs/1"
    /// More are not kept: those that were seen last.
    private static let limit = 32

    /// Reads the file. Blocks.
    init(in directory: FilePath) {
        guard let bytes = try? StateFile(Self.fileName, in: directory).read() else { return }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first == Self.header[...] else { return }
        for line in lines.dropFirst().prefix(Self.limit) {
            // The name comes last: it may have spaces.
            let words = line.split(separator: " ", maxSplits: 5)
            let numbers = words.prefix(4).compactMap { Double($0) }.filter { $0 > 0 && $0 < 1_000 }
            guard words.count == 6, numbers.count == 4, let runs = Int(words[4]), runs > 0 else {
                continue
            }
            volumes.append(
                (
                    String(words[5]),
                    RemovalExperience(
                        item: numbers[0], directory: numbers[1], inside: numbers[2],
                        looking: numbers[3], runs: min(runs, 1_000_000))
                ))
        }
    }

    subscript(volume: Volume) -> RemovalExperience {
        let name = Self.name(volume)
        return volumes.first { $0.name == name }?.experience ?? RemovalExperience()
    }

    mutating func set(_ experience: RemovalExperience, of volume: Volume) {
        let name = Self.name(volume)
        volumes.removeAll { $0.name == name }
        volumes.insert((name, experience), at: 0)
        volumes = Array(volumes.prefix(Self.limit))
    }

    /// Writes the file. Blocks.
    func write(in directory: FilePath) {
        let lines = volumes.map { name, one in
            "\(one.item) \(one.directory) \(one.inside) \(one.looking) \(one.runs) \(name)"
        }
        let text = ([Self.header] + lines).joined(separator: "\n") + "\n"
        // A worse forecast next time is all that it costs.
        try? StateFile(Self.fileName, in: directory).replace(with: Array(text.utf8)) {
            $0.starts(with: Self.header.utf8)
        }
    }

    /// Another file system at the same place is another volume.
    private static func name(_ volume: Volume) -> String {
        "\(volume.type) \(volume.mountPoint.displayText)"
    }
}
