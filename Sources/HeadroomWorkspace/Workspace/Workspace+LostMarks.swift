//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Marks that were lost: a program has replaced the file, or dropped its attributes. Changes
    /// nothing. Blocks; opens each marked file.
    ///
    /// - Parameter places: only what is at or below these; all, if there are none.
    /// - Returns: by path.
    /// - Complexity: O(marks).
    public func lostMarks(in places: [FilePath] = []) -> [LostMark] {
        var found: [LostMark] = []
        for lost in recordedMarks(in: places).compactMap({ marks.loss(of: $0) }) {
            guard found.last?.path == lost.path else {
                found.append(lost)
                continue
            }
            // Several files that stood there one after the other were marked.
            found[found.count - 1].add(lost)
        }
        return found
    }

    /// Puts lost marks back as far as R9 allows: what protects, and on the very file that was marked
    /// all of it. Blocks; on disk when it returns.
    ///
    /// To be called when a program starts; costs a few system calls for each marked file.
    ///
    /// - Parameter places: as for ``lostMarks(in:)``.
    /// - Returns: what was lost, with what was put back and what could not be.
    @discardableResult
    public func restoreMarks(in places: [FilePath] = []) -> [RestoredMark] {
        recordedMarks(in: places).compactMap { recorded in
            do throws(HeadroomError) {
                return try marks.restore(
                    recorded, excludesByClass: { excludesByClass(recorded.path) }
                )
                .map { RestoredMark(lost: $0) }
            } catch {
                // Gone, or not to be opened: as when they are only listed.
                return marks.loss(of: recorded).map {
                    RestoredMark(lost: $0, failure: error.message)
                }
            }
        }
    }

    private func recordedMarks(in places: [FilePath]) -> [MarkedFile] {
        ledger.markedFiles
            .filter { recorded in
                places.isEmpty || places.contains { recorded.path.lies(in: $0) }
            }
            .sorted {
                $0.path != $1.path
                    ? $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
                    : $0.key.birth < $1.key.birth
            }
    }
}

/// A mark that was lost and, as far as `LostMark.restored` says, is back.
public struct RestoredMark: Hashable, Sendable {
    public var lost: LostMark
    /// Why it could not be put back; nil: it was, or there was nothing that may be.
    public var failure: String?

    public init(lost: LostMark, failure: String? = nil) {
        self.lost = lost
        self.failure = failure
    }
}
