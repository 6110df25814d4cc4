//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// A guarded place that does not answer, and of which nobody knows what it is now.
///
/// It must not guard less than it would if it answered, so whatever it may be, contain or lie in is left
/// alone. What can be told of it without asking its file system:
///
/// - Its path. What lies in that, or around it, has to do with it.
/// - If its path is where something is mounted, it is the root of that mount: points of mounts are real paths,
///   without links. Then it has to do with what lies on the same file system, by whichever mount, and with
///   what such a mount lies in; and with nothing else. While the file system is silent nothing on it can be
///   asked about either, so this only matters in the moment in which it is back.
/// - Anywhere else there may be a link on the way, in a directory that cannot be read, which leads to any
///   place: then nothing goes until it answers. An automount stands for another one, and is no better.
package struct SilentPlace: Sendable {
    package let place: GuardedPlace
    /// What it lies on; nil: it may be anywhere.
    private let mount: Mount?
    /// Whether it is known what it was: then it guards as that as well, and here only by its path.
    private let isRemembered: Bool

    init(remembered place: GuardedPlace) {
        self.place = place
        mount = nil
        isRemembered = true
    }

    /// - Parameter others: places that are silent, too.
    init(_ place: GuardedPlace, among others: [GuardedPlace], _ mounts: MountTable) {
        self.place = place
        isRemembered = false
        let mount = mounts.mount(at: place.path)
        // The cache directory of a home: what lies in it may be declared anyway, so that a link from it guards
        // no content, and the home around it speaks for itself.
        let isRole =
            place.rule == .itself
            && others.contains { other in
                other.rule == .essential && place.path != other.path
                    && place.path.lies(in: other.path)
            }
        let isRoot = mount.map { $0.point == place.path && $0.type != "autofs" } ?? false
        self.mount = isRoot || isRole ? mount : nil
    }

    /// Whether it may be a directory, or lie around it.
    func mayHold(_ path: FilePath, _ location: MountTable.Location?) -> Bool {
        if path.lies(in: place.path) { return true }
        if isRemembered { return false }
        guard let mount, let location else { return true }
        return location.device == mount.device
    }

    /// Whether it may lie in a directory.
    func mayLie(in path: FilePath, _ mounts: MountTable) -> Bool {
        if place.path.lies(in: path) { return true }
        if isRemembered { return false }
        guard let mount else { return true }
        return mounts.mounts.contains { $0.device == mount.device && $0.point.lies(in: path) }
    }

    /// Why a directory is left alone.
    package func error(for path: FilePath) -> HeadroomError {
        HeadroomError(
            .io,
            "\(path.displayText) is left alone while \(place.name) does not answer: nobody can tell "
                + "whether the two have to do with each other. See whether the server or the device that "
                + "\(place.path.displayText) lies on is there.", cause: .timedOut)
    }
}
