//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// Looks for what processes that died while saving have left, and removes it.
///
/// Reads names only, follows no links, and enters no other mounts. Blocks.
package struct OrphanSweep {
    /// What was removed.
    package private(set) var count = 0
    package private(set) var bytes = ByteCount.zero
    private let calls: any FileSystemCalls
    private let now: Timestamp
    private let prefixes: [[UInt8]]

    /// - Parameter prefixes: what the names begin with; nobody else's names may.
    package init(
        prefixes: [String] = [NewFile.prefix, SwapName.prefix], now: Timestamp,
        calls: any FileSystemCalls = NativeCalls.make()
    ) {
        self.prefixes = prefixes.map { Array($0.utf8) }
        self.now = now
        self.calls = calls
    }

    /// Looks in a directory and, unless told otherwise, in all below it.
    ///
    /// What cannot be read is passed over: it is tried again at the next start.
    package mutating func run(in path: FilePath, isRecursive: Bool = true) {
        guard let root = try? Descriptor.openDirectory(path) else { return }
        var pending: [[FileName]] = [[]]
        while let next = pending.popLast() {
            guard let opened = try? calls.openDirectory(beneath: root.rawValue, path: next) else {
                continue
            }
            let directory = Descriptor(owning: opened)
            for found in look(directory.rawValue) {
                if found.isDirectory {
                    if isRecursive { pending.append(next + [found.name]) }
                    continue
                }
                guard let size = remove(found.name, at: directory.rawValue) else { continue }
                count += 1
                bytes += size
            }
        }
    }

    private func remove(_ name: FileName, at directory: Int32) -> ByteCount? {
        if name.bytes.starts(with: SwapName.prefix.utf8) {
            return SwapName(name)?.removeLeftover(at: directory, calls)
        }
        return name.withEntryName { entry in
            OrphanedFile.remove(entry, at: directory, now: now, calls)
        }
    }

    private struct Found {
        let name: FileName
        let isDirectory: Bool
    }

    /// The directories in a directory, and the files with one of the names.
    private func look(_ directory: Int32) -> [Found] {
        guard var stream = try? calls.openStream(directory) else { return [] }
        defer { calls.close(stream) }
        var found: [Found] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32768, alignment: 8)
        defer { unsafe buffer.deallocate() }
        while let count = unsafe try? calls.read(&stream, into: buffer), count > 0 {
            // In bounds: `count` bytes were filled.
            var entries = unsafe DirectoryEntries(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            while let entry = entries.next() {
                let isDirectory = isDirectory(entry, directory)
                guard isDirectory || matches(entry.name) else { continue }
                found.append(Found(name: entry.name.owned, isDirectory: isDirectory))
            }
        }
        return found
    }

    private func isDirectory(_ entry: DirectoryEntries.Entry, _ directory: Int32) -> Bool {
        guard entry.type == .unknown else { return entry.type == .directory }
        return (try? calls.status(of: entry.name, at: directory))?.type == .directory
    }

    private func matches(_ name: EntryName) -> Bool {
        prefixes.contains { prefix in
            unsafe name.count > prefix.count && name.bytes.starts(with: prefix)
        }
    }
}
