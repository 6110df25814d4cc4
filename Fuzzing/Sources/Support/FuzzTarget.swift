//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A parser, and what has to hold of whatever it is given.
public protocol FuzzTarget: Sendable {
    /// As in `Corpus/<name>` and on the command line.
    static var name: String { get }

    init() throws

    /// Parses. What must not be ends the process; errors that the parser throws are its good right.
    func run(_ bytes: [UInt8])
}

/// Parsers of foreign bytes, for a fuzzer: Documentation/Design/0039-fuzzing.md. Not for apps.
public struct FuzzTargets: Sendable {
    private let all: [any FuzzTarget.Type]

    public init(_ all: [any FuzzTarget.Type]) {
        self.all = all
    }

    /// Those of the library. A new one: a folder beside this one, and a line here.
    public static var ofLibrary: [any FuzzTarget.Type] {
        var all: [any FuzzTarget.Type] = [
            ProtectionHeaderTarget.self, MarksTarget.self, DirectoryEntriesTarget.self,
            CleanUpTasksTarget.self, ListingTarget.self, LedgerTarget.self, CacheStoreTarget.self,
            CacheSegmentsTarget.self, SavedPlanTarget.self, TmpfilesTarget.self,
            TrashInfoTarget.self, CatalogueTarget.self,
        ]
        #if Protection
        all = [KeyBagTarget.self, ProtectedFileTarget.self] + all
        #endif
        return all
    }

    /// What they are called.
    public var names: [String] { all.map { $0.name } }

    /// Makes one ready.
    ///
    /// - Returns: what is called with each input, and ends the process if something is wrong; nil if
    ///   there is none of this name.
    /// - Throws: if what it needs cannot be made, as a directory.
    public func make(_ name: String) throws -> (@Sendable ([UInt8]) -> Void)? {
        guard let type = all.first(where: { $0.name == name }) else { return nil }
        let target = try type.init()
        return { target.run($0) }
    }
}

/// Ends the process: something is not as it has to be.
public func require(_ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String) {
    guard !condition() else { return }
    // Not by print, whose buffer would go with the process. Where it cannot be written, the stack says it.
    _ = try? FileDescriptor.standardError.writeAll("headroom-fuzz: \(message())\n".utf8)
    abort()
}
