//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Walks what was named: how much it is, and whether something in it is pinned or leased.
struct DisposalSurvey {
    private let calls: any FileSystemCalls
    private let marks: any MarkSource
    /// Of all that was named, and of what is looked through now.
    private(set) var tally = DisposalTally()
    private var own = DisposalTally()

    /// What one named thing is.
    struct Finding {
        var allocated: Int64 = 0
        var files = 0
        /// Stands for the files and directories in it: which they are, and what of files whoever writes them
        /// changes. A pin or a new name changes nothing of it.
        var evidence: UInt64 = 0
        /// Why it may not go; nil: nothing speaks against it.
        var obstacle: Reason?
    }

    init(marks: any MarkSource, calls: any FileSystemCalls) {
        self.marks = marks
        self.calls = calls
    }

    /// Looks through one named thing. Opens no file but to ask for a lock.
    mutating func add(
        _ name: FileName, at parent: Int32, _ status: FileStatus, outer: Mark
    ) throws(Errno) -> Finding {
        var finding = Finding()
        own = DisposalTally()
        let state = ParentGuard.acquire(parent).state
        switch state {
        case .exclusive, .withoutLocks, .shared: break
        case .leasedWhole, .heldExclusively, .undecidable:
            finding.obstacle = Reason(
                .leased, "The directory that it lies in is leased, or locked with flock.")
        }
        if status.type == .directory {
            let root = Descriptor(
                owning: try name.withEntryName { (entry) throws(Errno) in
                    try calls.openDirectory(entry, at: parent, crossingMounts: false)
                })
            count(status, &finding)
            try walk(root.rawValue, outer, &finding)
        } else {
            try addFile(name, at: parent, status, outer, isProbed: state == .shared, &finding)
        }
        if finding.obstacle == nil { tally.add(own) }
        return finding
    }

    private mutating func count(_ status: FileStatus, _ finding: inout Finding) {
        let bytes = status.allocatedSize.bytes
        finding.files += 1
        finding.evidence &+= Self.evidence(of: status)
        let isFirst = !tally.knows(status) && !own.knows(status)
        own.add(status)
        if isFirst { finding.allocated &+= bytes }
    }

    /// Summed up, so that the order in which a directory lists them is no matter.
    private static func evidence(of status: FileStatus) -> UInt64 {
        // It guards against what happens, not against who wants to deceive: that could be done afterwards.
        var hasher = SipHasher(FingerprintKey(0, 0))
        hasher.combine(status.identity.device)
        hasher.combine(status.identity.inode)
        if status.type != .directory {
            hasher.combine(UInt64(bitPattern: status.logicalSize.bytes))
            hasher.combine(UInt64(bitPattern: status.modified.nanoseconds))
        }
        return hasher.finish()
    }

    private mutating func addFile(
        _ name: FileName, at parent: Int32, _ status: FileStatus, _ outer: Mark, isProbed: Bool,
        _ finding: inout Finding
    ) throws(Errno) {
        count(status, &finding)
        if status.isImmutable {
            finding.block(.immutable, "It is, or holds, something immutable or append-only.")
        }
        guard status.type == .regular else { return }
        try name.withEntryName { (entry) throws(Errno) in
            if let reading = marks.reading(ofFile: entry, at: parent, status),
                reading.isDamaged || reading.mark.inheriting(outer).isPinned == true
            {
                finding.block(
                    .pinned,
                    "It is, or holds, something that is pinned. Unpin it first: headroom mark --clear."
                )
            } else if outer.isPinned == true {
                finding.block(.pinned, "It, or a directory around it, is pinned.")
            }
            // Somebody leases an entry of this directory: is it this one?
            guard isProbed else { return }
            let file = Descriptor(
                owning: try calls.openFile(entry, at: parent, writing: false))
            if FileLock.tryExclusive(file.rawValue) == .refused {
                finding.block(.leased, "It is, or holds, something that is leased or locked.")
            }
            FileLock.unlock(file.rawValue)
        }
    }

    /// Goes through a directory, one descriptor at a time: depth costs no stack (safety invariant S13).
    private mutating func walk(
        _ root: Int32, _ outer: Mark, _ finding: inout Finding
    ) throws(Errno) {
        var pending: [(path: [FileName], mark: Mark)] = [([], outer)]
        while let next = pending.popLast() {
            let directory = Descriptor(
                owning: try calls.openDirectory(beneath: root, path: next.path))
            let status = try calls.status(of: directory.rawValue)
            var mark = next.mark
            if let reading = marks.reading(ofDirectory: directory.rawValue, status) {
                mark = reading.mark.inheriting(mark)
                if reading.isDamaged { mark.isPinned = true }
            }
            if mark.isPinned == true {
                finding.block(.pinned, "It is, or holds, something that is pinned.")
            }
            let state = ParentGuard.acquire(directory.rawValue).state
            switch state {
            case .exclusive, .withoutLocks, .shared: break
            case .leasedWhole, .heldExclusively, .undecidable:
                finding.block(.leased, "It is, or holds, something that is leased or locked.")
            }
            for name in try calls.names(in: directory.rawValue) {
                let member = try name.withEntryName { (entry) throws(Errno) in
                    try calls.status(of: entry, at: directory.rawValue)
                }
                guard member.type == .directory else {
                    try addFile(
                        name, at: directory.rawValue, member, mark, isProbed: state == .shared,
                        &finding)
                    continue
                }
                if member.isMountRoot || member.mountID != status.mountID {
                    finding.block(.mountPoint, "Another volume is mounted in it.")
                    continue
                }
                count(member, &finding)
                pending.append((next.path + [name], mark))
            }
        }
    }
}

extension DisposalSurvey.Finding {
    fileprivate mutating func block(_ code: Reason.Code, _ text: String) {
        if obstacle == nil { obstacle = Reason(code, text) }
    }
}
