//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The name under which two files change places: `.headroom-swapping-<old>-<new>-<random>`, with the
/// inode numbers of the file that goes and of the one that comes.
///
/// Whoever finds one without a lock, after a crash, can tell what it is: the new file, which has not
/// got the name yet, or the old one, which has just lost it. Both may go, since the other stands at
/// the name. Any other file in there is what a third program had put at the name meanwhile, and is
/// nobody's to remove.
package struct SwapName: Hashable, Sendable {
    package static let prefix = ".headroom-swapping-"

    package let old: UInt64
    package let new: UInt64
    package let fileName: FileName

    package init(old: UInt64, new: UInt64) {
        self.old = old
        self.new = new
        let random = String(UInt32.random(in: .min ... .max), radix: 36)
        let numbers = String(old, radix: 36) + "-" + String(new, radix: 36)
        fileName = FileName(unchecked: Array("\(Self.prefix)\(numbers)-\(random)".utf8))
    }

    /// - Returns: nil for a name that is none of these.
    package init?(_ name: FileName) {
        let text = name.text
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let old = UInt64(parts[0], radix: 36),
            let new = UInt64(parts[1], radix: 36), UInt32(parts[2], radix: 36) != nil
        else { return nil }
        self.old = old
        self.new = new
        fileName = name
    }

    /// Removes the file of this name if it is what a process that died has left.
    ///
    /// - Returns: what it took up; nil if it is in use, a third program's, or cannot be removed.
    package func removeLeftover(
        at directory: Int32, _ calls: some FileSystemCalls
    ) -> ByteCount? {
        fileName.withEntryName { name in
            guard let opened = try? calls.openFile(name, at: directory, writing: false) else {
                return nil
            }
            // Held until it is gone. While they change places both are locked.
            let file = Descriptor(owning: opened)
            guard FileLock.tryExclusive(file.rawValue) == .granted,
                let status = try? calls.status(of: file.rawValue), status.type == .regular,
                status.identity.inode == old || status.identity.inode == new,
                status.linkCount == 1,
                (try? calls.status(of: name, at: directory))?.identity == status.identity,
                (try? calls.remove(name, at: directory, isDirectory: false)) != nil
            else { return nil }
            return status.allocatedSize
        }
    }
}
