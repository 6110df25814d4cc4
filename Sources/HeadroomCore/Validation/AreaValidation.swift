//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import SystemPackage

/// Decides whether a directory may be declared as an area (safety invariant S11).
///
/// Refused are: the empty path and relative ones, `/`, homes, role roots, directories of the system,
/// anything that contains one of these, directories of another user (unless root was asked), roots
/// of mounts (unless the declaration allows it), links, and what lies in an essential place without
/// a mark. Everything is looked at through descriptors and by identity: a path that is spelled
/// otherwise, or leads through a bind mount, gets the same answer.
public struct AreaValidation: Sendable {
    package let index: GuardIndex
    let mounts: MountTable
    let userID: UInt32
    /// The roots of the layouts that are homes.
    let homes: [FilePath]
    let marks: MarkStore
    /// Asks for what is guarded, and for many areas.
    let answers: AreaAnswers
    /// Read once for all areas that are checked.
    private let machine = Homes.ofThisMachine

    /// Looks up what is guarded; blocks, for what does not answer no longer than a limit.
    ///
    /// - Parameters:
    ///   - layouts: of the user and of whatever else must be respected. Those of the system, and of
    ///     the Apple container around an area, are always.
    ///   - marks: tells which directories in essential places are marked.
    ///   - userID: whose directories may be declared.
    public init(layouts: [Layout], marks: MarkStore, userID: UInt32 = User.effective) {
        self.init(layouts: layouts, marks: marks, userID: userID, system: .system())
    }

    package init(layouts: [Layout], marks: MarkStore, answers: AreaAnswers) {
        self.init(
            layouts: layouts, marks: marks, userID: User.effective, system: .system(),
            answers: answers)
    }

    /// The same for another system, or with others who ask for what is guarded and for many areas.
    package init(
        layouts: [Layout], marks: MarkStore, userID: UInt32, system: Layout,
        answers: AreaAnswers = .shared
    ) {
        // Without a mount table (no /proc) bind mounts are recognised by identity alone.
        let mounts = (try? MountTable.current()) ?? MountTable([])
        index = GuardIndex(
            layouts + [system, .records(in: marks.ledger.records)], mounts: mounts, answers: answers
        )
        self.mounts = mounts
        homes = layouts.filter { $0.kind == .xdg }.map(\.root)
        self.marks = marks
        self.userID = userID
        self.answers = answers
    }

    /// Who declares an area.
    public enum Declarer: Hashable, Sendable {
        /// A person, for this run. Root may name another user's directory.
        case person
        /// A registration or a configuration file, of the user.
        case registration
        /// A registration that is being made, and puts a mark where one is needed.
        case registrar
    }

    /// Checks a declared area. Blocks.
    ///
    /// An area of class essential only protects, and is allowed wherever there is a directory.
    ///
    /// - Throws: `invalid`, `notFound`, `notPermitted` or `refused`, with a message that says what to
    ///   do; `io` while a guarded place does not answer of which nobody knows what it has to do with the area.
    public func validate(
        _ area: Area, declaredBy declarer: Declarer = .person
    ) throws(HeadroomError) -> ValidatedArea {
        let directory = try Self.open(area.root)
        let chain = try marks.chain(from: directory)
        let inherited = chain.reduce(Mark.none) { $0.inheriting($1.mark) }
        var checked = area
        checked.root = directory.path
        if area.purgeClass != .essential {
            if directory.ancestors.isEmpty {
                throw Self.refused(
                    area, "it is the root of the file tree",
                    "Name the directory that may be emptied.")
            }
            let trash = TrashNames(volumes: mounts.mounts.map(\.point))
            if trash.isTrash(directory.path) || trash.lies(inTrash: directory.path) {
                throw Self.refused(
                    area, "it is or lies in a trash directory",
                    "Empty it with headroom trash empty.")
            }
            let permission = try check(directory, area, chain, declarer)
            try checkOwner(directory, area, declarer)
            try Self.checkMount(directory, area)
            // Where two declarations meet, the more protective wins.
            let marked = permission ?? chain[0].mark.purgeClass
            if let marked { checked.purgeClass = max(area.purgeClass, marked.purgeClass) }
        }
        return ValidatedArea(
            area: checked, status: directory.status,
            mark: Mark(
                isPinned: inherited.isPinned, importance: inherited.importance,
                isExcludedFromBackup: inherited.isExcludedFromBackup))
    }

    /// Checks declared areas, each with a limit of time. Blocks.
    ///
    /// - Returns: in their order, what ``validate(_:declaredBy:)`` says of each; `io` for one that does not
    ///   answer.
    public func validate(
        each areas: [Area], declaredBy declarer: Declarer = .person
    ) -> [Result<ValidatedArea, HeadroomError>] {
        answers.ask(areas, at: { $0.root }) { (area) throws(HeadroomError) -> ValidatedArea in
            try validate(area, declaredBy: declarer)
        }
    }

