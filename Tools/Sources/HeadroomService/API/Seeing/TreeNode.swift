//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomRequests

/// A directory or file of the tree.
struct APINode: Encodable, Sendable {
    var name: String
    var nameBytes: String?
    var kind: String
    var bytes: Int64
    var items: Int
    var `class`: String
    var logicalBytes: Int64?
    var lastUse: String?
    var pinned: Bool?
    var marked: Bool?
    var inUse: Bool?
    var area: Bool?
    var unit: Bool?
    var unreadable: Bool?
    var otherFileSystem: Bool?
    var links: Int?
    var children: [APINode]?
    var rest: Rest?

    /// What is in a directory besides the children that were answered.
    struct Rest: Encodable, Sendable {
        var count: Int
        var bytes: Int64
        var cursor: String?
    }

    var cost: Int { 260 + AnswerBudget.cost(name) + (nameBytes?.utf8.count ?? 0) }
}

struct APITree: Encodable, Sendable {
    struct Root: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var node: APINode
    }

    struct Crumb: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var name: String
    }

    var view: String
    var inventory: APIInventoryState
    var roots: [Root]
    var path: String?
    var pathBytes: String?
    var node: APINode?
    var parents: [Crumb]?
}
