//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// What must be left of a hostile tree: noted before it is purged, compared after.
struct Expectation {
    private let tree: HostileTree
    private let isBtrfs: Bool
    /// The contents of every file outside, by its path.
    private let outside: [String: [UInt8]]
    /// The contents of what stays in the area.
    private let kept: [[UInt8]: [UInt8]]

    /// Why each thing stays; one of the codes.
    private let codes: [[UInt8]: [String]]

    // Its holder names it on its command line.
    private static let claimed = ["leased", "in-use", "process"]

    init(_ tree: HostileTree, on kind: HostileVolume.Kind) throws {
        self.tree = tree
        isBtrfs = kind == .btrfs
        let hasLower = kind == .overlay
        outside = try Self.contents(of: tree.outside)
        var codes: [String: [String]] = [
            "files/held": ["in-use"], "files/held-small": ["in-use"], "files/mapped": ["in-use"],
            "files/flocked/a": Self.claimed, "files/flocked/sub/b": Self.claimed,
            "files/fifo": ["special-file"], "files/nested/mount": ["mount-point"],
            "files/replaced/a": ["changed"], "files/rewritten": ["changed"],
            "files/db/used.sqlite": ["in-use"], "files/l/leased": Self.claimed,
            "files/unflagged/pinned": ["pinned"], "units/held": ["in-use"],
            "units/leased": Self.claimed, "units/flocked": Self.claimed,
            "units/replaced": ["changed"], "units/rewritten": ["changed"],
            "units/special": ["special-file"], "units/mounted": ["mount-point"],
            "units/sqlite": ["in-use"], "units/pinned": ["pinned"],
        ]
        if hasLower { codes["units/lower"] = ["unit-busy"] }
        var named: [[UInt8]: [String]] = [:]
        for (path, expected) in codes { named[Array(path.utf8)] = expected }
        named[Array("files/".utf8) + HostileTree.keptName] = ["in-use"]
        named[Array("units/".utf8) + HostileTree.unitName] = ["in-use"]
        self.codes = named
        kept = try Self.keptContents(tree, hasLower: hasLower)
    }

    private static func keptContents(
        _ tree: HostileTree, hasLower: Bool
    ) throws -> [[UInt8]: [UInt8]] {
        var paths: [TreePath] = [
            "files/held", "files/held-small", "files/mapped", "files/flocked/a",
            "files/flocked/sub/b", "files/rewritten", "files/l/leased", "files/unflagged/pinned",
            "units/held/in/a", "units/held/other", "units/leased/in/a", "units/flocked/a",
            "units/rewritten/in/a", "units/pinned/pinned", "units/pinned/free",
            "files" / TreePath(name: HostileTree.keptName),
            "units" / TreePath(name: HostileTree.unitName) / "a",
        ]
        if hasLower { paths.append("units/lower/a") }
        var kept: [[UInt8]: [UInt8]] = [:]
        for path in paths { kept[path.bytes] = try tree.area.contents(of: path) }
        return kept
    }

