//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Names for what a proposed command moves or renames, which nothing in the directory has: neither what
/// the scan found there nor what was proposed before.
///
/// `mv` would put a directory into one that has its new name already. Capitals do not tell names apart:
/// on some file systems they do not.
final class ProposedNames {
    private let inventory: Inventory
    /// How many entries have a name, in small letters, by directory.
    private var taken: [FilePath: [String: Int]] = [:]

    init(_ inventory: Inventory) {
        self.inventory = inventory
    }

    /// Whether nothing in a directory has one of some names.
    func areFree(_ names: [FileName], in directory: FilePath) -> Bool {
        let known = counts(in: directory)
        return !names.contains { known[Self.key($0)] != nil }
    }

    /// A name for something in a directory, which is taken from then on.
    ///
    /// - Parameters:
    ///   - name: what it is to be called; with a number if that is taken.
    ///   - old: the name that it has there now.
    ///   - isAllowed: whether a name may be given at all.
    func claim(
        _ name: FileName, in directory: FilePath, replacing old: FileName? = nil,
        isAllowed: (FileName) -> Bool = { _ in true }
    ) -> FileName {
        let known = counts(in: directory)
        let oldKey = old.map { Self.key($0) }
        var wanted = name
        var number = 1
        while true {
            let key = Self.key(wanted)
            // Its own entry is none of the others.
            let others = known[key, default: 0] - (key == oldKey ? 1 : 0)
            // mutation: r4d-1
            if others <= 0, isAllowed(wanted) {
                taken[directory, default: [:]][key, default: 0] += 1
                return wanted
            }
            number += 1
            wanted = name.numbered(number)
        }
    }

    /// The move of something into a directory: under its name if that is free there, else under the
    /// next that is. A directory that was not found is made.
    func move(_ path: FilePath, into directory: FilePath) -> AuditFix.Action {
        guard inventory.directory(at: directory) != nil else {
            return .move([path], into: directory, makesDirectory: true)
        }
        if let name = path.names.last {
            let free = claim(name, in: directory)
            if free != name { return .rename(path, to: directory.appending(free)) }
        }
        return .move([path], into: directory, makesDirectory: false)
    }

    private func counts(in directory: FilePath) -> [String: Int] {
        if let known = taken[directory] { return known }
        var found: [String: Int] = [:]
        if let listed = inventory.directory(at: directory) {
            for child in listed.children {
                if let name = child.name { found[Self.key(name), default: 0] += 1 }
            }
            for item in listed.items { found[Self.key(item.name), default: 0] += 1 }
        }
        taken[directory] = found
        return found
    }

    private static func key(_ name: FileName) -> String { name.text.lowercased() }
}

extension FileName {
    /// With a number in front of its extension: `settings2.json`.
    fileprivate func numbered(_ number: Int) -> FileName {
        let dot = bytes.lastIndex(of: 0x2E) ?? 0
        let end = dot > 0 ? dot : bytes.count
        var name = Array(bytes[..<end])
        name += "\(number)".utf8
        name += bytes[end...]
        return FileName(unchecked: name)
    }
}
