//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Hostile trees, and all that is on btrfs, one after the other: locks of one must not look like those of
/// another on btrfs (record 0007), and two cores have enough to do with one tree.
@Suite(.serialized, .blocks) enum VolumeTests {}

/// A file system to be hostile on.
final class HostileVolume {
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case ext4
        case xfs
        /// Within a subvolume, whose device is not that of the mount.
        case btrfs
        case tmpfs
        /// With part of the tree in the lower layer.
        case overlay

        var testDescription: String { rawValue }

        var isPossible: Bool {
            switch self {
            case .ext4: Privilege.canMount(.ext4)
            case .xfs: Privilege.canMount(.xfs)
            case .btrfs: Privilege.canMount(.btrfs) && Privilege.has(program: "btrfs")
            case .tmpfs: Privilege.canMount
            case .overlay: Privilege.canMountOverlay
            }
        }
    }

    let kind: Kind
    /// An empty directory on it, but for what the lower layer has.
    let base: FilePath
    private let image: MountedImage
    private let lower: TemporaryDirectory?

    /// - Parameter prepare: fills the directory's lower layer; called for an overlay only.
    init(
        _ kind: Kind, size: ByteCount = .mebibytes(320), inodes: Int? = nil,
        prepare: (Tree) throws -> Void = { _ in }
    ) throws {
        self.kind = kind
        var lower: TemporaryDirectory?
        switch kind {
        case .ext4:
            image = try MountedImage(
                .ext4, size: size, formatting: inodes.map { ["-N", "\($0)"] } ?? [])
        case .xfs: image = try MountedImage(.xfs)
        case .btrfs: image = try MountedImage(.btrfs, size: size)
        case .tmpfs: image = try MountedImage.tmpfs(size: size, inodes: inodes)
        case .overlay:
            let directory = try TemporaryDirectory(on: .memory)
            try directory.tree.directory("base")
            try prepare(Tree(root: directory.path.appending("base")))
            image = try MountedImage.overlay(lower: directory.path)
            lower = directory
        }
        self.lower = lower
        base = image.path.appending("base")
        if kind == .btrfs {
            let made = try ChildProcess.run("btrfs", ["subvolume", "create", base.string])
            guard made.succeeded else {
                throw FixtureError("btrfs", on: base.string, details: made.errors)
            }
        }
        try Tree(root: image.path).directory("base")
    }

    var tree: Tree { Tree(root: base) }
}
#endif
