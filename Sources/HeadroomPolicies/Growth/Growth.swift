//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What grew below a directory since a moment.
///
/// By times alone it is not known what was deleted since, nor by how much a file grew that was there
/// before: its whole size is the most that it can be. With a former listing both are known.
public struct Growth: Sendable {
    /// What a directory tree came to hold.
    public struct Sums: Hashable, Sendable {
        /// Of files that were not there.
        public var new = ByteCount.zero
        public var newFiles = 0
        /// By how much files grew that were there; by times, at most that: what they occupy now.
        public var grown = ByteCount.zero
        public var grownFiles = 0
        /// By times only: what files occupy whose content is older, and which were moved here, or got other
        /// links, owners or permissions.
        public var touched = ByteCount.zero
        public var touchedFiles = 0
        /// What went, or became smaller; nil: not known.
        public var gone: ByteCount?

        public init() {}

        /// What came, at most.
        public var come: ByteCount { new + grown + touched }

        mutating func add(_ kind: Item.Kind, _ bytes: Int64) {
            switch kind {
            case .new:
                new += ByteCount(bytes)
                newFiles += 1
            case .grown:
                grown += ByteCount(bytes)
                grownFiles += 1
            case .touched:
                touched += ByteCount(bytes)
                touchedFiles += 1
            }
        }

        static func += (left: inout Sums, right: Sums) {
            left.new += right.new
            left.newFiles += right.newFiles
            left.grown += right.grown
            left.grownFiles += right.grownFiles
            left.touched += right.touched
            left.touchedFiles += right.touchedFiles
        }
    }

    public struct Place: Hashable, Sendable {
        public var path: FilePath
        /// 1 for the children of the root.
        public var depth: Int
        public var sums: Sums
    }

    public struct Item: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable {
            /// It was not there.
            case new
            /// It was there, and was written since.
            case grown
            /// It was moved here, or got another link, owner or permissions.
            case touched
        }

        public var path: FilePath
        public var kind: Kind
        /// By how much it grew, at most.
        public var bytes: ByteCount
        /// What it occupies now.
        public var allocated: ByteCount
    }

    public var root: FilePath
    public var sums = Sums()
    /// The directories that came to hold most, those first.
    public var directories: [Place] = []
    /// What grew most, that first.
    public var items: [Item] = []
}
