//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// What the system offers of that which Headroom uses where it is there.
///
/// Nothing is left behind by asking: the one file that is made never has a name.
public struct SystemFeatures: Hashable, Sendable {
    /// The name and release of the kernel: `Linux 6.12.1`.
    public var kernel: String
    /// Directories are opened beneath another one by the kernel (`openat2`), not name by name.
    public var opensBeneath: Bool
    /// Attributes are read without opening the file (`listxattrat`).
    public var readsAttributesByName: Bool
    /// The mount of each file is told (`STATX_MNT_ID`).
    public var tellsMounts: Bool
    /// The kernel tells exactly whether a file is open (`F_SETLEASE`); nil: no temporary file could
    /// be made to try it on.
    public var grantsLeases: Bool?
    public var isRoot: Bool

    /// Asks. Blocks for some microseconds.
    ///
    /// - Parameter directory: where a file without a name may be made.
    public static func probe(in directory: FilePath = "/tmp") -> SystemFeatures {
        SystemFeatures(
            kernel: kernelName, opensBeneath: probeOpening(),
            readsAttributesByName: probeAttributes(), tellsMounts: probeMounts(),
            grantsLeases: probeLeases(in: directory), isRoot: User.isRoot)
    }
}

/// What a volume keeps of that which Headroom uses where it is there.
public struct VolumeFeatures: Hashable, Sendable {
    /// Marks are kept with the files; else in the ledger alone.
    public var keepsAttributes: Bool
    /// Files have a birth time; else the time at which the ledger first saw them stands for it. Nil
    /// if that cannot be told.
    public var keepsBirthTimes: Bool?

    /// Asks about the volume of a directory. Blocks for as long as the volume does not answer.
    public static func probe(at directory: FilePath) -> VolumeFeatures {
        var features = VolumeFeatures(
            keepsAttributes: AttributeSupport.isAvailable(at: directory), keepsBirthTimes: nil)
        // A directory that cannot be opened tells nothing.
        if let opened = try? Descriptor.openDirectory(directory),
            let status = try? NativeCalls.make().status(of: opened.rawValue)
        {
            features.keepsBirthTimes = status.created != nil
        }
        return features
    }
}
