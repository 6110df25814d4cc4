//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// A set of areas, and which of them holds where: the nearest.
public struct AreaMap: Sendable {
    /// The areas, outer before inner and otherwise in the order of their paths' bytes; no two have
    /// one root.
    public let areas: [Area]
    /// Declarations that met at one root and did not agree: the more protective holds.
    public let conflicts: [Conflict]
    private let indexes: [FilePath: Int]

    /// Two declarations of one directory.
    public struct Conflict: Hashable, Sendable {
        public var kept: Area
        public var dropped: Area
    }

    /// A directory to scan, with the area it starts in.
    public struct ScanRoot: Hashable, Sendable {
        public let path: FilePath
        /// The index of its area in ``AreaMap/areas``.
        public let area: Int
    }

    /// Creates the map of declared areas.
    ///
    /// Roots are compared by name; ``AreaValidation`` has made them plain before. Of two areas with
    /// one root the more protective holds: the higher class; of one class the one without a
    /// retention, with the higher limit, and of higher importance, in this order.
    ///
    /// - Complexity: O(n log n) in the number of areas.
    public init(_ declared: [Area]) {
        var byRoot: [FilePath: Area] = [:]
        var conflicts: [Conflict] = []
        for area in declared {
            guard let other = byRoot[area.root] else {
                byRoot[area.root] = area
                continue
            }
            // The catalogue declares nothing: what anybody has said of the directory holds.
            if (area.catalogueID == nil) != (other.catalogueID == nil) {
                if area.catalogueID == nil { byRoot[area.root] = area }
                continue
            }
            // mutation: r29f-1 (2 lines)
            let (kept, dropped) =
                Self.isMoreProtective(area, than: other) ? (area, other) : (other, area)
            byRoot[area.root] = kept
            var compared = dropped
            compared.origin = kept.origin
            compared.isDeclaredEssential = kept.isDeclaredEssential
            if compared != kept { conflicts.append(Conflict(kept: kept, dropped: dropped)) }
        }
        areas = byRoot.values.map { ($0, $0.root.names) }.sorted { left, right in
            left.1.lexicographicallyPrecedes(right.1) {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
        }.map(\.0)
        self.conflicts = conflicts
        indexes = Dictionary(uniqueKeysWithValues: areas.enumerated().map { ($1.root, $0) })
    }

    private static func isMoreProtective(_ left: Area, than right: Area) -> Bool {
        if left.purgeClass != right.purgeClass { return left.purgeClass > right.purgeClass }
        // mutation: s1e-1
        if left.isSealed != right.isSealed { return left.isSealed }
        if left.isDeclaredEssential != right.isDeclaredEssential {
            return left.isDeclaredEssential
        }
        if left.retention != right.retention {
            guard let first = left.retention else { return true }
            guard let second = right.retention else { return false }
            return first > second
        }
        if left.limit != right.limit {
            guard let first = left.limit else { return true }
            guard let second = right.limit else { return false }
            return first > second
        }
        return left.importance > right.importance
    }

    /// The index of the area that holds for a path: of the nearest root at or above it.
    ///
    /// - Parameter path: absolute, without links, `.` and `..`.
    /// - Returns: nil if it lies in no area.
    /// - Complexity: O(components). A walk does better: it carries the area along.
    public func areaIndex(for path: FilePath) -> Int? {
        var current = path
        while true {
            if let index = indexes[current] { return index }
            guard current.depth > 0 else { return nil }
            current.removeLastComponent()
        }
    }

    /// The area that holds for a path.
    public func area(for path: FilePath) -> Area? {
        areaIndex(for: path).map { areas[$0] }
    }

    /// The directories to scan so that each area is seen once: no one lies in another.
    ///
    /// - Parameter includingEssential: also what is essential throughout. Without it, an area that
    ///   may be purged and lies in an essential one is a root of its own.
    /// - Complexity: O(areas × components).
    public func scanRoots(includingEssential: Bool = false) -> [ScanRoot] {
        var roots: [ScanRoot] = []
        for (index, area) in areas.enumerated()
        where includingEssential || area.purgeClass != .essential {
            // Outer areas come first, and what lies in one stands directly behind it.
            if let last = roots.last, area.root.lies(in: last.path) { continue }
            roots.append(ScanRoot(path: area.root, area: index))
        }
        return roots
    }

    /// The scan of one directory at or below an area.
    ///
    /// - Returns: nil if it lies in no area.
    public func scanRoot(at path: FilePath) -> ScanRoot? {
        areaIndex(for: path).map { ScanRoot(path: path, area: $0) }
    }

    /// The areas that lie in the one of an index, at any depth.
    public func areas(below index: Int) -> Range<Int> {
        let root = areas[index].root
        var end = index + 1
        while end < areas.count, areas[end].root.lies(in: root) { end += 1 }
        return index + 1..<end
    }
}
