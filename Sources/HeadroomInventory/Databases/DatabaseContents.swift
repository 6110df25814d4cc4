//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
import SystemPackage

/// Tells a database and its sidecars from files that are merely called so, by what they begin with: a
/// name alone is no reason for anything to go (safety invariant S1).
///
/// Only what was scanned is opened, as it was then: regular files, by the descriptor of their directory,
/// without counting as a use where the file is our own; nothing on which somebody holds a lease of
/// fcntl(2), and nothing whose content is elsewhere. What is not opened, or cannot be read, is no
/// evidence. Neither is a main file without a header, which may be encrypted or just begun, unless
/// something beside it has a signature of SQLite's.
package struct DatabaseContents {
    package let calls: any FileSystemCalls
    package let hasLease: (FileIdentity) -> Bool

    package init(calls: any FileSystemCalls, hasLease: @escaping (FileIdentity) -> Bool) {
        self.calls = calls
        self.hasLease = hasLease
    }

    /// What a database begins with.
    private static let header = Array("SQLite format 3\0".utf8)

    /// Whether a set is a database, with nothing else in it.
    ///
    /// - Parameters:
    ///   - members: the main file, then what is called like its sidecars.
    ///   - directory: theirs, open.
    /// - Complexity: a few system calls for each member.
    package func areDatabase(
        _ members: [UInt32], of inventory: Inventory, at directory: Int32
    ) -> Bool {
        guard let main = members.first, let head = head(of: main, inventory, at: directory) else {
            return false
        }
        var isCertain = head == Self.header
        for id in members.dropFirst() {
            guard let sidecar = Sidecar(inventory.name(ofItem: id)),
                let head = self.head(of: id, inventory, at: directory)
            else { return false }
            switch sidecar.likeness(of: head) {
            // A database it may be, but this is somebody's file.
            // mutation: s1d-3
            case .none: return false
            case .possible: continue
            case .certain: isCertain = true
            }
        }
        return isCertain
    }

    /// The first bytes of a file; nil if they are not to be had.
    private func head(
        of id: UInt32, _ inventory: Inventory, at directory: Int32
    ) -> [UInt8]? {
        let name = inventory.name(ofItem: id)
        do throws(Errno) {
            let status = try calls.status(of: name, at: directory)
            let current = Fingerprint(status, key: inventory.key).rawValue
            guard current == inventory.item(id).fingerprint, status.type == .regular,
                !status.isDataless
            else { return nil }
            // Nothing is opened for what is known.
            if status.logicalSize == .zero { return [] }
            // mutation: s1d-4
            guard !hasLease(status.identity) else { return nil }
            let file = ProbedFile(
                owning: try calls.openFile(name, at: directory, writing: false))
            // Between the look and the opening, something else may have taken the name.
            guard try calls.status(of: file.rawValue).identity == status.identity else {
                return nil
            }
            return try FileHeader.read(file.rawValue, count: Self.header.count)
        } catch {
            return nil
        }
    }
}
