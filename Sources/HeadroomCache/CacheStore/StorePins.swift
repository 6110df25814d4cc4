//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// Pins on the files of a cache store: values are moved from one to another when others go, so that one that is pinned
/// keeps all.
package enum StorePins {
    /// Whether a file of a store's is pinned, or has a mark that cannot be read.
    ///
    /// - Parameter directory: the store's, open.
    /// - Throws: what reading the directory says.
    /// - Complexity: O(1) where the directory says that no file in it is marked, and the ledger knows none.
    package static func hasPinnedFile(
        _ directory: Int32, _ marks: any MarkSource, _ calls: any FileSystemCalls
    ) throws(Errno) -> Bool {
        let reading = marks.reading(ofDirectory: directory, try calls.status(of: directory))
        guard reading?.hasMarkedFiles == true || marks.knowsFiles else { return false }
        for entry in try DirectoryListing(directory, calls: calls).entries
        where StoreNames.isOurs(entry.name.text) {
            let mark = try entry.name.withEntryName { (name) throws(Errno) in
                marks.reading(
                    ofFile: name, at: directory, try calls.status(of: name, at: directory))
            }
            if mark?.isDamaged == true || mark?.mark.isPinned == true { return true }
        }
        return false
    }
}