    private static func contents(of tree: Tree) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        let found = try ChildProcess.run(
            "find", [tree.root.string, "-type", "f", "-printf", "%P\n"])
        for path in found.output.split(separator: "\n") {
            contents[String(path)] = try tree.contents(of: TreePath(String(path)))
        }
        return contents
    }

    // MARK: - After

    func verify(files: PurgeOutput, units: PurgeOutput, written: String) throws {
        #expect(try Self.contents(of: tree.outside) == outside)
        // Its removal would free nothing.
        #expect(try tree.outside.status(of: "linked").linkCount == 2)
        for (path, contents) in kept {
            let now = try? tree.area.contents(of: TreePath(bytes: path))
            #expect(now == contents, "\(Self.text(path))")
        }
        try verifyCodes(files, units, noise(files, units))
        try verifyRest(written, noise(files, units))
        verifyPairs(files, units)
    }

    /// What a lock of another test has kept: on btrfs a lock on any file of the same inode number
    /// counts, since the kernel's table does not tell whose it is (record 0007).
    private func noise(_ outputs: PurgeOutput...) -> Set<[UInt8]> {
        guard isBtrfs else { return [] }
        let found = outputs.flatMap { Array($0.skipped(below: tree.base.appending("area"))) }
        return Set(found.filter { $0.value == ["leased"] && codes[$0.key] == nil }.map(\.key))
    }

    /// Each kept thing is named with its reason, and nothing else is.
    private func verifyCodes(_ files: PurgeOutput, _ units: PurgeOutput, _ noise: Set<[UInt8]>)
        throws
    {
        let area = tree.base.appending("area")
        let found = files.skipped(below: area).merging(units.skipped(below: area)) { $0 + $1 }
        for (path, expected) in codes {
            let code = found[path]?.first
            #expect(
                code.map(expected.contains) ?? false,
                "\(Self.text(path)): \(code ?? "not named")")
        }
        for (path, codes) in found where self.codes[path] == nil {
            let text = Self.text(path)
            // Who races with us sometimes wins; then it is said.
            if text.hasPrefix("files/swap/") {
                #expect(["changed", "vanished"].contains(codes[0]), "\(text)")
            } else if noise.contains(path) {
                continue
            } else if text == "units/written" {
                #expect(codes == ["changed"] || codes == ["in-use"], "\(codes)")
            } else if !self.codes.keys.contains(where: { $0.starts(with: path + [0x2F]) }),
                text != "files/replaced"
            {
                // A directory that was to be left empty stays with what is in it.
                Issue.record("\(text) stayed: \(codes)")
            }
        }
    }

    /// What is still there is what was kept; directories that hold none of it are gone.
    private func verifyRest(_ written: String, _ noise: Set<[UInt8]>) throws {
        let area = tree.base.appending("area").string
        let found = try ChildProcess.run(
            "find", [area, "-xdev", "-mindepth", "2", "-printf", "%y%P\\0"])
        var made = 0
        for entry in found.standardOutput.split(separator: 0) {
            let path = Array(entry.dropFirst())
            let text = Self.text(path)
            if text.hasPrefix("files/swap") || text.contains("in/mount/") { continue }
            if text.hasPrefix("units/written") {
                made += text.contains("/new") ? 1 : 0
                continue
            }
            let isNoise = noise.contains { path.starts(with: $0) || $0.starts(with: path + [0x2F]) }
            #expect(isNoise || isExpected(path), "\(text) is still there")
        }
        // Everything that the writer wrote is where it was written.
        #expect(written.hasSuffix("made \(made).\n"), "\(written), \(made) found")
        #expect(!tree.area.exists("units/.headroom-going"))
    }

    private func isExpected(_ path: [UInt8]) -> Bool {
        let others: [String] = [
            "files/fifo", "files/link-out", "files/nested/mount", "files/replaced",
            "units/replaced",
            "files/db/used.sqlite", "files/db/used.sqlite-wal", "files/db/used.sqlite-shm",
            "units/sqlite/used.sqlite", "units/sqlite/used.sqlite-wal",
            "units/sqlite/used.sqlite-shm", "units/special/in/fifo", "units/mounted/in/mount",
        ]
        return (Array(kept.keys) + others.map { Array($0.utf8) }).contains { kept in
            kept == path || kept.starts(with: path + [0x2F])
        }
    }

    /// Both links of a pair have gone, and what they occupied was counted once.
    private func verifyPairs(_ files: PurgeOutput, _ units: PurgeOutput) {
        let links = files.removed.filter { $0.path.hasSuffix("/one") || $0.path.hasSuffix("/two") }
        #expect(links.count == 2)
        #expect(links.reduce(0) { $0 + ($1.bytes ?? 0) } >= 3_000_000)
        #expect(links.reduce(0) { $0 + ($1.bytes ?? 0) } < 3_100_000)
        let pairs = units.removed.filter { $0.path.contains("/units/pair") }
        #expect(pairs.count == 2)
        #expect(pairs.reduce(0) { $0 + ($1.bytes ?? 0) } >= 2_000_000)
        #expect(pairs.reduce(0) { $0 + ($1.bytes ?? 0) } < 2_100_000)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension TreePath {
    /// The path as the system has it, below its root.
    var bytes: [UInt8] { Array(names.map(\.bytes).joined(separator: [0x2F])) }

    init(bytes: [UInt8]) {
        self.init(bytes.split(separator: 0x2F).compactMap { FileName(Array($0)) })
    }
}
#endif
