//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import SystemPackage

/// One thread of a walk: reads directories, stats entries, hands work to idle colleagues.
@safe final class WalkWorker<Calls: FileSystemCalls>: @unchecked Sendable {  // Of one thread.
    // The walk reads the results after joining it.

    /// Entries handed to the sink at once: enough to amortise the call, few enough for the cache.
    private static var batchLimit: Int { 256 }

    private let walk: WalkState<Calls>
    private let calls: Calls
    private let sink: (any WalkSink)?
    private let queue: WalkQueue
    private var pool = WalkNodePool()
    private var buffer: UnsafeMutableRawBufferPointer
    private let batch: UnsafeMutablePointer<WalkEntry>

    /// Directories that only this worker knows yet: a stack, so that the walk goes deep first and
    /// few descriptors are open.
    private var stack: WalkNode.Pointer?
    private var stackCount = 0

    private(set) var totals = WalkTotals()
    private(set) var links = LinkTable()
    private(set) var failures: [WalkFailure] = []
    private var reported = WalkTotals()
    private var rhythm = WorkRhythm()
    /// Whether only sums are wanted, of files that all lie on the device of the walk.
    private var needsExtentOnly: Bool

    init(walk: WalkState<Calls>, sink: (any WalkSink)?) {
        self.walk = walk
        calls = walk.calls
        self.sink = sink
        needsExtentOnly = sink == nil
        queue = walk.queue
        unsafe stack = nil
        unsafe buffer = .allocate(byteCount: WalkQueue.bufferSize, alignment: 16)
        unsafe batch = .allocate(capacity: sink == nil ? 1 : Self.batchLimit)
    }

    deinit {
        unsafe buffer.deallocate()
        unsafe batch.deallocate()
    }

    // MARK: - The loop

    func run() { DatalessRule.keepingAway(work) }

    private func work() {
        rhythm.skipWaits()
        while let work = next() {
            switch work {
            case .directory(let node): unsafe process(node)
            case .buffer(let job):
                unsafe statEntries(
                    UnsafeRawBufferPointer(rebasing: job.buffer[..<job.count]), of: job.node)
                unsafe queue.giveBack(job.buffer)
                unsafe leave(job.node)
                unsafe drop(job.node)
            }
            reportProgress()
            let entries = totals.files + totals.directories
            if rhythm.isDue(after: entries) { walk.adapt(&rhythm, after: entries) }
        }
        reportProgress()
    }

    private func next() -> WalkQueue.Work? {
        guard let node = unsafe stack else {
            var hasWaited = false
            defer { if hasWaited { rhythm.skipWaits() } }
            return queue.pop(&hasWaited)
        }
        unsafe stack = node.pointee.next
        stackCount -= 1
        if stackCount > 0, queue.idle.load(ordering: .relaxed) > 0 { shareStack() }
        return unsafe .directory(node)
    }

    /// Gives the older half of the stack away: it lies nearer to the root, so there is more below.
    private func shareStack() {
        let keep = stackCount / 2
        guard keep > 0, var last = unsafe stack else {
            if let node = unsafe stack {
                unsafe stack = nil
                stackCount = 0
                unsafe queue.push(node, last: node, count: 1)
            }
            return
        }
        for _ in 1..<keep {
            guard let next = unsafe last.pointee.next else { return }
            unsafe last = unsafe next
        }
        guard let first = unsafe last.pointee.next else { return }
        var end = unsafe first
        while let next = unsafe end.pointee.next { unsafe end = unsafe next }
        unsafe last.pointee.next = nil
        unsafe queue.push(first, last: end, count: stackCount - keep)
        stackCount = keep
    }

    private func reportProgress() {
        walk.progress.add(
            files: totals.files - reported.files,
            directories: totals.directories - reported.directories,
            allocated: totals.allocated - reported.allocated)
        reported = totals
    }

    // MARK: - Directories