    /// - Returns: the class of the mark that allows it, where one is needed.
    private func check(
        _ directory: borrowing ResolvedDirectory, _ area: Area, _ chain: [MarkStore.Link],
        _ declarer: Declarer
    ) throws(HeadroomError) -> PurgeableClass? {
        let findings = index.findings(for: directory)
        if let place = findings.same.max(by: { $0.place.rule.rawValue < $1.place.rule.rawValue })?
            .place
        {
            throw Self.refused(
                area, "it is \(place.name)",
                place.rule == .itself
                    ? "Its content has a class already: leave out --as, or name a directory in it."
                    : "It is never purged. Name a directory that may be emptied.")
        }
        // mutation: s11a-1
        if let place = findings.inside.first(where: { $0.place.rule != .records })?.place {
            throw Self.refused(
                area, "it contains \(place.name)", "Name the directory that may be emptied.")
        }
        if let silent = findings.silent { throw silent.error(for: directory.path) }
        var around = findings.around + findings.final
        if let container = Layout.appleContainer(around: directory.path, of: machine) {
            let inner = GuardIndex(container: container)
            let findings = inner.findings(for: directory)
            if let silent = findings.silent { throw silent.error(for: directory.path) }
            if let entry = findings.same.first {
                throw Self.refused(
                    area, "it is \(entry.place.name)",
                    "Leave out --as: the container's own layout says what may go.")
            }
            if let entry = findings.inside.first {
                throw Self.refused(
                    area, "it contains \(entry.place.name)",
                    "Leave out --as: the container's own layout says what may go.")
            }
            around += findings.around
        }
        guard let strictest = around.max(by: { $0.place.rule.rawValue < $1.place.rule.rawValue })
        else { return nil }
        switch strictest.place.rule {
        case .itself: return nil
        case .never, .records:
            throw Self.refused(
                area, "it lies in \(strictest.place.name)", "Nothing in there is ever purged.")
        case .essential:
            let below = chain.prefix { $0.identity != strictest.identity }
            if let marked = below.compactMap(\.mark.purgeClass).first { return marked }
            if declarer == .registrar { return nil }
            throw Self.refused(
                area,
                "it lies in \(strictest.place.name), which is essential, and bears no mark",
                "If its content can be made again, mark it first: headroom mark --purgeable "
                    + area.root.shellText)
        }
    }

    private func checkOwner(
        _ directory: borrowing ResolvedDirectory, _ area: Area, _ declarer: Declarer
    ) throws(HeadroomError) {
        let owner = directory.status.owner
        // mutation: s11c-1
        guard owner != userID, userID != 0 || declarer != .person else { return }
        throw Self.refused(
            area, "it belongs to another user (\(owner))",
            userID == 0
                ? "Let its owner declare it, or name it: headroom purge --as \(area.purgeClass.name) "
                    + area.root.shellText
                : "Let its owner declare it, or run this as root.")
    }

    static func checkMount(
        _ directory: borrowing ResolvedDirectory, _ area: Area
    ) throws(HeadroomError) {
        guard !area.allowsMountRoot, let parent = directory.ancestors.first else { return }
        let status = directory.status
        let isRoot =
            status.isMountRoot || status.mountID != parent.mountID
            || (status.mountID == 0 && status.identity.device != parent.identity.device)
        // mutation: s11d-1
        guard isRoot else { return }
        throw Self.refused(
            area, "a volume is mounted there", "Name a directory on that volume.")
    }

    package static func refused(_ area: Area, _ why: String, _ advice: String) -> HeadroomError {
        HeadroomError(
            .refused,
            "\(area.root.displayText) cannot be a \(area.purgeClass.name) area: \(why). \(advice)")
    }

    /// Opens the root of an area, whose last component must not be a link.
    static func open(_ path: FilePath) throws(HeadroomError) -> ResolvedDirectory {
        guard !path.isEmpty else {
            throw HeadroomError(
                .invalid,
                "The path is empty. Name the directory; an unset variable in a script is "
                    + "the usual cause.")
        }
        guard path.isAbsolute else {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is not an absolute path. Name the directory from / on.")
        }
        do throws(Errno) {
            return try ResolvedDirectory(path, followingLast: false)
        } catch {
            guard error == .notDirectory || error == .tooManySymbolicLinkLevels else {
                throw HeadroomError("open", path, error)
            }
            if let target = path.linkTarget {
                throw HeadroomError(
                    .refused,
                    "\(path.displayText) is a link to \(target.displayText), and links are not "
                        + "followed. If you mean that directory, name it.")
            }
            throw HeadroomError(
                .invalid, "\(path.displayText) is not a directory. Name the directory it is in.")
        }
    }
}

/// An area that may be used, and the directory that it was when it was checked.
public struct ValidatedArea: Hashable, Sendable {
    /// With the plain path of its root, and the more protective class where a mark has one.
    public var area: Area
    /// Of the root: whoever opens it later compares identity and mount.
    public var status: FileStatus
    /// What the marks on the root and around it say, but for the class, which is in the area's.
    public var mark: Mark

    public init(area: Area, status: FileStatus, mark: Mark) {
        self.area = area
        self.status = status
        self.mark = mark
    }
}
