//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

extension Inventory {
    /// Everything that an inventory says, as lines that depend neither on the order of the scan nor on
    /// the numbers in it: two inventories of one key are equal if their lines are.
    ///
    /// - Complexity: O(n log n); for checks, not for work.
    package func lines() -> [String] {
        var lines: [String] = []
        for root in roots {
            forEachDirectory(below: root.directory) { number in
                let record = directories[Int(number)]
                let path = path(ofDirectory: number).string
                lines.append(
                    "\(path)/ \(record.identity) \(record.mountID) \(record.allocated) "
                        + "\(record.modified) \(record.created) \(record.fingerprint) "
                        + "area \(record.area) mark \(record.mark.rawValue) \(record.owner) "
                        + "flags \(record.flags.subtracting(.inTick).rawValue) \(record.totals)")
                forEachItem(of: number) { lines.append(line(ofItem: $0, in: path)) }
            }
        }
        lines += omissions.map { "left out \(path(of: $0).displayText) \($0.isMount)" }
        for (number, store) in stores.byDirectory {
            lines.append(
                "store \(path(ofDirectory: number).string) \(store.allocated) \(store.slices) "
                    + "\(store.isForeign)")
        }
        lines += failures.map { "failed \($0)" }
        lines.append(
            "\(itemCount) items, \(directoryCount) directories, \(failureCount) failures, "
                + "complete \(isComplete)")
        return lines.sorted()
    }

    private func line(ofItem id: UInt32, in path: String) -> String {
        let name = name(ofItem: id).owned.bytes.map(String.init).joined(separator: ".")
        var line = "\(path)/ \(name) \(item(id).unplaced) \(identity(ofItem: id))"
        if let mark = itemMarks[id] { line += " \(mark)" }
        if damagedItemMarks.contains(id) { line += " damaged" }
        return line
    }
}

extension ItemRecord {
    /// The same without the number of its directory.
    fileprivate var unplaced: ItemRecord {
        var record = self
        record.parent = 0
        return record
    }
}
