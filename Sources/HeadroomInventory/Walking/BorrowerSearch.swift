//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
package import SystemPackage

/// Finds the repositories below a home whose objects other repositories borrow (`objects/info/alternates`, see
/// gitrepository-layout(5)): borrowers are mostly outside of all areas, where nothing is scanned.
///
/// The home is walked only when a repository could be purged otherwise, and the answer is kept for a minute.
/// Borrowers on other volumes are not found. Safe to use from several threads at once.
package final class BorrowerSearch: Sendable {
    private let home: FilePath
    private let known = Mutex<Answer?>(nil)

    private struct Answer {
        /// Directories of objects, links resolved; nil: the home, or a list of lenders, could not be read.
        let lenders: [FilePath]?
        let end: ContinuousClock.Instant
    }

    package init(home: FilePath) {
        self.home = home
    }

    /// The directories of objects that other repositories borrow from.
    ///
    /// Blocks, for one walk of the home.
    ///
    /// - Returns: nil if the home could not be read, or a file that names lenders.
    func lenders() -> [FilePath]? {
        known.withLock { known in
            if let known, known.end > ContinuousClock.now { return known.lenders }
            let lenders = Self.search(home)
            known = Answer(
                lenders: lenders, end: ContinuousClock.now.advanced(by: .seconds(60)))
            return lenders
        }
    }

    private static func search(_ home: FilePath) -> [FilePath]? {
        let found = Findings()
        let options = ScanOptions(now: .wallClock())
        // What can't be walked at all is no evidence that nothing borrows.
        let result = try? TreeWalk.run(home, options, ScanProgress()) { Sink(found) }
        guard let result, result.isComplete else { return nil }
        return found.lenders()
    }

    private final class Findings: Sendable {
        /// Each `alternates` file, with the directory of objects that it belongs to; nil: one could not be read.
        private let files = Mutex<[(base: FilePath, content: [UInt8])]?>([])

        func add(_ base: FilePath, _ content: [UInt8]) {
            files.withLock { $0?.append((base, content)) }
        }

        func fail() {
            files.withLock { $0 = nil }
        }

        func lenders() -> [FilePath]? {
            files.withLock { $0 }?.flatMap { file in
                file.content.split(separator: UInt8(ascii: "\n")).map { line in
                    // Relative paths start at the directory of the objects.
                    let path = file.base.pushing(FilePath(bytes: Array(line))).lexicallyNormalized()
                    // A lender that is gone lends nothing.
                    return (try? ResolvedDirectory(path).path) ?? path
                }
            }
        }
    }

    /// Reads `objects/info/alternates`.
    private final class Sink: WalkSink {
        private let found: Findings
        private static let objects: UInt64 = 1
        private static let alternates = FileName(unchecked: Array("alternates".utf8))

        init(_ found: Findings) {
            self.found = found
        }

        func enter(_ directory: borrowing WalkDirectory) -> WalkDecision {
            if directory.name.isEqual("objects") { return WalkDecision(tag: Self.objects) }
            if directory.parentTag == Self.objects, directory.name.isEqual("info"),
                directory.descriptor >= 0
            {
                read(directory.descriptor)
            }
            return WalkDecision(tag: 0)
        }

        private func read(_ directory: Int32) {
            do throws(Errno) {
                let content = try Self.alternates.withEntryName { name throws(Errno) in
                    try Self.content(of: name, in: directory)
                }
                guard content.count < Self.limit,
                    let info = ResolvedDirectory.path(of: directory)
                else { return found.fail() }
                found.add(info.removingLastComponent(), content)
            } catch .noSuchFileOrDirectory {
                // Most repositories borrow nothing.
            } catch {
                found.fail()
            }
        }

        private static let limit = 1 << 16

        private static func content(
            of name: EntryName, in directory: Int32
        ) throws(Errno) -> [UInt8] {
            let file = ProbedFile(
                owning: try NativeCalls.make().openFile(name, at: directory, writing: false))
            return try FileHeader.read(file.rawValue, count: limit)
        }

        func take(_ entries: UnsafeBufferPointer<WalkEntry>, of directory: WalkPlace) {}
        func fail(_ directory: WalkPlace, _ error: Errno) {}
        func omit(_ name: EntryName, in directory: WalkPlace, because omission: WalkOmission) {}
    }
}