    private func process(_ node: WalkNode.Pointer) {
        defer {
            unsafe leave(node)
            unsafe drop(node)
        }
        if walk.progress.isCancelled {
            if let parent = unsafe node.pointee.parent { unsafe leaveParent(parent) }
            return
        }
        guard let status = unsafe open(node) else { return }
        let descriptor = unsafe node.pointee.descriptor
        var parentID: UInt32?
        var parentTag: UInt64 = 0
        if let parent = unsafe node.pointee.parent {
            parentID = unsafe parent.pointee.id
            parentTag = unsafe parent.pointee.tag
        }
        let id = walk.nextID.wrappingAdd(1, ordering: .relaxed).oldValue
        unsafe node.pointee.id = id
        count(status)
        totals.directories &+= 1
        if let sink {
            let decision = sink.enter(
                WalkDirectory(
                    id: id, parentID: parentID, parentTag: parentTag, name: unsafe node.name,
                    status: status, descriptor: descriptor, failure: nil))
            unsafe node.pointee.tag = decision.tag
            guard decision.descends else { return }
        }
        if walk.progress.wantsPath { unsafe walk.progress.note(walk.path(node)) }
        do {
            var stream = try calls.openStream(descriptor)
            defer { calls.close(stream) }
            while !walk.progress.isCancelled {
                let count = try unsafe calls.read(&stream, into: buffer)
                guard count > 0 else { break }
                unsafe takeIn(count, of: node)
            }
        } catch .noSuchFileOrDirectory {
            // Removed since it was opened: it is as good as empty.
            totals.vanished &+= 1
        } catch {
            unsafe fail(error, "read", node, nil)
            unsafe sink?.fail(place(node), error)
        }
    }

    /// Opens a directory and takes its status; reports what cannot be opened.
    private func open(_ node: WalkNode.Pointer) -> FileStatus? {
        guard let parent = unsafe node.pointee.parent else {
            // A root comes with its descriptor.
            do {
                let status = try unsafe calls.status(of: node.pointee.descriptor)
                unsafe node.pointee.identity = status.identity
                return status
            } catch {
                unsafe fail(error, "stat", node, nil)
                return nil
            }
        }
        defer { unsafe leaveParent(parent) }
        do {
            let descriptor = try unsafe openChild(node, of: parent)
            unsafe node.pointee.descriptor = descriptor
            unsafe node.pointee.isTransient = walk.countOpened()
            let status = try calls.status(of: descriptor)
            // mutation: r14b-1/2
            guard walk.options.crossesMounts || status.identity.device == walk.device else {
                unsafe omit(node, of: parent, because: .otherFileSystem)
                return nil
            }
            unsafe node.pointee.identity = status.identity
            return status
        } catch .improperLink where !walk.options.crossesMounts {
            unsafe omit(node, of: parent, because: .otherFileSystem)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            // Gone, or replaced by something else, since its parent was read.
            totals.vanished &+= 1
        } catch {
            unsafe enterUnopened(node, of: parent, error)
        }
        return nil
    }

    private func openChild(
        _ node: WalkNode.Pointer, of parent: WalkNode.Pointer
    ) throws(Errno) -> Int32 {
        if unsafe !parent.pointee.isTransient {
            // mutation: r14b-1/1 (3 lines)
            return try unsafe calls.openDirectory(
                node.name, at: parent.pointee.descriptor,
                crossingMounts: walk.options.crossesMounts)
        }
        let outside = Descriptor(owning: try unsafe reopen(parent))
        return try unsafe calls.openDirectory(
            node.name, at: outside.rawValue, crossingMounts: walk.options.crossesMounts)
    }

    /// Opens a directory anew from the root, and makes sure that it is still the same.
    private func reopen(_ node: WalkNode.Pointer) throws(Errno) -> Int32 {
        let descriptor = Descriptor(
            owning: try unsafe calls.openDirectory(
                beneath: walk.rootDescriptor(of: node), path: node.path,
                crossingMounts: walk.options.crossesMounts))
        guard try unsafe calls.status(of: descriptor.rawValue).identity == node.pointee.identity
        else {
            throw .noSuchFileOrDirectory
        }
        return descriptor.release()
    }

