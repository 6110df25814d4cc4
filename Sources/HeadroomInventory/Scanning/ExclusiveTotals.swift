//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
import Synchronization
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a file or a tree occupies, and how much of it nothing else does: what its removal frees for certain.
public struct ExclusiveTotals: Hashable, Sendable {
    /// Bytes occupied, directories included, each file with several links once.
    public var allocated: ByteCount
    /// Of them, bytes in no extent that another file, or another place of the same one, shares.
    public var exclusive: ByteCount
    /// Of them, bytes of which the file system does not tell, or of files that may not be read.
    public var unknown: ByteCount
    /// False if the walk was cancelled.
    public var isComplete: Bool

    /// Bytes that are shared: by files elsewhere, snapshots included, or by files of the tree with each
    /// other, in which case they too go with it. Which of both the file system does not tell.
    public var shared: ByteCount { allocated - exclusive - unknown }

    init(
        allocated: ByteCount, exclusive: ByteCount, unknown: ByteCount, isComplete: Bool = true
    ) {
        self.allocated = allocated
        self.exclusive = exclusive
        self.unknown = unknown
        self.isComplete = isComplete
    }
}

extension Scanner {
    /// Finds out how much of what a tree, or a file, occupies it shares with nothing.
    ///
    /// Blocks. Opens each file that occupies something, for reading, and asks the file system where it
    /// lies: that takes many times what ``totals(of:options:progress:)`` does. Links are not followed.
    ///
    /// - Throws: `HeadroomError` if the path cannot be opened; what cannot be read below is
    ///   counted as unknown.
    /// - Complexity: O(entries + extents).
    public static func exclusiveTotals(
        of path: FilePath, options: ScanOptions, progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> ExclusiveTotals {
        let calls = options.calls ?? NativeCalls.make()
        let status: FileStatus
        do throws(Errno) {
            status = try PathCalls.entryStatus(path)
        } catch {
            throw HeadroomError("measure", path, error)
        }
        guard status.type == .directory else { return single(path, status, calls) }
        let survey = ExclusiveSurvey(calls)
        let result = try TreeWalk.run(path, options, progress) { ExclusiveSurvey.Sink(survey) }
        let (shared, unknown) = survey.sums
        let allocated = ByteCount(result.totals.allocated)
        return ExclusiveTotals(
            allocated: allocated, exclusive: max(.zero, allocated - shared - unknown),
            unknown: min(unknown, allocated), isComplete: result.isComplete)
    }

    private static func single(
        _ path: FilePath, _ status: FileStatus, _ calls: any FileSystemCalls
    ) -> ExclusiveTotals {
        let allocated = status.allocatedSize
        guard status.type == .regular, allocated > .zero else {
            return ExclusiveTotals(allocated: allocated, exclusive: allocated, unknown: .zero)
        }
        do throws(Errno) {
            let file = try Descriptor.openFile(path)
            let exclusive = try ExclusiveSize.of(file.rawValue, allocated: allocated)
            return ExclusiveTotals(allocated: allocated, exclusive: exclusive, unknown: .zero)
        } catch {
            return ExclusiveTotals(allocated: allocated, exclusive: .zero, unknown: allocated)
        }
    }
}

/// Asks of each file that a walk meets how much of it is its own.
private final class ExclusiveSurvey: Sendable {
    /// What a file does not have for itself.
    struct Rest: Sendable {
        var shared: ByteCount = .zero
        var unknown: ByteCount = .zero
    }

    private let calls: any FileSystemCalls
    private let rest = Mutex(Rest())
    /// Files with several links, which count once.
    private let linked = Mutex<Set<FileIdentity>>([])

    init(_ calls: any FileSystemCalls) {
        self.calls = calls
    }

    var sums: (shared: ByteCount, unknown: ByteCount) {
        rest.withLock { ($0.shared, $0.unknown) }
    }

    final class Sink: WalkSink {
        private let survey: ExclusiveSurvey

        init(_ survey: ExclusiveSurvey) {
            self.survey = survey
        }

        func enter(_ directory: borrowing WalkDirectory) -> WalkDecision { WalkDecision(tag: 0) }

        func take(_ entries: UnsafeBufferPointer<WalkEntry>, of place: WalkPlace) {
            var rest = Rest()
            for index in entries.indices {
                let entry = unsafe entries[index]
                // What occupies nothing shares nothing; and is not fetched from a cloud.
                guard entry.status.type == .regular, entry.status.allocatedSize > .zero,
                    survey.isNew(entry.status)
                else { continue }
                let found = survey.look(at: entry, in: place.descriptor)
                rest.shared += found.shared
                rest.unknown += found.unknown
            }
            survey.add(rest)
        }

        func fail(_ directory: WalkPlace, _ error: Errno) {}
        func omit(_ name: EntryName, in place: WalkPlace, because omission: WalkOmission) {}
    }

    private func isNew(_ status: FileStatus) -> Bool {
        status.linkCount < 2 || linked.withLock { $0.insert(status.identity).inserted }
    }

    private func look(at entry: WalkEntry, in directory: Int32) -> Rest {
        let allocated = entry.status.allocatedSize
        do throws(Errno) {
            let file = Descriptor(
                owning: try calls.openFile(entry.name, at: directory, writing: false))
            let exclusive = try ExclusiveSize.of(file.rawValue, allocated: allocated)
            return Rest(shared: allocated - exclusive)
        } catch {
            return Rest(unknown: allocated)
        }
    }

    private func add(_ more: Rest) {
        rest.withLock {
            $0.shared += more.shared
            $0.unknown += more.unknown
        }
    }
}
