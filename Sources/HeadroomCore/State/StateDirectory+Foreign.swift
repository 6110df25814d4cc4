//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import SystemPackage

// Where Headroom keeps its records somebody may have said, and files of others may have the names that it uses: none of
// them is written to, replaced or removed before it was seen to be ours.
extension StateDirectory {
    /// A name that nothing has, for a file that is damaged or was never ours.
    func asideName(for file: String, at time: Timestamp) -> String {
        let time = time.iso8601.filter { $0 != "-" && $0 != ":" }
        let name = "\(file).damaged-\(time)"
        var number = 1
        while contains(number == 1 ? name : "\(name)-\(number)") { number += 1 }
        return number == 1 ? name : "\(name)-\(number)"
    }

    /// The names under which a file is written that is to be `name`, in the order in which they are tried.
    package static func temporaryNames(for name: String) -> [String] {
        (0..<8).map { $0 == 0 ? "\(name).new" : "\(name).\($0).new" }
    }

    /// The first of these that nothing has, or that a process has left which died before the rename.
    ///
    /// - Parameter isLeftover: of a regular file that has it.
    /// - Throws: `EEXIST` if others have all of them.
    func temporaryName(
        for name: String, isLeftover: (borrowing RegularFile) throws(Errno) -> Bool
    ) throws(Errno) -> String {
        for temporary in Self.temporaryNames(for: name) {
            do throws(Errno) {
                if try isLeftover(RegularFile(temporary, in: self, .reading)) { return temporary }
            } catch .noSuchFileOrDirectory {
                return temporary
            } catch {
                // A link, a directory, another user's. Of what passes, as having too many files open, nothing is said.
                guard error.isNoSuchFile || error == .permissionDenied else { throw error }
            }
        }
        throw .fileExists
    }
}

extension RegularFile {
    /// Whether it is empty or begins with nothing but zeros, as a file does that was made and not written to, or of
    /// which a crash of the machine has lost the bytes.
    func isBlank() throws(Errno) -> Bool {
        // Images of volumes have a gap in front, too; a shorter one.
        try read(64 << 10, at: 0).allSatisfy { $0 == 0 }
    }
}
