//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whether names in directories below that of a class are reached by their paths.
///
/// Whether what the short way meets is the fault of one name or of the class is told by the long way: what
/// that refuses says nothing of other names; where it leads to the place, the short one is of no use.
enum ShortWay: Hashable, Sendable {
    /// Found out when a name has next been reached the long way.
    case unknown
    /// What is made by its path has to be on this mount, which is that of the class's directory.
    case open(MountPlace)
    /// Until the directory is made anew: a link leads to it, as the user has arranged it; what is in it is on
    /// other devices of the same mount (subvolumes of btrfs, some overlays); or the system does not tell.
    case closed
}
