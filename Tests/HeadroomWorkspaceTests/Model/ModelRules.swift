//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What of a world may go, and in which order: the rules of the specification, one after the other.
///
/// Written for being read: everything is worked out anew by walking over all names.
struct ModelRules {
    let world: ModelWorld
    /// What the file system says of each path: sizes, times, inode numbers.
    let facts: [String: FileStatus]
    /// Seconds since 1970.
    let now: Int64

    // MARK: - What holds for a path

    /// The nearest mark, part by part. At the root of an area of what is around only a pin holds, since
    /// the nearer declaration wins; a mark on an essential area itself opens nothing.
    func mark(_ path: String) -> Mark {
        var mark = Mark.none
        for step in path.chain {
            let area = world.isDirectory(step) ? world.areas[step] : nil
            if area != nil { mark = Mark(isPinned: mark.isPinned) }
            if let own = ownMark(step) { mark = Self.nearer(own, mark) }
            if area?.purgeClass == .essential { mark = Mark(isPinned: mark.isPinned) }
        }
        return mark
    }

    func ownMark(_ path: String) -> Mark? { world.names[path].flatMap { world.nodes[$0]?.mark } }

    static func nearer(_ own: Mark, _ outer: Mark) -> Mark {
        Mark(
            purgeClass: own.purgeClass ?? outer.purgeClass,
            isPinned: own.isPinned ?? outer.isPinned,
            importance: own.importance ?? outer.importance)
    }

    /// The path of the nearest declared directory at or around a path.
    func areaPath(_ path: String) -> String? {
        path.chain.last { world.isDirectory($0) && world.areas[$0] != nil }
    }

    func area(_ path: String) -> ModelArea? { areaPath(path).flatMap { world.areas[$0] } }

    /// Nil for what never goes: outside of all areas, and essential.
    func purgeClass(_ path: String, _ mark: Mark) -> PurgeableClass? {
        guard let area = area(path) else { return nil }
        return mark.purgeClass ?? PurgeableClass(area.purgeClass)
    }

    func importance(_ path: String, _ mark: Mark) -> UInt8 {
        mark.importance ?? area(path)?.importance ?? Area.defaultImportance
    }

    func times(_ path: String) -> ModelTimes {
        guard let status = facts[path] else { return ModelTimes(used: 0, modified: 0, created: 0) }
        let modified = status.modified.seconds
        let born = status.created?.seconds ?? 0
        // Reading a directory is no use of it.
        let read = world.isDirectory(path) ? 0 : status.accessed.seconds
        return ModelTimes(
            used: max(modified, born, read), modified: modified, created: born == 0 ? now : born)
    }

    func allocated(_ path: String) -> Int64 { facts[path]?.allocatedSize.bytes ?? 0 }

    /// What an area occupies: each file once, however many names it has there.
    func usage(of area: String) -> Int64 {
        var seen: Set<Int> = []
        var bytes: Int64 = 0
        for (path, node) in world.names where areaPath(path) == area {
            if seen.insert(node).inserted { bytes += allocated(path) }
        }
        return bytes
    }

    // MARK: - What may go

    /// All that may go, by itself or together, in no order.
    func candidates() -> (items: [ModelItem], inUnits: Set<String>) {
        var found = Finding()
        for top in ModelWorld.top { visit(top, &found) }
        return (groupLinks(found.items), found.inUnits)
    }

    private struct Finding {
        var items: [ModelItem] = []
        /// Directories that are a unit, or lie in one.
        var inUnits: Set<String> = []
    }

    private func visit(_ directory: String, _ found: inout Finding) {
        let isByEntry = world.areas[directory]?.unit == .entry
        for child in world.children(directory) where world.isDirectory(child) {
            let isArea = world.areas[child] != nil
            if isByEntry, !isArea, purgeClass(child, mark(child)) != nil {
                addUnit(child, &found)
            } else {
                visit(child, &found)
            }
        }
        addFiles(of: directory, &found)
    }

    /// A directory that goes whole: as what the latest, most important, youngest of its members is.
    private func addUnit(_ unit: String, _ found: inout Finding) {
        let members = [unit] + world.below(unit)
        let area = areaPath(unit)
        // An area in it is an area of its own.
        var inner: [String] = []
        for path in members where world.isDirectory(path) {
            if areaPath(path) == area {
                found.inUnits.insert(path)
            } else if path.parent.map({ areaPath($0) == area }) == true {
                inner.append(path)
            }
        }
        for root in inner { visit(root, &found) }
        let marks = members.map(mark)
        let isKept =
            members.contains { world.kind($0) == .fifo } || !inner.isEmpty
            || marks.contains { $0.isPinned == true }
        let classes = zip(members, marks).map { purgeClass($0, $1) }
        guard !isKept, !classes.contains(nil), let latest = classes.compactMap({ $0 }).max() else {
            return
        }
        let importance = zip(members, marks).map { self.importance($0, $1) }.max() ?? 0
        var item = makeItem(unit, .directory, members, latest, importance)
        let counted = countWhole(members)
        item.bytes = counted.bytes
        item.size = counted.bytes
        item.inodes = counted.inodes
        found.items.append(item)
    }

    /// What members free by themselves: of files those whose names all lie among them.
    func countWhole(_ members: [String]) -> (bytes: Int64, inodes: Int) {
        var bytes: Int64 = 0
        var inodes = 0
        let inside = Dictionary(grouping: members) { world.names[$0] ?? 0 }
        for (node, paths) in inside where world.names(of: node).count == paths.count {
            bytes += allocated(paths[0])
            inodes += 1
        }
        return (bytes, inodes)
    }

