//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whose a path is: its own, or that of the nearest place around it that somebody has named.
///
/// Names are followed from the root down, as far as somebody has named something: what lies deep below
/// costs no more than what lies directly in a named place.
struct PathOwners: Sendable {
    private struct Place {
        var owner: Int?
        var children: [ArraySlice<UInt8>: Int] = [:]
    }

    /// The first is the root.
    private var places = [Place()]
    private static let separator = UInt8(ascii: "/")

    /// What is known of a place.
    struct Step {
        /// Nil: nobody has named anything from here on.
        fileprivate var place: Int?
        var owner: Int?
    }

    /// Notes whose a path is, unless somebody has named it before.
    mutating func add(_ path: [UInt8], of owner: Int) {
        var place = 0
        for name in path.split(separator: Self.separator) {
            if let next = places[place].children[name] {
                place = next
            } else {
                places.append(Place())
                places[place].children[name] = places.count - 1
                place = places.count - 1
            }
        }
        places[place].owner = places[place].owner ?? owner
    }

    /// - Complexity: O(names of the longest path that was named).
    func step(to path: [UInt8]) -> Step {
        var step = Step(place: 0, owner: places[0].owner)
        var rest = path[...]
        while !rest.isEmpty, step.place != nil {
            let name = rest.prefix { $0 != Self.separator }
            rest = rest[name.endIndex...].drop { $0 == Self.separator }
            if !name.isEmpty { step = self.step(to: name, in: step) }
        }
        return step
    }

    /// - Parameter name: not made where nobody has named anything from there on.
    func step(to name: @autoclosure () -> ArraySlice<UInt8>, in outer: Step) -> Step {
        guard let place = outer.place, !places[place].children.isEmpty,
            let next = places[place].children[name()]
        else { return Step(place: nil, owner: outer.owner) }
        return Step(place: next, owner: places[next].owner ?? outer.owner)
    }
}
