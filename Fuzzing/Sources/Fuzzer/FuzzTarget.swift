//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A parser, and what has to hold of whatever it is given.
protocol FuzzTarget: Sendable {
    /// As in `Corpus/<name>` and on the command line.
    static var name: String { get }

    init() throws

    /// Parses; what must not be ends the process. Errors that the parser throws are its good right.
    func run(_ bytes: [UInt8])
}

/// All there are. A new one: a folder in `Sources`, and a line here.
let fuzzTargets: [any FuzzTarget.Type] = [
    KeyBagTarget.self, ProtectedFileTarget.self, ProtectionHeaderTarget.self, MarksTarget.self,
    DirectoryEntriesTarget.self, CleanUpTasksTarget.self, ListingTarget.self, LedgerTarget.self,
    CacheStoreTarget.self,
]
