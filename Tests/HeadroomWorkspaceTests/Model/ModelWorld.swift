//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// The world as the model knows it: names, what is behind them, and what was said of them.
struct ModelWorld {
    /// What a name stands for; several names may stand for one file.
    struct Node {
        var kind: Kind
        var contents: [UInt8] = []
        var mark = Mark.none
    }

    enum Kind { case file, directory, symbolicLink, fifo }

    /// Who has leased what, by the name that it had then: by its number, for it may be renamed.
    struct Lease {
        var node: Int
        /// The directory that it lay in.
        var parent: Int
    }

    static let top = ["c", "e", "l", "o", "t", "u"]

    private(set) var names: [String: Int] = [:]
    private(set) var nodes: [Int: Node] = [:]
    private(set) var areas: [String: ModelArea]
    private(set) var leases: [String: Lease] = [:]
    private var nextNode = 1

    init() {
        areas = [
            "t": ModelArea(purgeClass: .temporary),
            "c": ModelArea(purgeClass: .cache, retention: 60 * 86_400, limit: 40_960),
            "l": ModelArea(purgeClass: .lastResort),
            "e": ModelArea(purgeClass: .essential),
            "u": ModelArea(purgeClass: .cache, unit: .entry),
        ]
        for name in Self.top { add(name, Node(kind: .directory)) }
    }

    // MARK: - Looking

    func kind(_ path: String) -> Kind? { names[path].flatMap { nodes[$0]?.kind } }

    func isDirectory(_ path: String) -> Bool { kind(path) == .directory }

    func isFile(_ path: String) -> Bool { kind(path) == .file }

    /// What lies directly in a directory, sorted.
    func children(_ path: String) -> [String] {
        names.keys.filter { $0.parent == path }.sorted()
    }

    /// Everything below a directory, sorted: a directory comes before what is in it.
    func below(_ path: String) -> [String] {
        names.keys.filter { $0.isBelow(path) }.sorted()
    }

    /// Each name of a file.
    func names(of node: Int) -> [String] { names.filter { $0.value == node }.map(\.key).sorted() }

    private func hasRoom(_ path: String) -> Bool {
        names[path] == nil && path.parent.map(isDirectory) == true && path.depth <= 5
            && !ModelWorld.top.contains(path)
    }

    /// Whether there is something for an operation to work on.
    func allows(_ operation: ModelOperation) -> Bool {
        switch operation {
        case .write(let path, _, _, _): hasRoom(path) || isFile(path)
        case .append(let path, _, _), .replace(let path, _, _, _): isFile(path)
        case .directory(let path), .symbolicLink(let path), .fifo(let path): hasRoom(path)
        case .remove(let path): names[path] != nil && !Self.top.contains(path)
        case .rename(let path, let other): allowsRename(path, other)
        case .link(let path, let other): isFile(path) && hasRoom(other)
        case .touch(let path, _): names[path] != nil
        case .mark(let path, _), .strip(let path): isFile(path) || isDirectory(path)
        case .declare(let path, _): isDirectory(path)
        case .withdraw(let path): areas[path] != nil
        case .lease(let path): leases[path] == nil && (isFile(path) || isDirectory(path))
        case .release(let path): leases[path] != nil
        case .plan, .purge: true
        }
    }

    private func allowsRename(_ path: String, _ other: String) -> Bool {
        guard let node = names[path], !Self.top.contains(path), !other.isBelow(path) else {
            return false
        }
        // One name of a file over another of the same file does nothing.
        return hasRoom(other) || isFile(path) && isFile(other) && names[other] != node
    }

    // MARK: - Changing

    private mutating func add(_ path: String, _ node: Node) {
        names[path] = nextNode
        nodes[nextNode] = node
        nextNode += 1
    }

    /// Does what an operation says; it must be allowed.
    mutating func perform(_ operation: ModelOperation) {
        switch operation {
        case .write(let path, let bytes, let salt, _):
            let contents = Self.contents(bytes, salt, at: path)
            if let node = names[path] {
                nodes[node]?.contents = contents
            } else {
                add(path, Node(kind: .file, contents: contents))
            }
        case .append(let path, let bytes, _):
            if let node = names[path] { nodes[node]?.contents += Self.contents(bytes, 1) }
        case .directory(let path): add(path, Node(kind: .directory))
        case .symbolicLink(let path): add(path, Node(kind: .symbolicLink))
        case .fifo(let path): add(path, Node(kind: .fifo))
        case .remove(let path): remove(path)
        case .rename(let path, let other): rename(path, other)
        case .link(let path, let other): names[other] = names[path]
        case .replace(let path, let bytes, let salt, _):
            remove(path)
            add(path, Node(kind: .file, contents: Self.contents(bytes, salt, at: path)))
        case .mark(let path, let mark): if let node = names[path] { nodes[node]?.mark = mark }
        case .declare(let path, let area): areas[path] = area
        case .withdraw(let path): areas[path] = nil
        case .lease(let path):
            if let node = names[path] {
                leases[path] = Lease(node: node, parent: path.parent.flatMap { names[$0] } ?? 0)
            }
        case .release(let path): leases[path] = nil
        // The record holds what the attribute has lost; the others change nothing that is known here.
        case .strip, .touch, .plan, .purge: break
        }
    }

    /// Removes a name and all below it; a file goes with its last name.
    mutating func remove(_ path: String) {
        for inner in below(path) { names[inner] = nil }
        names[path] = nil
        let left = Set(names.values)
        nodes = nodes.filter { left.contains($0.key) }
    }

    private mutating func rename(_ path: String, _ other: String) {
        let node = names[path]
        let inner = below(path).map { ($0, names[$0]) }
        if names[other] != nil { remove(other) }
        for (name, node) in inner {
            names[name] = nil
            names[other + name.dropFirst(path.count)] = node
        }
        names[path] = nil
        names[other] = node
    }

    /// The same under other declarations.
    func declaring(_ areas: [String: ModelArea]) -> ModelWorld {
        var world = self
        world.areas = areas
        return world
    }

    static func contents(_ bytes: Int, _ salt: UInt8) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ salt }
    }

    /// The same; three times out of four what is called like one of SQLite's files begins like it.
    static func contents(_ bytes: Int, _ salt: UInt8, at path: String) -> [UInt8] {
        var contents = Self.contents(bytes, salt)
        let begin = beginnings.first { path.hasSuffix($0.key) }?.value ?? []
        if salt & 3 != 0, bytes >= begin.count {
            contents.replaceSubrange(..<begin.count, with: begin)
        }
        return contents
    }

    /// What files with such names begin with.
    static let beginnings: [String: [UInt8]] = [
        ".db": Array("SQLite format 3\0".utf8),
        "-journal": [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7],
        "-wal": [0x37, 0x7F, 0x06, 0x82],
    ]
}

extension String {
    /// The directory around a path; nil for one of a single component.
    var parent: String? {
        lastIndex(of: "/").map { String(self[..<$0]) }
    }

    var depth: Int { split(separator: "/").count }

    func isBelow(_ other: String) -> Bool { hasPrefix(other + "/") }

    /// The path itself and those of the directories around it, from the outside inwards.
    var chain: [String] { (parent?.chain ?? []) + [self] }
}
