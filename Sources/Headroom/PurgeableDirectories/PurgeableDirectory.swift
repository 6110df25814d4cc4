//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How long a purgeable directory keeps its content.
public struct Retention: Hashable, Sendable {
    /// Nil: the content never expires.
    public var duration: Duration?

    /// Until the limit is reached, space is needed, or somebody empties the directory.
    public static let manual = Retention(duration: nil)

    public static func days(_ count: Int) -> Retention {
        Retention(duration: .seconds(86400 * Int64(count)))
    }

    public static func after(_ duration: Duration) -> Retention { Retention(duration: duration) }

    private init(duration: Duration?) {
        self.duration = duration
    }
}

/// What a purgeable directory is measured and trimmed by, beyond retention and limit.
public struct PurgeableDirectoryOptions: Hashable, Sendable {
    /// What the retention is measured from.
    public var ageBasis: AgeBasis = .created
    /// Which goes first when the directory is trimmed.
    public var order: AreaOrder = .oldestCreated
    /// What it is trimmed to, as a percentage of its limit: 0…100.
    public var trimPercent = 50
    /// What goes whole: each file, or each direct child.
    public var unit: PurgeUnit = .file

    public init() {}
}

/// A directory that looks after itself: registered once, kept within its rules from then on.
public struct PurgeableDirectory: Hashable, Sendable {
    public var url: URL
    public var retention: Retention
    /// The allocated bytes at which it is trimmed; zero: no limit.
    public var limit: ByteCount
    public var options: PurgeableDirectoryOptions

    init(_ registration: Registration) {
        let rules = DirectoryRules(registration.area)
        url = URL(filePath: registration.area.root.string, directoryHint: .isDirectory)
        retention = rules.retention.map { .after($0) } ?? .manual
        limit = rules.limit
        options = PurgeableDirectoryOptions()
        options.ageBasis = rules.ageBasis
        options.order = rules.order
        options.trimPercent = rules.trimPercent
        options.unit = rules.unit
    }
}