    /// A directory that cannot be opened still has a size of its own.
    private func enterUnopened(
        _ node: WalkNode.Pointer, of parent: WalkNode.Pointer, _ error: Errno
    ) {
        // mutation: s12c-3
        unsafe fail(error, "open", node, nil)
        let descriptor: Int32
        var reopened: Descriptor?
        if unsafe parent.pointee.isTransient {
            guard let again = try? unsafe reopen(parent) else { return }  // Reported above.
            descriptor = again
            reopened = Descriptor(owning: again)
        } else {
            descriptor = unsafe parent.pointee.descriptor
        }
        // What fails here is the same directory again: reported above.
        guard let status = try? unsafe calls.status(of: node.name, at: descriptor) else { return }
        _ = consume reopened
        guard status.type == .directory else { return }
        guard walk.options.crossesMounts || status.identity.device == walk.device else { return }
        unsafe node.pointee.id = walk.nextID.wrappingAdd(1, ordering: .relaxed).oldValue
        count(status)
        totals.directories &+= 1
        guard let sink else { return }
        _ = unsafe sink.enter(
            WalkDirectory(
                id: node.pointee.id, parentID: parent.pointee.id, parentTag: parent.pointee.tag,
                name: node.name, status: status, descriptor: -1, failure: error))
    }

    private func omit(
        _ node: WalkNode.Pointer, of parent: WalkNode.Pointer, because omission: WalkOmission
    ) {
        totals.omitted &+= 1
        unsafe sink?.omit(node.name, in: place(parent), because: omission)
    }

    // MARK: - Entries

    /// Takes in a buffer of entries: subdirectories first, so that others can start on them.
    private func takeIn(_ count: Int, of node: WalkNode.Pointer) {
        let filled = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        unsafe pushSubdirectories(filled, of: node)
        if count >= 8 * 1024, queue.idle.load(ordering: .relaxed) > 0,
            let fresh = unsafe queue.takeBuffer()
        {
            unsafe node.pointee.users.add(1, ordering: .relaxed)
            unsafe node.pointee.references.add(1, ordering: .relaxed)
            unsafe queue.push(WalkQueue.Job(node: node, buffer: buffer, count: count))
            unsafe buffer = unsafe fresh
        } else {
            unsafe statEntries(filled, of: node)
        }
    }

    private func pushSubdirectories(_ filled: UnsafeRawBufferPointer, of parent: WalkNode.Pointer) {
        var entries = unsafe DirectoryEntries(filled)
        var first: WalkNode.Pointer? = nil
        var last: WalkNode.Pointer? = nil
        var count = 0
        while let entry = entries.next() {
            guard entry.type == .directory else { continue }
            let child = unsafe pool.make(parent: parent, name: entry.name)
            if unsafe last == nil { unsafe last = unsafe child }
            unsafe child.pointee.next = unsafe first
            unsafe first = unsafe child
            count += 1
        }
        guard let first = unsafe first, let last = unsafe last else { return }
        unsafe adopt(first, last, count, by: parent)
    }

    private func adopt(
        _ first: WalkNode.Pointer, _ last: WalkNode.Pointer, _ count: Int,
        by parent: WalkNode.Pointer
    ) {
        unsafe parent.pointee.references.add(count, ordering: .relaxed)
        if unsafe !parent.pointee.isTransient {
            unsafe parent.pointee.users.add(count, ordering: .relaxed)
        }
        unsafe last.pointee.next = unsafe stack
        unsafe stack = unsafe first
        stackCount += count
        if stackCount > 1, queue.idle.load(ordering: .relaxed) > 0 { shareStack() }
    }

