//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// The effective mark of a directory, and the user on whose word its class permits purges.
///
/// In a purge by root, anybody who can write to a directory can set its mark. Such a mark protects, but
/// it permits the purge of nothing that belongs to another user. `Documentation/Design/0005-marks.md`
/// has the rules.
package struct HeldMark: Hashable, Sendable {
    package var mark: Mark
    /// The user whose mark set the class, which permits purges of this user's files alone; nil: the class
    /// holds for everybody's files.
    package var grantor: UInt32?

    /// The grantor of a class that anybody may have set: it permits nothing, and only protects. No user has
    /// this number (chown(2)).
    package static let nobody = UInt32.max

    package static let none = HeldMark(mark: .none)

    package init(mark: Mark, grantor: UInt32? = nil) {
        self.mark = mark
        self.grantor = mark.purgeClass == nil ? nil : grantor
    }

    /// The class that an area gives its content.
    package struct AreaClass {
        package var purgeClass: PurgeClass
        /// A configuration or registration declares the area as essential.
        var isDeclaredEssential: Bool

        /// The class outside of all areas.
        package static let none = AreaClass(purgeClass: .essential, isDeclaredEssential: false)

        package init(purgeClass: PurgeClass, isDeclaredEssential: Bool) {
            self.purgeClass = purgeClass
            self.isDeclaredEssential = isDeclaredEssential
        }

        package init(_ area: Area?) {
            self.init(
                purgeClass: area?.purgeClass ?? .essential,
                isDeclaredEssential: area?.isDeclaredEssential ?? false)
        }
    }

    /// The effective mark of a directory in this one.
    ///
    /// - Parameters:
    ///   - reading: the directory's own mark.
    ///   - status: of the directory.
    ///   - area: of the directory.
    package func entering(
        _ reading: MarkReading?, _ status: FileStatus, in area: AreaClass
    ) -> HeldMark {
        let (own, grantor) = counted(reading, of: status, in: area)
        return HeldMark(mark: own.inheriting(mark), grantor: grantor)
    }

    /// The own mark of something in this directory, as far as it counts.
    ///
    /// - Returns: the mark, whose ``Mark/withholdsClass`` is set if the directory's class does not hold
    ///   for it, and the user on whose word the class then holds.
    package func counted(
        _ reading: MarkReading?, of status: FileStatus, in area: AreaClass
    ) -> (own: Mark, grantor: UInt32?) {
        var own = reading?.mark ?? .none
        var outer = mark.purgeClass?.purgeClass
        var grantor = grantor
        if let user = grantor, let held = outer, held < area.purgeClass,
            // mutation: s1a-3
            user != status.owner || status.isWritableByOthers
        {
            own.withholdsClass = true
            outer = nil
            grantor = nil
        }
        guard let reading, reading.permission != .everybody else {
            return (own, own.purgeClass == nil ? grantor : nil)
        }
        // mutation: r9b-3
        if own.isPinned == false { own.isPinned = nil }
        guard let purgeClass = own.purgeClass?.purgeClass else { return (own, grantor) }
        var author = Self.nobody
        if case .owner(let user) = reading.permission { author = user }
        // It protects at least as much as the class that holds without it.
        if purgeClass >= outer ?? area.purgeClass { return (own, author) }
        // mutation: s1a-2
        guard author != Self.nobody, !area.isDeclaredEssential, outer == nil || grantor == author
        else {
            own.purgeClass = nil
            return (own, grantor)
        }
        return (own, author)
    }
}

extension FileStatus {
    /// Users other than the owner can write to the file, or add and replace entries of the directory.
    ///
    /// With an access-control list, the group bits are its mask, so that every entry that permits to
    /// write shows in them (acl(5)).
    var isWritableByOthers: Bool {
        guard permissions & 0o022 != 0, type != .symbolicLink else { return false }
        // In a sticky directory, others cannot replace entries of the owner, and cannot set the
        // attributes of the directory (xattr(7)).
        return !(type == .directory && permissions & 0o1000 != 0)
    }
}

/// Whose files a mark can permit to purge.
package enum MarkPermission: Hashable, Sendable {
    /// Those of everybody, as this process would without the mark.
    case everybody
    /// Those of one user, who owns the marked file and alone can write to it.
    case owner(UInt32)
    /// None: another user may have set the mark.
    case nobody

    /// The permission of a mark on a file or directory.
    ///
    /// - Parameters:
    ///   - recorded: the record of the same file in the ledger of this process. The owner of the ledger
    ///     has set the parts that are equal.
    ///   - isPrivileged: the process has the rights of root, and purges files of other users.
    init(of mark: Mark, _ status: FileStatus, recorded: Mark?, isPrivileged: Bool) {
        let hasClass = mark.purgeClass != nil && mark.purgeClass != recorded?.purgeClass
        let liftsPin = mark.isPinned == false && recorded?.isPinned != false
        if !isPrivileged || !hasClass && !liftsPin {
            self = .everybody
            // mutation: s11b-6
        } else if status.isWritableByOthers {
            self = .nobody
        } else {
            self = status.owner == 0 ? .everybody : .owner(status.owner)
        }
    }
}

extension MarkReading {
    /// The mark, without parts that another user may have set and that permit a purge.
    var trusted: Mark {
        var mark = mark
        guard permission != .everybody else { return mark }
        if mark.isPinned == false { mark.isPinned = nil }
        if permission == .nobody { mark.purgeClass = nil }
        return mark
    }
}
