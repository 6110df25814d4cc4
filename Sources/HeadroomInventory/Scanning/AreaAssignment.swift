//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// Tells for each directory of a walk which area it belongs to, one component at a time.
///
/// A tree of the components of all area roots below the walk's root. A walk stands on a node as
/// long as an area root may still lie below; elsewhere nothing is looked up.
package struct AreaAssignment: Sendable {
    private struct Node {
        var children: [FileName: UInt16] = [:]
        var area = DirectoryRecord.noArea
    }

    package static let noNode = UInt16.max
    private var nodes = [Node()]
    private let classes: [HeldMark.AreaClass]
    private let isPart: [Bool]
    /// Whether the walk's root is the root of its area, rather than a directory in it.
    private(set) var startsAtAreaRoot = false

    /// - Parameter areas: nested ones in any order; those outside `root` are left out, and one that
    ///   encloses it is the area of the root.
    package init(root: FilePath, areas: [Area]) {
        let rootComponents = root.names
        classes = areas.map { HeldMark.AreaClass($0) }
        isPart = areas.map { $0.catalogueID != nil }
        var enclosing = -1
        for (index, area) in areas.enumerated() {
            let components = area.root.names
            if components.count <= rootComponents.count {
                guard components.count > enclosing, rootComponents.starts(with: components) else {
                    continue
                }
                enclosing = components.count
                startsAtAreaRoot = components.count == rootComponents.count
                nodes[0].area = UInt16(index)
            } else if components.starts(with: rootComponents) {
                insert(components[rootComponents.count...], area: UInt16(index))
            }
        }
    }

    private mutating func insert(_ components: ArraySlice<FileName>, area: UInt16) {
        var node = 0
        for name in components {
            if let next = nodes[node].children[name] {
                node = Int(next)
            } else {
                nodes.append(Node())
                nodes[node].children[name] = UInt16(nodes.count - 1)
                node = nodes.count - 1
            }
        }
        nodes[node].area = area
    }

    package var rootArea: UInt16 { nodes[0].area }

    func isEssential(_ area: UInt16) -> Bool {
        area != DirectoryRecord.noArea && classes[Int(area)].purgeClass == .essential
    }

    /// The class that an area gives its content.
    func areaClass(_ area: UInt16) -> HeldMark.AreaClass {
        area == DirectoryRecord.noArea ? .none : classes[Int(area)]
    }

    /// Whether the class that marks around an area's root give holds in it: a person's word on
    /// `~/.cache/x` is meant for the well-known cache in it, too.
    func takesMarks(_ area: UInt16) -> Bool {
        area != DirectoryRecord.noArea && isPart[Int(area)]
    }

    /// The node of a child directory; ``noNode`` when no area root lies there or below.
    package func step(from node: UInt16, to name: EntryName) -> UInt16 {
        guard node != Self.noNode, !nodes[Int(node)].children.isEmpty else { return Self.noNode }
        return nodes[Int(node)].children[name.owned] ?? Self.noNode
    }

    /// The area whose root stands at a node; ``DirectoryRecord/noArea`` if none does.
    package func area(at node: UInt16) -> UInt16 {
        node == Self.noNode ? DirectoryRecord.noArea : nodes[Int(node)].area
    }
}
