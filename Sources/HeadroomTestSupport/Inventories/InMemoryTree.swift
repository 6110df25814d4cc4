//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
import SystemPackage

/// Makes inventories of any shape in memory, by path.
///
///     var fixture = InMemoryTree(areas: [.init(root: "/r/cache", purgeClass: .cache, …)])
///     fixture.file("cache/a", size: 4096, unusedFor: .seconds(86_400))
///     let inventory = fixture.make()
package struct InMemoryTree {
    /// The time that ages count back from.
    package static let now = Timestamp(seconds: 1_800_000_000)
    package static let root = "/r"
    package static let user: UInt32 = 1000
    package static let device: UInt64 = 42

    private let areas: [Area]
    private var directories: [[String]: InventoryDraft.Directory] = [:]
    private var items: [(names: [String], item: InventoryDraft.Item)] = []
    private var nextInode: UInt64 = 2

    package init(areas: [Area]) {
        self.areas = areas
        directory("")
    }

    /// An area below the root.
    package static func area(
        _ path: String, _ purgeClass: PurgeClass, unit: PurgeUnit = .file,
        retention: Duration? = nil, limit: Int64? = nil, order: AreaOrder = .leastRecentlyUsed,
        importance: UInt8 = Area.defaultImportance
    ) -> Area {
        Area(
            root: FilePath(path.isEmpty ? root : "\(root)/\(path)"), purgeClass: purgeClass,
            unit: unit, retention: retention, limit: limit.map { ByteCount($0) }, order: order,
            importance: importance, origin: "test")
    }

    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    private mutating func makeIdentity() -> FileIdentity {
        nextInode += 1
        return FileIdentity(device: Self.device, inode: nextInode)
    }

    /// Makes a directory and those on the way to it.
    package mutating func directory(
        _ path: String, _ change: (inout InventoryDraft.Directory) -> Void = { _ in }
    ) {
        let names = Self.names(path)
        for count in 0...names.count {
            let prefix = Array(names[..<count])
            if directories[prefix] == nil {
                var directory = InventoryDraft.Directory(identity: makeIdentity())
                directory.owner = Self.user
                directory.modified = UInt32(Self.now.seconds)
                directories[prefix] = directory
            }
        }
        if var directory = directories[names] {
            change(&directory)
            directories[names] = directory
        }
    }

    /// Makes a file, last used, modified and created the given time ago.
    package mutating func file(
        _ path: String, size: Int64 = 4096, unusedFor age: Duration = .seconds(86_400),
        _ change: (inout InventoryDraft.Item) -> Void = { _ in }
    ) {
        var names = Self.names(path)
        var item = InventoryDraft.Item(identity: makeIdentity())
        item.allocated = size
        item.logical = size
        let time = UInt32(clamping: Self.now.advanced(by: .zero - age).seconds)
        item.modified = time
        item.accessed = time
        item.created = time
        change(&item)
        items.append((names, item))
        names.removeLast()
        directory(names.joined(separator: "/"))
    }

    /// Makes another name for a file.
    package mutating func link(_ path: String, to original: String) {
        let originalNames = Self.names(original)
        guard let first = items.firstIndex(where: { $0.names == originalNames }) else {
            preconditionFailure("no file \(original)")
        }
        let identity = items[first].item.identity
        for index in items.indices where items[index].item.identity == identity {
            items[index].item.linkCount += 1
        }
        var names = Self.names(path)
        items.append((names, items[first].item))
        names.removeLast()
        directory(names.joined(separator: "/"))
    }

    package func make() -> Inventory {
        var draft = InventoryDraft(areas: areas, scanned: Self.now)
        var numbers: [[String]: UInt32] = [:]
        for names in directories.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let directory = directories[names] else { continue }
            guard let last = names.last, let name = FileName(last),
                let parent = numbers[Array(names.dropLast())]
            else {
                numbers[names] = draft.addRoot(FilePath(Self.root), directory)
                continue
            }
            numbers[names] = draft.addDirectory(name, in: parent, directory)
        }
        for (names, item) in items {
            guard let last = names.last, let name = FileName(last),
                let parent = numbers[Array(names.dropLast())]
            else { preconditionFailure("a file needs a name") }
            draft.addItem(name, in: parent, item)
        }
        return draft.finish()
    }
}
