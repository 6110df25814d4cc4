//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import SystemPackage

/// What ``Workspace/forget(_:progress:)`` and ``Workspace/forgetAll(progress:)`` took away.
public struct Forgotten: Hashable, Sendable {
    /// Files and directories that bore a mark, or whose mark the ledger remembered.
    public var marks: [ForgottenMark] = []
    /// `CACHEDIR.TAG`s of Headroom.
    public var tags: [FilePath] = []
    public var registrations: [Area] = []
    /// What could not be taken away, a sentence each.
    public var failures: [String] = []

    public struct ForgottenMark: Hashable, Sendable {
        public var path: FilePath
        public var mark: Mark
        /// It could not be understood, and protected what bore it.
        public var wasDamaged: Bool

        public init(path: FilePath, mark: Mark, wasDamaged: Bool = false) {
            self.path = path
            self.mark = mark
            self.wasDamaged = wasDamaged
        }
    }

    /// Adds what another run took away.
    public mutating func add(_ other: Forgotten) {
        marks += other.marks
        tags += other.tags
        registrations += other.registrations
        failures += other.failures
    }

    public init() {}

    public var isEmpty: Bool { marks.isEmpty && tags.isEmpty && registrations.isEmpty }
}
