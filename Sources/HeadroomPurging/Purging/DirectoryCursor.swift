//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Opens directories of an inventory by number, from the root of their scan downwards, and makes
/// sure of each on the way (safety invariants S2 and S3).
///
/// Each component is opened alone below its parent, follows no link and enters no mount; device and
/// inode must be those of the scan; marks are read again; a directory that somebody holds with
/// `LOCK_EX`, or has leased, is not entered. The open chain is kept, so that neighbours are cheap.
final class DirectoryCursor {
    private let inventory: Inventory
    private let calls: any FileSystemCalls
    private let markSource: (any MarkSource)?
    /// What colleagues hold; nil: there are none.
    private let claims: DirectoryClaims?
    /// The open chain, from the scan's root down; at most ``chainLimit``, then only its end.
    private var chain: [Link] = []
    /// Each of up to eight threads has a chain: together they keep half of what the process may have open, where that
    /// is 64 at least.
    private let chainLimit = DescriptorLimit.current.map { min(128, max(4, $0 / 16)) } ?? 16
    /// Why directories cannot be entered, for as long as the purge runs.
    private var closed: [UInt32: Reason] = [:]

    struct Link {
        let number: UInt32
        let descriptor: Int32
        let held: HeldMark

        var mark: Mark { held.mark }
    }

    init(
        inventory: Inventory, calls: any FileSystemCalls, markSource: (any MarkSource)?,
        claims: DirectoryClaims? = nil
    ) {
        self.claims = claims
        self.inventory = inventory
        self.calls = calls
        self.markSource = markSource
    }

    deinit { closeAll() }

    /// Starts at a root, which the caller has opened and checked and keeps open.
    func enter(root number: UInt32, descriptor: Int32, mark: HeldMark) {
        closeAll()
        chain = [Link(number: number, descriptor: descriptor, held: mark)]
    }

    enum Position {
        case open(Link)
        case refused(Reason)
    }

    /// Opens a directory below the current root. The descriptor stays the cursor's.
    ///
    /// The caller locks it before it removes anything, and calls ``close(_:because:)`` if that is
    /// refused; those on the way are asked here.
    func move(to number: UInt32) -> Position {
        var missing: [UInt32] = []
        var current = number
        while chain.lastIndex(where: { $0.number == current }) == nil {
            if let reason = closed[current] { return .refused(reason) }
            missing.append(current)
            let parent = inventory.directories[Int(current)].parent
            guard parent != DirectoryRecord.none else {
                return .refused(Reason(.failed, "It lies outside the directory being purged."))
            }
            current = parent
        }
        while let last = chain.last, last.number != current { pop() }
        if let reason = reopenLast() { return .refused(reason) }
        for next in missing.reversed() {
            if let reason = descend(to: next, isTarget: next == number) {
                closed[next] = reason
                return .refused(reason)
            }
        }
        guard let last = chain.last else {
            return .refused(Reason(.failed, "No directory is open."))
        }
        return .open(last)
    }

    /// Keeps a directory, and all below, from being entered again.
    func close(_ number: UInt32, because reason: Reason) {
        closed[number] = reason
        forget(number)
    }

    /// Closes a directory and all below, because it has gone or changed.
    func forget(_ number: UInt32) {
        guard let index = chain.firstIndex(where: { $0.number == number }), index > 0 else {
            return
        }
        while chain.count > index { pop() }
    }

    private func pop() {
        guard chain.count > 1, let last = chain.popLast() else { return }
        if last.descriptor >= 0 { _ = Descriptor(owning: last.descriptor) }
    }

    private func closeAll() {
        while chain.count > 1 { pop() }
        // The root's descriptor is the caller's.
        chain = []
    }

    /// Opens the end of the chain anew if it was closed to save descriptors.
    private func reopenLast() -> Reason? {
        guard let last = chain.last, last.descriptor < 0, let root = chain.first else { return nil }
        do {
            let descriptor = Descriptor(
                owning: try calls.openDirectory(
                    beneath: root.descriptor, path: inventory.components(ofDirectory: last.number)))
            let status = try calls.status(of: descriptor.rawValue)
            let record = inventory.directories[Int(last.number)]
            guard status.identity == record.identity, status.mountID == record.mountID else {
                return Reason(.changed, "Another directory is in its place.")
            }
            chain[chain.count - 1] = Link(
                number: last.number, descriptor: descriptor.release(), held: last.held)
            return nil
        } catch {
            return Self.reason(error)
        }
    }

