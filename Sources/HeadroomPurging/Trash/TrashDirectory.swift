//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
public import SystemPackage

/// One trash directory of a user: the home's, or that of a volume.
public struct TrashDirectory: Hashable, Sendable {
    /// The directory with `files` and `info` in it.
    public var path: FilePath
    /// The root of the volume that it serves, to which its paths are relative; nil for the home's,
    /// whose paths are absolute.
    public var volume: FilePath?
    /// Whether it was on a read-only volume when it was opened: nothing is restored or deleted there.
    public var isReadOnly: Bool

    public init(path: FilePath, volume: FilePath?, isReadOnly: Bool = false) {
        self.path = path
        self.volume = volume
        self.isReadOnly = isReadOnly
    }

    /// A sentence with the reason why its content cannot change, and the remedy; nil unless it is read-only.
    public var readOnlyAdvice: String? {
        guard isReadOnly else { return nil }
        let what =
            volume.map { "The volume \($0.displayText)" } ?? "The volume of \(path.displayText)"
        return what + " is mounted read-only. Remount it read-write first (mount -o remount,rw)."
    }

    /// Where what was thrown away is.
    public var files: FilePath { path.appending("files") }

    /// How long trash is kept before it expires.
    public static let retention = Duration.seconds(30 * 86_400)

    /// What lies in it, as an area: each item whole, as old as its deletion.
    package var area: Area {
        var area = Area(
            root: files, purgeClass: .lastResort, unit: .entry, retention: Self.retention,
            origin: volume.map { "trash of \($0.displayText)" } ?? "trash")
        area.isTrash = true
        return area
    }

    /// Where an item was, by what its information says; nil for a path that leads elsewhere than
    /// it seems.
    package func original(_ path: FilePath) -> FilePath? {
        guard !path.components.contains(where: { $0.kind != .regular }) else { return nil }
        if path.isAbsolute { return path }
        return volume?.pushing(path)
    }
}
