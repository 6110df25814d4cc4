//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

/// How a walk goes.
package struct WalkOptions: Sendable {
    /// Enter other mounts, as `du` without `-x` does.
    package var crossesMounts = false
    /// Threads to start with; nil: one per processor.
    package var threads: Int?
    /// Threads to grow to while they mostly wait for the disk; nil: four per processor, at least
    /// eight. A cold cache wants more threads than processors.
    package var maximumThreads: Int?
    /// Descriptors to hold open at most; nil: a quarter of what the process may open. Deep trees
    /// with few are slower, not wrong.
    package var descriptorLimit: Int?
    /// Use the POSIX route although the system has a better one; for tests.
    package var usesPOSIXRoute = false

    package init() {}
}

/// What a walk found out besides what its sinks took.
package struct WalkResult: Sendable {
    package var totals: WalkTotals
    package var failures: [WalkFailure]
    /// False if it was cancelled.
    package var isComplete: Bool
    /// The largest number of threads that worked at once.
    package var threads: Int
}

/// Walks a directory tree with several threads.
package enum Walk {
    /// Walks the tree below an open directory.
    ///
    /// Blocks until it is done. Does not follow links, opens nothing but directories, uses no stack
    /// in proportion to depth, and about a quarter of the descriptors that the process may open.
    ///
    /// - Parameters:
    ///   - root: stays open and owned by the caller. A stream over it is read from its start.
    ///   - path: the root's path, for messages alone.
    ///   - makeSink: called once per worker, before it starts, on the calling thread or a worker's;
    ///     nil for totals only.
    package static func run(
        root: borrowing Descriptor, path: FilePath, options: WalkOptions = WalkOptions(),
        progress: WalkProgress = WalkProgress(), makeSink: (@Sendable () -> any WalkSink)? = nil
    ) throws(Errno) -> WalkResult {
        #if os(Linux)
        if !options.usesPOSIXRoute {
            return try run(LinuxCalls(), root, path, options, progress, makeSink)
        }
        #endif
        return try run(POSIXCalls(), root, path, options, progress, makeSink)
    }

    /// Walks by the given system calls; for tests that inject faults.
    package static func run<Calls: FileSystemCalls>(
        _ calls: Calls, _ root: borrowing Descriptor, _ path: FilePath, _ options: WalkOptions,
        _ progress: WalkProgress, _ makeSink: (@Sendable () -> any WalkSink)?
    ) throws(Errno) -> WalkResult {
        // A descriptor of our own: the caller's keeps its read position.
        let own = Descriptor(owning: try calls.openDirectory(beneath: root.rawValue, path: []))
        let status = try calls.status(of: own.rawValue)
        let state = WalkState(
            calls: calls, root: own.rawValue, status: status, path: path, options: options,
            progress: progress, makeSink: makeSink)
        return state.run()
    }
}

/// What the workers of a walk share.
// Unchecked for the pool alone, whose pointers are used before the first thread begins and after the last has ended; what
// changes while they run is atomic, or guarded by `crew` or by the queue's lock.
@safe final class WalkState<Calls: FileSystemCalls>: @unchecked Sendable {
    let calls: Calls
    let options: WalkOptions
    let progress: WalkProgress
    let queue: WalkQueue
    /// Device and mount of the root, which the walk stays on.
    let device: UInt64
    let mountID: UInt64
    let nextID = Atomic<UInt32>(0)

    private let root: Int32
    private let rootPath: FilePath
    private let makeSink: (@Sendable () -> any WalkSink)?
    private let openCount = Atomic<Int>(0)
    private let openLimit: Int
    private let maximumThreads: Int
    /// Holds the root's node, as long as the walk lasts.
    private var rootPool = WalkNodePool()
    private let crew = Mutex(Crew())

    private struct Crew {
        var workers: [WalkWorker<Calls>] = []
        var threads: [WorkerThread] = []
    }

    init(
        calls: Calls, root: Int32, status: FileStatus, path: FilePath, options: WalkOptions,
        progress: WalkProgress, makeSink: (@Sendable () -> any WalkSink)?
    ) {
        self.calls = calls
        self.root = root
        self.options = options
        self.progress = progress
        self.makeSink = makeSink
        rootPath = path
        device = status.identity.device
        mountID = status.mountID
        let processors = WorkerThread.processorCount
        maximumThreads = max(
            options.threads ?? processors, options.maximumThreads ?? max(8, 4 * processors))
        queue = WalkQueue(bufferLimit: 2 * maximumThreads)
        openLimit =
            options.descriptorLimit ?? DescriptorLimit.current.map { max(16, $0 / 4) } ?? 64
    }

    func run() -> WalkResult {
        let empty = FileName(unchecked: [])
        let node = unsafe empty.withEntryName { unsafe rootPool.make(parent: nil, name: $0) }
        unsafe node.pointee.descriptor = root
        // Held until the end, so that no worker recycles the node of this pool.
        unsafe node.pointee.references.add(1, ordering: .relaxed)
        unsafe queue.push(node, last: node, count: 1)

        let first = addWorker()
        for _ in 1..<max(1, options.threads ?? WorkerThread.processorCount) { startThread() }
        first.run()
        // Workers may add threads until the queue is over; then nobody does.
        while let thread = crew.withLock({ $0.threads.popLast() }) { thread.join() }
        // Taken out, since workers hold on to the walk.
        let workers = crew.withLock { crew in
            defer { crew.workers = [] }
            return crew.workers
        }
        return Self.sum(workers, isComplete: !progress.isCancelled)
    }

    private static func sum(_ workers: [WalkWorker<Calls>], isComplete: Bool) -> WalkResult {
        var totals = WalkTotals()
        var links = LinkTable()
        var failures: [WalkFailure] = []
        for worker in workers {
            totals.add(worker.totals)
            links.merge(worker.links)
            failures += worker.failures
        }
        for link in links.unique() {
            totals.allocated &+= link.allocated
            totals.logical &+= link.logical
        }
        return WalkResult(
            totals: totals, failures: failures, isComplete: isComplete, threads: workers.count)
    }

    private func addWorker() -> WalkWorker<Calls> {
        let worker = WalkWorker(walk: self, sink: makeSink?())
        queue.addWorker()
        crew.withLock { $0.workers.append(worker) }
        return worker
    }

    private func startThread() {
        let worker = addWorker()
        do {
            let thread = try WorkerThread { worker.run() }
            crew.withLock { $0.threads.append(thread) }
        } catch {
            // The system allows no more threads: those that run do the work.
            queue.removeWorker()
        }
    }

    /// Adds a thread if those that work mostly wait for the disk.
    func adapt(_ rhythm: inout WorkRhythm, after entries: Int) {
        guard rhythm.isWaiting(after: entries, queue: queue) else { return }
        let count = crew.withLock { $0.workers.count }
        if count < maximumThreads { startThread() }
    }

    /// Counts a descriptor in.
    ///
    /// - Returns: whether so many are open that this one should not wait for its children.
    func countOpened() -> Bool {
        // mutation: s13b-1
        openCount.add(1, ordering: .relaxed).newValue > openLimit
    }

    func close(_ descriptor: Int32) {
        openCount.subtract(1, ordering: .relaxed)
        _ = Descriptor(owning: descriptor)
    }

    func rootDescriptor(of node: WalkNode.Pointer) -> Int32 { root }

    func path(_ node: WalkNode.Pointer) -> FilePath {
        var path = rootPath
        for name in unsafe node.path { path.append(name) }
        return path
    }
}
