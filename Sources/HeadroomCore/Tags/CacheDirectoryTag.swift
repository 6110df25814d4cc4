//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// `CACHEDIR.TAG`, by which a directory says that what is in it can be made again
/// (https://bford.info/cachedir/). Backup programs leave such a directory out.
///
/// Tags of Headroom carry a comment that says so. Only those are ever removed.
package enum CacheDirectoryTag {
    package static let name = FileName(unchecked: Array("CACHEDIR.TAG".utf8))

    /// The 43 bytes that make a file of that name a tag, whatever follows them.
    package static let signature = Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)

    /// What tags of Headroom, of any version, start with.
    package static let ownStart =
        signature + Array("\n# This directory is left out of backups by Headroom.\n".utf8)

    static let content =
        ownStart
        + Array(
            """
            # To have it backed up again: headroom mark DIRECTORY --backup
            # About such tags: https://bford.info/cachedir/

            """.utf8)

    /// A file of the name that is longer is content, and no tag that needs to be kept.
    package static let maximumSize: Int64 = 4096

    /// Which tag a directory has: ``BackupDialects/ownTag``, ``BackupDialects/foreignTag`` or none.
    ///
    /// - Parameter directory: open, be it for searching alone.
    package static func read(in directory: Int32) throws(Errno) -> BackupDialects {
        let start = try name.withEntryName { (name) throws(Errno) in
            try TagFile.read(name, at: directory, limit: ownStart.count)
        }
        guard let start, start.starts(with: signature) else { return [] }
        return start == ownStart ? .ownTag : .foreignTag
    }

    /// Which tag the directory at a path has.
    package static func read(at path: FilePath) throws(Errno) -> BackupDialects {
        let directory = try ResolvedDirectory(path)
        return try read(in: directory.descriptor.rawValue)
    }

    /// Puts a tag into a directory that has none.
    ///
    /// - Throws: `EEXIST` if there is something of the name that is no tag, which stays.
    static func put(in directory: Int32, _ calls: any FileSystemCalls) throws(Errno) {
        guard try read(in: directory).isEmpty else { return }
        do {
            try name.withEntryName { (name) throws(Errno) in
                try TagFile.make(name, at: directory, content, calls)
            }
        } catch .fileExists {
            // Somebody was faster: if theirs is a tag, all is well.
            guard try !read(in: directory).isEmpty else { return try refuse() }
        }
    }

    private static func refuse() throws(Errno) { throw .fileExists }

    /// Removes a tag of Headroom.
    ///
    /// - Returns: whether there was one.
    static func remove(
        from directory: Int32, _ calls: any FileSystemCalls
    ) throws(Errno) -> Bool {
        try name.withEntryName { (name) throws(Errno) in
            // mutation: r11d-3
            try TagFile.remove(name, at: directory, startingWith: ownStart, calls)
        }
    }
}
