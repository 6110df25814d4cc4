//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// The guarded places of all layouts, found by what they are and not by how a path is spelled.
///
/// A place is known by its device and inode, and by where it lies in its file system, so that `..`,
/// links and bind mounts lead to the same answer.
package struct GuardIndex: Sendable {
    package struct Entry: Sendable {
        package let place: GuardedPlace
        /// The root of the layout it is from.
        package let layoutRoot: FilePath
        package let identity: FileIdentity
        let ancestors: Set<FileIdentity>
        let location: MountTable.Location?
    }

    /// What was answered of each.
    let answers: [FilePath: PlaceAnswer]
    private let entries: [Entry]
    private let byIdentity: [FileIdentity: [Int]]
    /// What does not answer: also if it is known what it was.
    private let silent: [SilentPlace]
    private let mounts: MountTable

    /// Looks the places up; one that is not there guards nothing, since nobody can name it. Blocks, for each
    /// that does not answer no longer than a limit: it counts as what it was when it last did.
    package init(_ layouts: [Layout], mounts: MountTable, answers: AreaAnswers) {
        let paths = layouts.flatMap { $0.guardedPlaces.map(\.path) }
        self.init(layouts, mounts, answers.places(at: paths, mounts))
    }

    /// The places of a container around a directory that has just answered. Blocks as long as they do.
    package init(container: Layout) {
        // Bind mounts are for the index of the machine.
        let mounts = MountTable([])
        var answers: [FilePath: PlaceAnswer] = [:]
        for place in container.guardedPlaces {
            do throws(Errno) {
                answers[place.path] = PlaceAnswer(try KnownPlace.find(place.path, mounts))
            } catch {
                answers[place.path] = .silent
            }
        }
        self.init([container], mounts, answers)
    }

    private init(
        _ layouts: [Layout], _ mounts: MountTable, _ answers: [FilePath: PlaceAnswer]
    ) {
        var entries: [Entry] = []
        var unknown: [GuardedPlace] = []
        var remembered: [GuardedPlace] = []
        for layout in layouts {
            for place in layout.guardedPlaces {
                let answer = answers[place.path] ?? .silent
                if let known = answer.place {
                    entries.append(
                        Entry(
                            place: place, layoutRoot: layout.root, identity: known.identity,
                            ancestors: known.ancestors, location: known.location))
                }
                switch answer {
                case .known, .missing: break
                case .remembered: remembered.append(place)
                // mutation: s11g-1
                case .silent: unknown.append(place)
                }
            }
        }
        self.answers = answers
        self.entries = entries
        self.mounts = mounts
        silent =
            unknown.map { SilentPlace($0, among: unknown, mounts) }
            + remembered.map { SilentPlace(remembered: $0) }
        byIdentity = Dictionary(grouping: entries.indices, by: { entries[$0].identity })
    }

    /// What stands in the way of a directory.
    package struct Findings {
        /// Places that the directory is.
        package var same: [Entry] = []
        /// Places that lie in it.
        package var inside: [Entry] = []
        /// The innermost places it lies in, by each way of looking.
        package var around: [Entry] = []
        /// All places it lies in.
        package var enclosing: [Entry] = []
        /// A place of which nobody knows that it is neither the directory nor around it.
        package var mayHold: SilentPlace?
        /// A place of which nobody knows that it does not lie in the directory.
        var mayLieInside: SilentPlace?

        /// What it lies in and of which nothing goes: of places within each other the innermost says so (of
        /// `/dev` and `/dev/shm`), and Headroom's own records do however far away.
        package var final: [Entry] {
            around.filter { $0.place.rule == .never }
                + enclosing.filter { $0.place.rule == .records }
        }

        /// What does not answer, and may have to do with the directory.
        package var silent: SilentPlace? { mayHold ?? mayLieInside }
    }

    package func findings(for directory: borrowing ResolvedDirectory) -> Findings {
        let identity = directory.status.identity
        let location = mounts.location(of: directory.path, mountID: directory.status.mountID)
        var findings = Findings()
        for place in silent {
            if findings.mayHold == nil, place.mayHold(directory.path, location) {
                findings.mayHold = place
            }
            if findings.mayLieInside == nil, place.mayLie(in: directory.path, mounts) {
                findings.mayLieInside = place
            }
        }
        findings.same = (byIdentity[identity] ?? []).map { entries[$0] }
        findings.inside = entries.filter { entry in
            guard entry.identity != identity else { return false }
            if entry.ancestors.contains(identity) { return true }
            guard let location, let other = entry.location else { return false }
            return location != other && location.contains(other)
        }
        for ancestor in directory.ancestors {
            guard let found = byIdentity[ancestor.identity] else { continue }
            if findings.around.isEmpty { findings.around = found.map { entries[$0] } }
            findings.enclosing += found.map { entries[$0] }
        }
        // By its place in the file system: a bind mount of something guarded is guarded.
        if let location {
            let enclosing = entries.filter { entry in
                guard let other = entry.location, entry.identity != identity else { return false }
                return other.contains(location)
            }
            let depth = enclosing.compactMap { $0.location?.path.depth }.max()
            // mutation: s11b-2
            findings.around += enclosing.filter { $0.location?.path.depth == depth }
            findings.enclosing += enclosing
        }
        return findings
    }
}
