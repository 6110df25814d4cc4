//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

/// What a place is, however a path to it is spelled.
struct KnownPlace: Hashable, Sendable {
    let identity: FileIdentity
    let ancestors: Set<FileIdentity>
    let location: MountTable.Location?

    /// Looks a place up. Blocks as long as its file system does.
    ///
    /// - Returns: nil if nobody can name it: it is not there, is no directory, or may not be looked at.
    /// - Throws: what says that its file system or device does not answer.
    static func find(_ path: FilePath, _ mounts: MountTable) throws(Errno) -> KnownPlace? {
        do throws(Errno) {
            let directory = try ResolvedDirectory(path)
            return KnownPlace(
                identity: directory.status.identity,
                ancestors: Set(directory.ancestors.map(\.identity)),
                location: mounts.location(
                    of: directory.path, mountID: directory.status.mountID))
        } catch {
            guard error.isSilence else { return nil }
            throw error
        }
    }
}

/// What came of looking for a place.
enum PlaceAnswer: Hashable, Sendable {
    /// It answers, or it does not, and this is what it was when it last did.
    case known(KnownPlace)
    /// Nobody can name it.
    case missing
    /// It does not answer, and has not since the program began.
    case silent

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
    /// What places are. Blocks, for each that does not answer no longer than the limit.
    ///
    /// - Parameter mounts: as they are now.
    func places(at paths: [FilePath], _ mounts: MountTable) -> [FilePath: PlaceAnswer] {
        let paths = Array(Set(paths))
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
        var answers: [FilePath: PlaceAnswer] = [:]
        for (path, answer) in zip(paths, found) {
            switch answer {
            case .success(let place): answers[path] = PlaceAnswer(place)
            case .failure:
                // Also if there was no thread to ask with: nobody has learned that it is not there.
                if let last = memory.last(at: path) {
                    answers[path] = .known(last)
                } else {
                    answers[path] = .silent
                }
            }
        }
        return answers
    }
}

extension Errno {
    /// Whether it says that a file system or a device is there and does not answer: an NFS server that is gone
    /// on a soft mount, a FUSE program that has died, a disk that fails.
    fileprivate var isSilence: Bool {
        switch self {
        case .ioError, .timedOut, .staleNFSFileHandle, .socketNotConnected, .hostIsDown,
            .noRouteToHost, .connectionRefused:
            true
        default: false
        }
    }
}
