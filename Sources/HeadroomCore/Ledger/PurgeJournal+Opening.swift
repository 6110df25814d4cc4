//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// The state directory is where somebody has said that it is, and its journal has a name that others use too: what has
// it is written to only after it was seen to be ours.
extension PurgeJournal {
    /// What has the journal's name.
    private enum Found {
        case ours
        /// Nothing, or an empty file.
        case nothing
        case foreign
    }

    /// Makes the journal if there is none. What has its name and is not ours is kept under another one.
    ///
    /// - Parameter aside: the other name, which nothing has.
    /// - Returns: that name, if something was set aside.
    static func prepare(
        in directory: StateDirectory, settingAside aside: () -> String
    ) throws(Errno) -> String? {
        if try find(in: directory) == .ours { return nil }
        try directory.lock(limit: CheckedLog.lockLimit)
        defer { directory.unlock() }
        let found = try find(in: directory)
        if found == .ours { return nil }
        let temporary = try directory.temporaryName(for: fileName) { (file) throws(Errno) in
            guard try file.size() <= size else { return false }
            // mutation: s7b-2
            return try file.isBlank()
        }
        var kept: String?
        do {
            let file = try RegularFile(temporary, in: directory, .replacing)
            // mutation: s14b-2
            try file.preallocate(size)
            try file.synchronize()
            if found == .foreign {
                let name = aside()
                try directory.rename(fileName, to: name)
                kept = name
            }
            try directory.rename(temporary, to: fileName)
            try directory.synchronize()
        } catch {
            // It may not have come to be; what is left of it is of no use.
            try? directory.remove(temporary)
            // Nothing has the name now; where it cannot have it again it is beside it.
            if let kept { try? directory.rename(kept, to: fileName) }
            throw error
        }
        return kept
    }

    /// Opens the journal.
    ///
    /// - Throws: `ENOENT` if there is none, `EINVAL` if what has its name is none.
    static func open(
        in directory: StateDirectory, _ access: RegularFile.Access
    ) throws(Errno) -> RegularFile {
        let file = try RegularFile(fileName, in: directory, access)
        guard try isOurs(file) else { throw .invalidArgument }
        return file
    }

    private static func find(in directory: StateDirectory) throws(Errno) -> Found {
        do throws(Errno) {
            let file = try RegularFile(fileName, in: directory, .reading)
            if try file.size() == 0 { return .nothing }
            return try isOurs(file) ? .ours : .foreign
        } catch {
            if error == .noSuchFileOrDirectory { return .nothing }
            // A link, a directory, another user's. Of what passes, as having too many files open, nothing is said.
            guard error.isNoSuchFile || error == .permissionDenied else { throw error }
            return .foreign
        }
    }

    /// Whether a file has the journal's length, and each of its slots begins as one does that is free or
    /// in use; where the first record is damaged, there may be others.
    private static func isOurs(_ file: borrowing RegularFile) throws(Errno) -> Bool {
        guard try file.size() == size else { return false }
        for slot in 0..<slotCount {
            let head = try file.read(LogFrame.marker.count, at: slot * slotSize)
            if head == LogFrame.marker || head.allSatisfy({ $0 == 0 }) { continue }
            let bytes = try file.read(Int(slotSize), at: slot * slotSize)
            let record = LogFrame.nextMarker(in: bytes, from: 0)
            // mutation: s7b-8
            guard record + LogFrame.headerSize <= bytes.count else { return false }
        }
        return true
    }
}
