//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// Where the mark of a registration is, if its directory is not where it was registered.
public enum StrayMark: Hashable, Sendable {
    /// The directory was renamed, and is beside where it was.
    case beside(FilePath)
    /// It was removed, or moved away with its mark: that is not known.
    case unknown
}

extension Workspace {
    /// Whether the mark that a registration has put on its directory is elsewhere now: marks travel with
    /// what is moved. Blocks: looks at the entries beside it.
    ///
    /// - Returns: nil if the directory is there, or bore no mark.
    public func strayMark(of registration: Registration) -> StrayMark? {
        let place = registration.area.root
        guard registration.hasMark else { return nil }
        let present = key(of: place)
        // Another one may have been made at the place since, and that may bear a mark as well.
        let marked = ledger.markedFiles.filter {
            $0.path == place && $0.isDirectory && $0.mark.purgeClass != nil
        }.map(\.key)
        for key in marked where key != present {
            if let path = beside(place, with: key) { return .beside(path) }
        }
        guard let present else { return marked.isEmpty ? nil : .unknown }
        return marked.isEmpty || marked.contains(present) ? nil : .unknown
    }

    /// - Returns: nil if there is no directory, or it cannot be looked at.
    private func key(of path: FilePath) -> FileKey? {
        guard let directory = try? ResolvedDirectory(path, followingLast: false) else { return nil }
        let id = try? VolumeFigures.fileSystemID(of: directory.descriptor.rawValue)
        let status = directory.status
        return id.map { FileKey(status, fileSystemID: $0) }
    }

    private func beside(_ place: FilePath, with key: FileKey) -> FilePath? {
        // What cannot be listed has it, or has it not.
        guard let path = try? ResolvedDirectory(place.removingLastComponent()).path,
            let parent = try? Descriptor.openDirectory(path)
        else { return nil }
        let number = parent.rawValue
        for name in (try? calls.names(in: number)) ?? [] {
            let status = try? name.withEntryName { (entry) throws(Errno) in
                try calls.status(of: entry, at: number)
            }
            guard let status, status.type == .directory,
                status.identity.inode == key.inode, self.key(of: path.appending(name)) == key
            else { continue }
            return path.appending(name)
        }
        return nil
    }
}
