//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// The bytes that deleting a tree frees.
public struct FreedTotals: Hashable, Sendable {
    /// Bytes that the volume gains: files with hard links outside of the tree free nothing.
    public var bytes: ByteCount
    /// Bytes that the tree occupies, directories included, each file with several links once.
    public var allocated: ByteCount
    /// Files, links and special files below.
    public var files: Int
    /// Directories below.
    public var directories: Int
    /// False if the walk was cancelled.
    public var isComplete: Bool
}

extension Scanner {
    /// Measures the bytes that deleting a directory with everything in it frees.
    ///
    /// Blocks. Extents that files share (reflinks, snapshots) count as freed, see
    /// ``exclusiveTotals(of:options:progress:)``.
    ///
    /// - Throws: `HeadroomError` if the path cannot be opened.
    /// - Complexity: O(entries).
    public static func freedTotals(
        of path: FilePath, options: ScanOptions, progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> FreedTotals {
        let survey = HardLinkSurvey()
        let result = try TreeWalk.run(path, options, progress) { HardLinkSurvey.Sink(survey) }
        let totals = result.totals
        return FreedTotals(
            bytes: max(.zero, ByteCount(totals.allocated) - survey.linkedElsewhere),
            allocated: ByteCount(totals.allocated), files: totals.files,
            directories: totals.directories, isComplete: result.isComplete)
    }
}

/// Counts the links of files with several that a walk meets.
private final class HardLinkSurvey: Sendable {
    private struct File: Sendable {
        var seen: UInt32
        var linkCount: UInt32
        var allocated: ByteCount
    }

    private let files = Mutex<[FileIdentity: File]>([:])

    /// Bytes of files that have more links than were met.
    var linkedElsewhere: ByteCount {
        files.withLock { files in
            files.values.reduce(.zero) { $0 + ($1.seen < $1.linkCount ? $1.allocated : .zero) }
        }
    }

    private func add(_ status: FileStatus) {
        files.withLock { files in
            files[
                status.identity,
                default: File(
                    seen: 0, linkCount: UInt32(clamping: status.linkCount),
                    allocated: status.allocatedSize)
            ].seen += 1
        }
    }

    final class Sink: WalkSink {
        private let survey: HardLinkSurvey

        init(_ survey: HardLinkSurvey) {
            self.survey = survey
        }

        func enter(_ directory: borrowing WalkDirectory) -> WalkDecision { WalkDecision(tag: 0) }

        func take(_ entries: UnsafeBufferPointer<WalkEntry>, of place: WalkPlace) {
            for index in entries.indices {
                let status = unsafe entries[index].status
                if status.type != .directory, status.linkCount > 1 { survey.add(status) }
            }
        }

        func fail(_ directory: WalkPlace, _ error: Errno) {}
        func omit(_ name: EntryName, in place: WalkPlace, because omission: WalkOmission) {}
    }
}
