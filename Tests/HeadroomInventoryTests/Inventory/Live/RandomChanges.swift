//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// Does to a tree whatever programs do to trees, at random.
struct RandomChanges {
    /// Where names are taken from and put to.
    let places: [FilePath]
    /// The one that is not watched.
    let outside: FilePath
    let canMount: Bool
    private(set) var generator: SeededGenerator
    private(set) var mounted: [FilePath] = []
    private var serial = 0
    /// A link that comes and goes between two looks changes a file's ctime, and no system tells: so a
    /// look comes after each.
    private var hasLinked = false

    init(places: [FilePath], outside: FilePath, seed: UInt64, canMount: Bool) {
        self.places = places + [outside]
        self.outside = outside
        self.canMount = canMount
        generator = SeededGenerator(seed: seed)
    }

    mutating func run(_ count: Int) {
        hasLinked = false
        for _ in 0..<count where !hasLinked { step() }
    }

    /// Unmounts what was mounted, wherever it is by now.
    mutating func finish() {
        let mounts = (try? MountTable.current())?.mounts ?? []
        for mount in mounts.reversed()
        where (places + [outside]).contains(where: { mount.point.starts(with: $0) }) {
            unmount(mount.point)
        }
        mounted = []
    }

    // MARK: - Choosing

    private mutating func number(_ limit: Int) -> Int {
        Int.random(in: 0..<max(1, limit), using: &generator)
    }

    /// A directory: a walk from one of the places that may stop anywhere.
    private mutating func directory() -> FilePath {
        var path = places[number(places.count)]
        while number(4) != 0 {
            let inner = entries(of: path).filter(\.isDirectory)
            if inner.isEmpty { break }
            path = path.adding(inner[number(inner.count)].name)
        }
        return path
    }

    private mutating func file() -> FilePath? {
        for _ in 0..<8 {
            let outer = directory()
            let files = entries(of: outer).filter { !$0.isDirectory }
            if !files.isEmpty { return outer.adding(files[number(files.count)].name) }
        }
        return nil
    }

    /// The listing itself says which entries are directories. A `stat` per entry took 80 % of the time of these changes.
    private struct Entry {
        let name: [UInt8]
        let isDirectory: Bool
    }

    private func entries(of path: FilePath) -> [Entry] {
        guard let stream = unsafe path.call({ unsafe opendir($0) }) else { return [] }
        defer { unsafe closedir(stream) }
        var found: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe Array(name.prefix { $0 != 0 })
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let isDirectory = unsafe Int(entry.pointee.d_type) == Int(DT_DIR)
            found.append(Entry(name: name, isDirectory: isDirectory))
        }
        return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private mutating func name() -> [UInt8] {
        serial += 1
        switch number(12) {
        case 0: return Array("\(number(6))".utf8) + [0xFF, 0xC0 + UInt8(number(40))]
        case 1: return Array("base\(number(3)).db".utf8)
        case 2: return Array("base\(number(3)).db-wal".utf8)
        case 3: return Array("base\(number(3)).db-journal".utf8)
        case 4: return Array("CACHEDIR.TAG".utf8)
        case 5: return Array("n\(serial)".utf8)
        default: return Array("f\(number(40))".utf8)
        }
    }

    // MARK: - Doing

    private mutating func step() {
        switch number(30) {
        case 0...6: write(directory().adding(name()), number(30_000), O_TRUNC)
        case 7, 8: if let file = file() { write(file, number(9000), O_APPEND) }
        case 9: if let file = file() { shorten(file, number(70_000)) }
        case 10, 11, 12: if let file = file() { _ = unsafe file.call { unsafe unlink($0) } }
        case 13, 14: _ = unsafe directory().adding(name()).call { unsafe mkdir($0, 0o755) }
        case 15, 16: if let file = file() { rename(file, directory().adding(name())) }
        case 17, 18: rename(directory(), directory().adding(name()))
        case 19, 20: if let file = file() { link(file, directory()) }
        case 21: removeTree(directory())
        case 22: again(directory())
        case 23: times()
        case 24: special()
        case 25: mark()
        case 26: chain()
        case 27: mountSomething()
        case 28:
            _ = unsafe directory().call {
                unsafe chmod($0, mode_t([0o755, 0o1777, 0o700][number(3)]))
            }
        default: if number(12) == 0 { crowd() } else { own() }
        }
    }

    private func write(_ path: FilePath, _ size: Int, _ flags: Int32) {
        let file = unsafe path.call {
            unsafe open($0, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o644)
        }
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = [UInt8](repeating: 7, count: size)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    }

    private func shorten(_ path: FilePath, _ size: Int) {
        let file = unsafe path.call { unsafe open($0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) }
        guard file >= 0 else { return }
        defer { close(file) }
        _ = ftruncate(file, size)
    }

    private func rename(_ path: FilePath, _ other: FilePath) {
        guard !places.contains(path), !places.contains(other) else { return }
        _ = unsafe path.call { from in unsafe other.call { to in unsafe Glibc.rename(from, to) } }
    }

    /// A link outside of a file whose names are all inside is told of by no system.
    private mutating func link(_ path: FilePath, _ directory: FilePath) {
        guard path.starts(with: outside) || !directory.starts(with: outside)
        else { return }
        let other = directory.adding(name())
        if unsafe path.call({ from in unsafe other.call { unsafe Glibc.link(from, $0) } }) == 0 {
            hasLinked = true
        }
    }

