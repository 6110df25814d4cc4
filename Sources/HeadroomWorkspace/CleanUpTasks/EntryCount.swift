//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Counts what is in directories by their names alone, without asking for the status of each: a
/// fraction of what measuring costs, and what makes its progress honest.
///
/// An estimate: what cannot be opened, or lies on another volume, counts as one.
final class EntryCount {
    private let calls: any FileSystemCalls
    private let progress: CleanUpTaskProgress
    /// Directories of which the content is counted apart.
    private let places: [[UInt8]: Place]
    private(set) var total = 0
    private(set) var directories = Directories()
    private(set) var scannedDirectories = Directories()
    /// Those that stay, as far as can be told.
    private(set) var remainingDirectories = Directories()
    private(set) var scanned = 0
    private(set) var chosen = 0
    /// Directories among them: what they are in stays.
    private(set) var chosenDirectories = 0
    /// Of the directory that has most of them.
    private(set) var largest = 0
    private(set) var registered = 0
    /// In directories that go whole, themselves included.
    private(set) var members = 0

    struct Directories: Hashable {
        var count = 0
        /// How many levels all of them together lie below their roots.
        var levels = 0

        mutating func add(levels: Int) {
            count += 1
            self.levels += levels
        }
    }

    struct Place: Hashable {
        /// It is scanned for the plan.
        var isScanned: Bool
        /// All in it is likely to go, by a task.
        var isChosen: Bool
        /// It goes whole, with all that is in it.
        var isWhole = false
        /// All in it is likely to go, as it is a purgeable directory.
        var isRegistered: Bool
    }

    init(
        _ calls: any FileSystemCalls, _ progress: CleanUpTaskProgress,
        places: [FilePath: Place]
    ) {
        self.calls = calls
        self.progress = progress
        self.places = Dictionary(
            places.map { ($0.key.bytes, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private struct Pending {
        var path: [UInt8]
        var names: [FileName]
        var place: Place
        /// The part of all the work that is thought to lie in it.
        var share: Double
    }

    /// - Parameter share: the part of the whole that these roots are, for the progress.
    func run(_ root: FilePath, share: Double) {
        guard let opened = try? Descriptor.openDirectory(root) else {
            return progress.addCounted(share: share)
        }
        var buffer = [UInt8](repeating: 0, count: 65536)
        var pending = [
            Pending(
                path: root.bytes, names: [],
                place: Place(isScanned: false, isChosen: false, isRegistered: false),
                share: share)
        ]
        while let next = pending.popLast(), !progress.isCancelled {
            var place = next.place
            if let own = places[next.path] {
                place.isScanned = place.isScanned || own.isScanned
                place.isChosen = place.isChosen || own.isChosen
                place.isRegistered = place.isRegistered || own.isRegistered
                if own.isWhole, !place.isWhole {
                    place.isWhole = true
                    members += 1
                }
            }
            var children: [FileName] = []
            var told = 0.0
            var toldNames = 0
            let count = read(opened.rawValue, next.names, &buffer, &children) { buffers, names in
                // How many are to come nobody knows: as many again.
                let part = next.share * (1 - 1 / Double(buffers))
                progress.addCounted(share: part - told, names: names - toldNames)
                told = part
                toldNames = names
            }
            total += count
            directories.add(levels: next.names.count)
            if place.isScanned {
                scanned += count
                scannedDirectories.add(levels: next.names.count)
            }
            if place.isWhole {
                members += count
            } else {
                remainingDirectories.add(levels: next.names.count)
            }
            if place.isWhole || next.place.isChosen { chosenDirectories += 1 }
            if place.isChosen {
                chosen += count
                largest = max(largest, count)
            } else if place.isRegistered {
                registered += count
            }
            // A directory costs about as much as twenty names in it.
            let own = next.share * Double(count + 20) / Double(count + 20 + 40 * children.count)
            progress.addCounted(share: own - told)
            for child in children {
                pending.append(
                    Pending(
                        path: next.path + [UInt8(ascii: "/")] + child.bytes,
                        names: next.names + [child], place: place,
                        share: (next.share - own) / Double(children.count)))
            }
        }
    }

    /// - Parameter each: called with how many times something was read, and how many names there were by then.
    /// - Returns: how many entries there are.
    private func read(
        _ root: Int32, _ names: [FileName], _ buffer: inout [UInt8], _ children: inout [FileName],
        each: (_ buffers: Int, _ names: Int) -> Void
    ) -> Int {
        do throws(Errno) {
            let directory = Descriptor(
                owning: try calls.openDirectory(beneath: root, path: names))
            var stream = try calls.openStream(directory.rawValue)
            defer { calls.close(stream) }
            var count = 0
            var buffers = 0
            while !progress.isCancelled {
                // Names of directories are copied out before the buffer is filled again.
                let filled = try unsafe buffer.withUnsafeMutableBufferPointer {
                    (bytes) throws(Errno) -> Int in
                    let raw = UnsafeMutableRawBufferPointer(bytes)
                    let filled = try unsafe calls.read(&stream, into: raw)
                    var entries = unsafe DirectoryEntries(
                        UnsafeRawBufferPointer(rebasing: raw[..<filled]))
                    while let entry = entries.next() {
                        count += 1
                        if entry.type == .directory { children.append(entry.name.owned) }
                    }
                    return filled
                }
                if filled == 0 { break }
                buffers += 1
                each(buffers, count)
            }
            return count
        } catch {
            return 0
        }
    }
}
