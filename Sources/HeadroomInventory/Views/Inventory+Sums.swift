//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

extension Inventory {
    /// The sums of items by kind, judged by their names.
    ///
    /// - Complexity: O(items); no allocation per item.
    public func sumsByKind() -> [FileKind: InventorySum] {
        var sums = [InventorySum](repeating: InventorySum(), count: FileKind.allCases.count)
        forEachShownItem { id, item, lastUse, _ in
            sums[Int(FileKind(name(ofItem: id)).rawValue)].add(item, lastUse: lastUse)
        }
        var byKind: [FileKind: InventorySum] = [:]
        for kind in FileKind.allCases where sums[Int(kind.rawValue)].items > 0 {
            byKind[kind] = sums[Int(kind.rawValue)]
        }
        return byKind
    }

    /// The sums of items by how long ago their last use is, from young to old.
    ///
    /// What was last used in the future counts as young.
    ///
    /// - Parameter bounds: rising.
    /// - Complexity: O(items × bounds); no allocation per item.
    public func sumsByAge(
        now: Timestamp, bounds: [Duration] = AgeBucket.standardBounds
    ) -> [AgeBucket] {
        let limits = bounds.map { UInt32(clampedSeconds: now.advanced(by: .zero - $0)) }
        var sums = [InventorySum](repeating: InventorySum(), count: bounds.count + 1)
        forEachShownItem { _, item, lastUse, _ in
            var index = 0
            while index < limits.count, lastUse <= limits[index] { index += 1 }
            sums[index].add(item, lastUse: lastUse)
        }
        return sums.indices.map { index in
            AgeBucket(
                from: index == 0 ? .zero : bounds[index - 1],
                to: index < bounds.count ? bounds[index] : nil, sum: sums[index])
        }
    }

    /// Calls `body` with the number, record, last use and directory of each item, except what is
    /// left over from a purge.
    @inline(__always)
    package func forEachShownItem(_ body: (UInt32, ItemRecord, UInt32, DirectoryRecord) -> Void) {
        for (index, root) in roots.enumerated() {
            let end =
                index + 1 < roots.count ? roots[index + 1].directory : UInt32(directories.count)
            for number in root.directory..<end {
                let record = directories[Int(number)]
                guard !record.flags.contains(.reserved) else { continue }
                forEachItem(of: number) { id in
                    let item = item(id)
                    body(id, item, item.lastUse(countingAccess: root.countsAccess), record)
                }
            }
        }
    }
}