    /// Opens one more component.
    ///
    /// - Returns: why it is not entered.
    private func descend(to number: UInt32, isTarget: Bool) -> Reason? {
        guard let parent = chain.last else { return Reason(.failed, "No directory is open.") }
        let record = inventory.directories[Int(number)]
        let opened: Int32
        do {
            opened = try record.name.withEntryName { (name) throws(Errno) in
                try calls.openDirectory(name, at: parent.descriptor, crossingMounts: false)
            }
        } catch {
            return Self.reason(error)
        }
        let descriptor = Descriptor(owning: opened)
        do {
            // mutation: s2b-1 (2 lines)
            let status = try calls.status(of: opened)
            guard status.identity == record.identity, status.mountID == record.mountID else {
                return Reason(.changed, "Another directory is in its place.")
            }
            let (mark, refusal) = check(opened, status, record, parent.held)
            if let refusal { return refusal }
            // mutation: s5c-1
            if !isTarget, let refusal = lockReason(number, opened) { return refusal }
            chain.append(Link(number: number, descriptor: descriptor.release(), held: mark))
        } catch {
            return Self.reason(error)
        }
        trim()
        return nil
    }

    /// Reads the mark again.
    private func check(
        _ descriptor: Int32, _ status: FileStatus, _ record: DirectoryRecord,
        _ outer: HeldMark
    ) -> (HeldMark, Reason?) {
        let reading = markSource?.reading(ofDirectory: descriptor, status)
        let held = inventory.mark(reading, status, of: record, in: outer)
        if reading?.isDamaged == true {
            return (held, Reason(.pinned, "Its mark cannot be read."))
        }
        // What was planned in a directory that was pinned then has its pin lifted, and is asked for it.
        // mutation: r9a-2 (0 lines)
        guard PackedMark(held.mark) == record.mark else {
            let reason =
                held.mark.isPinned == true
                ? Reason(.pinned, "It is pinned.") : Reason(.changed, "Its mark has changed.")
            return (held, reason)
        }
        return (held, nil)
    }

    /// Why a directory on the way may not be entered. Asked through the claims, also of a root: the
    /// threads share its descriptor, and asking with it would end a colleague's lock.
    func lockReason(_ number: UInt32, _ descriptor: Int32) -> Reason? {
        claims.map { $0.lockReason(number, descriptor) } ?? Self.lockReason(descriptor)
    }

    /// Why a directory on the way may not be entered: somebody holds it with `LOCK_EX`, or has leased
    /// it as a whole.
    static func lockReason(_ descriptor: Int32) -> Reason? {
        // Granted, nobody has any lock on it; a lease is a shared one.
        let exclusive = FileLock.tryExclusive(descriptor)
        defer { FileLock.unlock(descriptor) }
        guard exclusive == .refused else { return nil }
        guard FileLock.tryShared(descriptor) == .granted else {
            return Reason(.leased, "Somebody holds it locked, with all below.")
        }
        return FileLock.isMarkedWhole(descriptor)
            ? Reason(.leased, "It is leased, with all below.") : nil
    }

    /// Closes the upper part of a deep chain; its links stay, and are opened anew when needed.
    private func trim() {
        // mutation: s13b-2
        guard chain.count > chainLimit else { return }
        let index = chain.count - chainLimit
        guard index > 0, chain[index].descriptor >= 0 else { return }
        _ = Descriptor(owning: chain[index].descriptor)
        chain[index] = Link(number: chain[index].number, descriptor: -1, held: chain[index].held)
    }

    static func reason(_ error: Errno) -> Reason {
        switch error {
        case .noSuchFileOrDirectory: Reason(.vanished, "It is not there any more.")
        case .notDirectory, .tooManySymbolicLinkLevels:
            Reason(.changed, "Something else is in place of the directory.")
        case .improperLink: Reason(.mountPoint, "Another file system is mounted there.")
        case .permissionDenied, .notPermitted:
            Reason(.notPermitted, "The directory may not be opened: \(error).")
        default: Reason(.failed, "The directory could not be opened: \(error).")
        }
    }
}