    private func removeTree(_ path: FilePath) {
        guard !places.contains(path), !mounted.contains(where: { $0.starts(with: path) }) else {
            return
        }
        for entry in entries(of: path) {
            let inner = path.adding(entry.name)
            if entry.isDirectory { removeTree(inner) }
            _ = unsafe inner.call { unsafe unlink($0) }
        }
        _ = unsafe path.call { unsafe rmdir($0) }
    }

    /// A directory that goes and comes again at once, most likely with the same inode number.
    private mutating func again(_ path: FilePath) {
        guard !places.contains(path), !mounted.contains(where: { $0.starts(with: path) }) else {
            return
        }
        removeTree(path)
        _ = unsafe path.call { unsafe mkdir($0, 0o755) }
        if number(2) == 0 { write(path.adding(name()), 10, O_TRUNC) }
    }

    private mutating func times() {
        guard let file = file() else { return }
        guard let name = file.names.last else { return }
        // What went meanwhile keeps its times.
        try? Tree(root: file.removingLastComponent()).setTimes(
            of: TreePath([name]),
            accessed: Timestamp(seconds: 1_000_000_000 + Int64(number(1_000_000))),
            modified: Timestamp(seconds: 1_000_000_000 + Int64(number(1_000_000))))
    }

    private mutating func special() {
        let path = directory().adding(name())
        if number(2) == 0 {
            _ = unsafe path.call { unsafe mkfifo($0, 0o644) }
        } else {
            _ = unsafe path.call { unsafe symlink("nowhere", $0) }
        }
    }

    private mutating func mark() {
        let marks = [
            Mark(isPinned: true), Mark(purgeClass: .lastResort), Mark(importance: 80), Mark.none,
            Mark(purgeClass: .cache),
        ]
        let mark = marks[number(marks.count)]
        if number(3) == 0 {
            let path = directory()
            set(MarkAttribute(mark: mark, hasMarkedFiles: number(2) == 0), on: path)
        } else if let file = file() {
            // As marks are set: the directory is flagged first, and keeps what it has.
            let outer = file.removingLastComponent()
            let known = read(outer)
            set(MarkAttribute(mark: known.mark, hasMarkedFiles: true), on: outer)
            set(MarkAttribute(mark: mark), on: file)
        }
    }

    private func read(_ path: FilePath) -> MarkAttribute {
        withOpen(path) { MarkAttribute.read($0, NativeCalls.make()) } ?? .none
    }

    private func set(_ attribute: MarkAttribute, on path: FilePath) {
        withOpen(path) {
            // What cannot carry a mark stays as it is.
            try? NativeCalls.make().setAttribute(
                MarkAttribute.name, to: attribute.encoded, of: $0)
        }
    }

    @discardableResult
    private func withOpen<R>(_ path: FilePath, _ body: (Int32) -> R) -> R? {
        let file = unsafe path.call { unsafe open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) }
        guard file >= 0 else { return nil }
        defer { close(file) }
        return body(file)
    }

    private mutating func chain() {
        var path = directory()
        for depth in 0..<(5 + number(30)) {
            path = path.adding(Array("deep\(depth % 3)".utf8))
            guard path.length < 3500, unsafe path.call({ unsafe mkdir($0, 0o755) }) == 0 else {
                return
            }
            if depth % 7 == 0 { write(path.adding(name()), number(100), O_TRUNC) }
        }
    }

    private mutating func mountSomething() {
        guard canMount else { return }
        if !mounted.isEmpty, number(2) == 0 {
            let path = mounted.remove(at: number(mounted.count))
            unmount(path)
            return
        }
        let path = directory()
        guard !places.contains(path), mounted.count < 2,
            !mounted.contains(where: { path.starts(with: $0) || $0.starts(with: path) })
        else { return }
        if unsafe path.call({ unsafe mount("tmpfs", $0, "tmpfs", 0, "size=1m") }) == 0 {
            mounted.append(path)
            write(path.adding(Array("inside".utf8)), 100, O_TRUNC)
        }
    }

    private func unmount(_ path: FilePath) { _ = unsafe path.call { unsafe umount2($0, 2) } }

    /// So many files at once that their names are not kept.
    private mutating func crowd() {
        let path = directory()
        for index in 0..<1100 { write(path.adding(Array("crowd\(index)".utf8)), 1, O_TRUNC) }
        // Most go again, for the sake of the comparisons that follow.
        for index in 0..<1080 {
            _ = unsafe path.adding(Array("crowd\(index)".utf8)).call { unsafe unlink($0) }
        }
    }

    private mutating func own() {
        guard let file = file() else { return }
        _ = unsafe file.call { unsafe lchown($0, uid_t(number(2) * 1234), gid_t.max) }
    }
}

extension FilePath {
    fileprivate func adding(_ bytes: [UInt8]) -> FilePath {
        var all = self.bytes
        all.append(0x2F)
        all += bytes
        return FilePath(bytes: all)
    }

    fileprivate func call<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        unsafe withPlatformString { unsafe body($0) }
    }
}
#endif
