//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// A path that a process works with: it was started from there, works there, or was given the path.
package struct ProcessPath: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case workingDirectory
        case rootDirectory
        case executable
        case commandLine
        /// The value of the variable with this name.
        case environment(String)
        /// The directory of a file that was deleted while the process has it mapped.
        case deletedMapping
    }

    /// The plain path, without links, as this process sees it; of a path that does not exist yet, the nearest
    /// directory around it that does.
    package let path: FilePath
    package let identity: FileIdentity
    package let kind: Kind
    package let process: Int32

    package init(path: FilePath, identity: FileIdentity, kind: Kind, process: Int32) {
        self.path = path
        self.identity = identity
        self.kind = kind
        self.process = process
    }

    /// The use, for people: `used by perl (812): named on its command line`.
    ///
    /// Reads the process's name now; the process may have ended.
    package var text: String {
        let how =
            switch kind {
            case .workingDirectory: "its working directory"
            case .rootDirectory: "its root directory"
            case .executable: "its executable"
            case .commandLine: "named on its command line"
            case .environment(let name): "named by its environment variable \(name)"
            case .deletedMapping: "a deleted file from it is mapped"
            }
        return "used by \(RunningProcess.description(of: process)): \(how)"
    }
}

/// A directory or file that is mounted somewhere else, or is a layer of an overlay.
package struct MountSource: Hashable, Sendable {
    /// The plain path, as this process sees it.
    package let path: FilePath
    /// Where it is mounted, as the process sees it.
    package let point: FilePath
    /// A process that sees the mount.
    package let process: Int32

    package init(path: FilePath, point: FilePath, process: Int32) {
        self.path = path
        self.point = point
        self.process = process
    }

    /// The use, for people: `mounted at /tmp for nginx (812)`.
    package var text: String {
        "mounted at \(point) for \(RunningProcess.description(of: process))"
    }
}

/// The paths below some directories that processes and mounts were using, at one moment.
package struct ProcessPathSurvey: Sendable {
    package let begun = ContinuousClock.now
    package internal(set) var paths: [ProcessPath] = []
    package internal(set) var mountSources: [MountSource] = []
    /// The processes of each program: by the names of the executable and of the script that their command lines start
    /// with, in small letters.
    package internal(set) var programs: [String: [Int32]] = [:]

    package init() {}

    /// The files that command lines and environments name.
    var named: [FileIdentity: OpenFileSnapshot.Use] {
        var named: [FileIdentity: OpenFileSnapshot.Use] = [:]
        for path in paths where named[path.identity] == nil {
            switch path.kind {
            case .commandLine:
                named[path.identity] = .init(kind: .commandLine, process: path.process)
            case .environment:
                named[path.identity] = .init(kind: .environment, process: path.process)
            default: break
            }
        }
        return named
    }

    #if !os(Linux)
    /// Looks at the processes: other systems than Linux tell nothing of others' paths.
    package static func capture(below roots: [FilePath]) -> ProcessPathSurvey {
        ProcessPathSurvey()
    }
    #endif
}
