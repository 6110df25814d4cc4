//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// What a place is, however a path to it is spelled.
package struct KnownPlace: Hashable, Sendable {
    package let identity: FileIdentity
    let ancestors: Set<FileIdentity>
    let location: MountTable.Location?
    /// Where it is without links.
    let path: FilePath
    /// What was mounted there, and where its path leads.
    private let mounts: [Mount?]

    /// Whether nothing else is mounted where it was: then it may be another one, on another device.
    func isStill(at path: FilePath, _ mounts: MountTable) -> Bool {
        [mounts.mount(at: path), mounts.mount(at: self.path)] == self.mounts
    }

    /// Looks a place up. Blocks as long as its file system does.
    ///
    /// - Returns: nil if nobody can name it: it is not there, is no directory, or may not be looked at.
    /// - Throws: what says nothing of that: its file system or device does not answer, or there are too few descriptors.
    static func find(_ path: FilePath, _ mounts: MountTable) throws(Errno) -> KnownPlace? {
        do throws(Errno) {
            let directory = try ResolvedDirectory(path)
            return KnownPlace(
                identity: directory.status.identity,
                ancestors: Set(directory.ancestors.map(\.identity)),
                location: mounts.location(
                    of: directory.path, mountID: directory.status.mountID),
                path: directory.path,
                mounts: [mounts.mount(at: path), mounts.mount(at: directory.path)])
        } catch {
            guard error.saysThatNobodyCanNameIt else { throw error }
            return nil
        }
    }
}

/// What came of looking for a place.
package enum PlaceAnswer: Hashable, Sendable {
    case known(KnownPlace)
    /// It does not answer, and this is what it was when it last did. A link on the way may lead elsewhere by now.
    case remembered(KnownPlace)
    /// Nobody can name it.
    case missing
    /// It does not answer, and has not since the program began, or since something else was mounted there.
    case silent

    /// Whether it does not answer.
    var isSilent: Bool {
        switch self {
        case .remembered, .silent: true
        case .known, .missing: false
        }
    }

    /// What it is, or was.
    package var place: KnownPlace? {
        switch self {
        case .known(let place), .remembered(let place): place
        case .missing, .silent: nil
        }
    }

    /// - Parameter place: nil: nobody can name it.
    init(_ place: KnownPlace?) {
        if let place { self = .known(place) } else { self = .missing }
    }
}

/// What places were when they last answered.
final class PlaceMemory: Sendable {
    private let places = Mutex<[FilePath: KnownPlace]>([:])

    /// - Parameter place: nil: it is not there any more.
    func take(_ place: KnownPlace?, at path: FilePath) {
        places.withLock { $0[path] = place }
    }

    func last(at path: FilePath) -> KnownPlace? { places.withLock { $0[path] } }
}

extension AreaAnswers {
    /// What places are. Blocks, for those that do not answer no longer than the limit, for each volume and each
    /// level of directories in which there are some.
    ///
    /// - Parameter mounts: as they are now.
    package func places(at paths: [FilePath], _ mounts: MountTable) -> [FilePath: PlaceAnswer] {
        var answers: [FilePath: PlaceAnswer] = [:]
        var rest = Set(paths)
        // What lies on a mount that does not answer, or in a place that does not, would hang as well.
        let silentPoints = silent(Set(rest.compactMap { Self.mountPoint(of: $0, mounts) }))
        for path in rest {
            guard let point = Self.mountPoint(of: path, mounts), silentPoints.contains(point)
            else { continue }
            answers[path] = unanswered(path, mounts)
            rest.remove(path)
        }
        while !rest.isEmpty {
            // The way to what lies in others leads through those.
            let outermost = rest.filter { path in
                !rest.contains { $0 != path && path.lies(in: $0) }
            }
            rest.subtract(outermost)
            let asked = Array(outermost)
            for (path, answer) in zip(asked, look(at: asked, mounts)) { answers[path] = answer }
            let silent = asked.filter { answers[$0]?.isSilent == true }
            for path in rest where silent.contains(where: { path.lies(in: $0) }) {
                answers[path] = unanswered(path, mounts)
                rest.remove(path)
            }
        }
        return answers
    }

    /// What is silent as a whole; nil: each place may lie on another server, or it is not known.
    private static func mountPoint(of path: FilePath, _ mounts: MountTable) -> FilePath? {
        guard let mount = mounts.mount(at: path), mount.type != "autofs" else { return nil }
        return mount.point
    }

    /// Which points of mounts do not answer. An error is an answer, too: what it means each place says itself.
    private func silent(_ points: Set<FilePath>) -> Set<FilePath> {
        let points = Array(points)
        let found = ask(points, at: { $0 }) { (point) throws(HeadroomError) in
            _ = try? ResolvedDirectory(point)
        }
        return Set(
            zip(points, found).compactMap { point, answer in
                if case .failure = answer { point } else { nil }
            })
    }

    private func look(at paths: [FilePath], _ mounts: MountTable) -> [PlaceAnswer] {
        let memory = memory
        let found = ask(paths, at: { $0 }) { (path) throws(HeadroomError) -> KnownPlace? in
            do throws(Errno) {
                let place = try KnownPlace.find(path, mounts)
                // Here, so that what comes too late is known the next time.
                memory.take(place, at: path)
                return place
            } catch {
                throw HeadroomError("look up", path, error)
            }
        }
        return zip(paths, found).map { path, answer in
            switch answer {
            case .success(let place): PlaceAnswer(place)
            // Also if there was no thread to ask with: nobody has learned that it is not there.
            case .failure: unanswered(path, mounts)
            }
        }
    }

    private func unanswered(_ path: FilePath, _ mounts: MountTable) -> PlaceAnswer {
        guard let last = memory.last(at: path), last.isStill(at: path, mounts) else {
            return .silent
        }
        return .remembered(last)
    }
}

extension Errno {
    /// Whether it says of a path that no directory can be reached by it. All else says nothing: that a server or a
    /// device does not answer (`EIO`, `ESTALE`, `ENOTCONN`, …), or that this process has too little of something.
    fileprivate var saysThatNobodyCanNameIt: Bool {
        switch self {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .fileNameTooLong,
            .permissionDenied, .notPermitted:
            true
        default: false
        }
    }
}
