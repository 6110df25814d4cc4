//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

extension CheckedLog {
    /// Removes what has a log's name and is no regular file, such as a link.
    ///
    /// - Throws: what unlink(2) does; `EAGAIN` if somebody else is within the gate for more than five seconds.
    package static func removeForeign(
        _ name: String, in directory: StateDirectory, gate: LogGate
    ) throws(Errno) {
        // Nobody makes a log of that name meanwhile; and one that somebody has made by now is none of these.
        let passage = try gate.enter(directory, limit: lockLimit)
        defer { extendLifetime(passage) }
        do throws(Errno) {
            _ = try RegularFile(name, in: directory, .writing)
        } catch .noSuchFileOrDirectory {
            // Somebody was faster.
        } catch {
            // What passes, as having too many files open, says nothing of it.
            guard error.isNoSuchFile else { throw error }
            try directory.remove(name)
        }
    }

    /// Renames what has a log's name and holds nothing of one: a file that begins otherwise and has no record.
    ///
    /// - Parameter aside: the other name, which nothing has.
    /// - Returns: that name, if something was set aside.
    static func setAsideForeign(
        _ name: String, in directory: StateDirectory, kind: UInt32, as aside: () -> String
    ) throws(Errno) -> String? {
        guard directory.contains(name), try !isLog(name, in: directory, kind: kind) else {
            return nil
        }
        try directory.lock(limit: lockLimit)
        defer { directory.unlock() }
        // Somebody else may have done it meanwhile.
        guard directory.contains(name), try !isLog(name, in: directory, kind: kind) else {
            return nil
        }
        let aside = aside()
        try directory.rename(name, to: aside)
        return aside
    }

    /// Whether a file is a log, and be it of a later version or damaged; an empty one is nobody's loss.
    private static func isLog(
        _ name: String, in directory: StateDirectory, kind: UInt32
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            let file = try RegularFile(name, in: directory, .reading)
            let head = try file.read(LogHeader.size, at: 0)
            guard !head.isEmpty, LogHeader.read(head, kind: kind) == .damaged,
                !LogHeader.begins(head, kind: kind)
            else { return true }
            return try hasRecord(file)
        } catch {
            guard error.isNoSuchFile || error == .permissionDenied else { throw error }
            return error == .noSuchFileOrDirectory
        }
    }

    /// Whether there is a record somewhere near the beginning.
    private static func hasRecord(_ file: borrowing RegularFile) throws(Errno) -> Bool {
        let bytes = try file.read(1 << 20, at: 0)
        let marker = LogFrame.nextMarker(in: bytes, from: 0)
        return marker + LogFrame.headerSize <= bytes.count
    }

    /// Makes the file that is to become the log; within the gate. What a process that died has left of one goes:
    /// whoever made it sees that before he renames it, and never shares the file.
    ///
    /// - Parameter temporary: its name afterwards: `<name>.new`, unless somebody's file has that.
    static func makeTemporary(
        for name: String, in directory: StateDirectory, kind: UInt32, named temporary: inout String
    ) throws(Errno) -> RegularFile {
        temporary = try directory.temporaryName(for: name) { (file) throws(Errno) in
            try isLeftover(file, kind: kind)
        }
        try? directory.remove(temporary)
        return try RegularFile(temporary, in: directory, .making)
    }

    /// The header of a snapshot is written last: until then there is a gap in front of its records.
    private static func isLeftover(
        _ file: borrowing RegularFile, kind: UInt32
    ) throws(Errno) -> Bool {
        let head = try file.read(LogHeader.size + LogFrame.marker.count, at: 0)
        if LogHeader.begins(head, kind: kind) { return true }
        // mutation: s7b-1
        guard head.prefix(LogHeader.size).allSatisfy({ $0 == 0 }) else { return false }
        if head.dropFirst(LogHeader.size).elementsEqual(LogFrame.marker) { return true }
        return try file.isBlank()
    }
}