    /// Stats the entries of a buffer that are not directories.
    private func statEntries(_ filled: UnsafeRawBufferPointer, of node: WalkNode.Pointer) {
        var entries = unsafe DirectoryEntries(filled)
        let parent = unsafe node.pointee.descriptor
        var batched = 0
        while let entry = entries.next() {
            if entry.type == .directory { continue }
            let status: FileStatus
            do {
                status = try examine(entry.name, at: parent)
                // mutation: r14c-1 (4 lines)
            } catch .noSuchFileOrDirectory {
                totals.vanished &+= 1
                continue
            } catch {
                // mutation: r14d-1
                unsafe fail(error, "stat", node, entry.name)
                // mutation: s12c-2
                unsafe sink?.omit(entry.name, in: place(node), because: .unreadable(error))
                continue
            }
            if status.type == .directory {
                // The file system does not tell types (DT_UNKNOWN), or it became one just now.
                let child = unsafe pool.make(parent: node, name: entry.name)
                unsafe adopt(child, child, 1, by: node)
                continue
            }
            guard isHere(status) else {
                totals.omitted &+= 1
                unsafe sink?.omit(entry.name, in: place(node), because: .otherFileSystem)
                continue
            }
            totals.files &+= 1
            // A large directory takes as long as many small ones.
            if totals.files & 127 == 0 { reportProgress() }
            if status.linkCount > 1 {
                links.append(
                    LinkTable.Link(
                        identity: status.identity, allocated: status.allocatedSize.bytes,
                        logical: Self.logical(status)))
            } else {
                count(status)
            }
            if sink != nil {
                unsafe (batch + batched).initialize(to: WalkEntry(name: entry.name, status: status))
                batched &+= 1
                if batched == Self.batchLimit {
                    unsafe deliver(batched, of: node)
                    batched = 0
                }
            }
        }
        if batched > 0 { unsafe deliver(batched, of: node) }
    }

    /// Asks for no more than is needed: a mount only where the device says that it matters.
    @inline(__always)
    private func examine(_ name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        guard needsExtentOnly else { return try calls.status(of: name, at: parent) }
        let status = try calls.extent(of: name, at: parent)
        if status.identity.device == walk.device || walk.options.crossesMounts { return status }
        // An overlay, most likely, all of whose files would be asked for twice.
        needsExtentOnly = false
        return try calls.status(of: name, at: parent)
    }

    private func deliver(_ count: Int, of node: WalkNode.Pointer) {
        unsafe sink?.take(UnsafeBufferPointer(start: batch, count: count), of: place(node))
        unsafe batch.deinitialize(count: count)
    }

    /// Whether a file lies on the file system of the walk. On overlayfs a file's device may differ
    /// from its directory's, so a file is elsewhere only if its mount differs too.
    @inline(__always)
    private func isHere(_ status: FileStatus) -> Bool {
        // mutation: r14b-1/3 (2 lines)
        status.identity.device == walk.device || walk.options.crossesMounts
            || (status.mountID != 0 && status.mountID == walk.mountID)
    }

    @inline(__always)
    private func count(_ status: FileStatus) {
        totals.allocated &+= status.allocatedSize.bytes
        totals.logical &+= Self.logical(status)
    }

    @inline(__always)
    private static func logical(_ status: FileStatus) -> Int64 {
        status.type == .regular || status.type == .symbolicLink ? status.logicalSize.bytes : 0
    }

    private func place(_ node: WalkNode.Pointer) -> WalkPlace {
        unsafe WalkPlace(
            id: node.pointee.id, tag: node.pointee.tag, device: node.pointee.identity.device,
            descriptor: node.pointee.descriptor)
    }

    private func fail(
        _ error: Errno, _ operation: StaticString, _ node: WalkNode.Pointer, _ name: EntryName?
    ) {
        totals.errors &+= 1
        guard failures.count < WalkFailure.limit else { return }
        var path = unsafe walk.path(node)
        if let name { path.append(name.owned) }
        failures.append(WalkFailure(path: path, operation: "\(operation)", error: error))
    }

    // MARK: - Lifetimes

    /// A user of the directory's descriptor is done with it.
    private func leave(_ node: WalkNode.Pointer) {
        guard unsafe node.pointee.users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        else { return }
        let descriptor = unsafe node.pointee.descriptor
        guard descriptor >= 0, unsafe node.pointee.parent != nil else { return }
        unsafe node.pointee.descriptor = -1
        walk.close(descriptor)
    }

    /// A child has been opened, or will not be.
    private func leaveParent(_ parent: WalkNode.Pointer) {
        if unsafe !parent.pointee.isTransient { unsafe leave(parent) }
    }

    /// A reference to a node goes; the last one takes the node along, and its own to the parent.
    private func drop(_ node: WalkNode.Pointer) {
        var node = unsafe node
        while unsafe node.pointee.references
            .subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        {
            let parent = unsafe node.pointee.parent
            unsafe pool.recycle(node)
            guard let parent = unsafe parent else { return }
            unsafe node = unsafe parent
        }
    }
}