    private func addFiles(of directory: String, _ found: inout Finding) {
        guard areaPath(directory) != nil else { return }
        let files = world.children(directory).filter { !world.isDirectory($0) }
        var inSets: Set<String> = []
        for main in files where world.isFile(main) {
            let sidecars = Self.sidecars.map { main + $0 }.filter(files.contains)
            guard !sidecars.isEmpty else { continue }
            inSets.formUnion([main] + sidecars)
            addSet(main, sidecars, &found)
        }
        for path in files where !inSets.contains(path) && world.kind(path) != .fifo {
            let mark = mark(path)
            guard mark.isPinned != true, let purgeClass = purgeClass(path, mark) else { continue }
            var item = makeItem(path, .file, [path], purgeClass, importance(path, mark))
            item.size = allocated(path)
            item.bytes = item.size
            item.inodes = 1
            found.items.append(item)
        }
    }

    /// In the order in which they go after their database.
    static let sidecars = ["-journal", "-wal", "-shm"]

    /// A database goes with its sidecars. One of them without a mark of its own is what its database is, if
    /// that is one by what is in its files.
    private func addSet(_ main: String, _ sidecars: [String], _ found: inout Finding) {
        let members = [main] + sidecars
        let outer = isDatabase(main, sidecars) ? mark(main) : mark(main.parent ?? "")
        let marks = [mark(main)] + sidecars.map { Self.nearer(ownMark($0) ?? .none, outer) }
        // A name outside, or anything else that is no plain file, keeps the whole.
        let isKept =
            marks.contains { $0.isPinned == true }
            || members.contains { !world.isFile($0) || (facts[$0]?.linkCount ?? 1) > 1 }
        let classes = marks.map { purgeClass(main, $0) }
        guard !isKept, !classes.contains(nil), let latest = classes.compactMap({ $0 }).max() else {
            return
        }
        let importance = marks.map { self.importance(main, $0) }.max() ?? 0
        var item = makeItem(main, .fileSet, members, latest, importance)
        item.size = members.reduce(0) { $0 + allocated($1) }
        item.bytes = item.size
        item.inodes = members.count
        found.items.append(item)
    }

    /// Each sidecar is empty or begins as one does, and the main file or one of them says so itself.
    private func isDatabase(_ main: String, _ sidecars: [String]) -> Bool {
        func contents(_ path: String) -> [UInt8] {
            world.names[path].flatMap { world.nodes[$0]?.contents } ?? []
        }
        func isSigned(_ path: String, as suffix: String) -> Bool {
            ModelWorld.beginnings[suffix].map { contents(path).starts(with: $0) } ?? false
        }
        let signed = sidecars.filter { path in
            Self.sidecars.contains { path.hasSuffix($0) && isSigned(path, as: $0) }
        }
        let others = Set(sidecars).subtracting(signed)
        return others.allSatisfy { world.isFile($0) && contents($0).isEmpty }
            && (!signed.isEmpty || isSigned(main, as: ".db"))
    }

    private func makeItem(
        _ path: String, _ unit: PlanEntry.Unit, _ members: [String], _ purgeClass: PurgeableClass,
        _ importance: UInt8
    ) -> ModelItem {
        let areaPath = areaPath(path) ?? ""
        let area = world.areas[areaPath] ?? ModelArea(purgeClass: .essential)
        let each = members.map(times)
        let newest = ModelTimes(
            used: each.map(\.used).max() ?? now, modified: each.map(\.modified).max() ?? now,
            created: each.map(\.created).max() ?? now)
        let usage = usage(of: areaPath)
        return ModelItem(
            path: path, unit: unit, members: members, area: areaPath, purgeClass: purgeClass,
            times: newest, inode: facts[path]?.identity.inode ?? 0,
            key: ModelKey(
                purgeClass: purgeClass,
                isExpired: area.retention.map { newest[area.basis] <= now - $0 } ?? false,
                isOverLimit: area.isOverLimit(usage), importance: importance,
                time: area.order == .oldestCreated ? newest.created : newest.used))
    }

    /// Names of one file that may all go are one group: it goes when the last of them may, and a rule
    /// holds for it if it holds for each. If a name is missing, the others free nothing.
    private func groupLinks(_ items: [ModelItem]) -> [ModelItem] {
        var items = items
        var groups: [Int: [Int]] = [:]
        for (index, item) in items.enumerated() where item.unit == .file {
            guard let node = world.names[item.path], world.isFile(item.path),
                (facts[item.path]?.linkCount ?? 1) > 1
            else { continue }
            groups[node, default: []].append(index)
        }
        for (node, members) in groups {
            guard members.count == world.names(of: node).count else {
                for index in members {
                    items[index].isLinkedElsewhere = true
                    items[index].bytes = 0
                    items[index].inodes = 0
                }
                continue
            }
            let latest = members.map { items[$0].key }.max()
            let isExpired = members.allSatisfy { items[$0].isExpired }
            let allTimes = members.map { items[$0].times }
            for index in members {
                items[index].group = node
                items[index].key = latest ?? items[index].key
                items[index].isExpired = isExpired
                items[index].groupTimes = allTimes
            }
        }
        return items
    }
}

struct ModelTimes: Hashable {
    var used: Int64
    var modified: Int64
    var created: Int64

    subscript(_ basis: AgeBasis) -> Int64 {
        switch basis {
        case .used: used
        case .modified: modified
        case .created: created
        }
    }
}

extension ModelArea {
    func isOverLimit(_ usage: Int64) -> Bool {
        guard let limit else { return false }
        return trimPercent == 100 ? usage > limit : usage >= limit
    }

    /// What it is shrunk to.
    var trimmed: Int64? { limit.map { $0 * Int64(trimPercent) / 100 } }
}
