//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What a volume is known by in a history.
///
/// The place where it is mounted and the type of its file system: device numbers and names change from one
/// start of the machine to the next.
public struct HistoryVolume: Hashable, Sendable {
    public var mountPoint: FilePath
    public var type: String

    public init(mountPoint: FilePath, type: String) {
        self.mountPoint = mountPoint
        self.type = type
    }

    public init(_ volume: Volume) {
        self.init(mountPoint: volume.mountPoint, type: volume.type)
    }
}
