//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What idle workers take from busy ones: directories to read and buffers of entries to stat.
@safe final class WalkQueue: @unchecked Sendable {  // Guarded by `lock`, or atomic.

    /// A full buffer of a wide directory, handed over to be statted by another worker.
    @safe struct Job {
        let node: WalkNode.Pointer
        let buffer: UnsafeMutableRawBufferPointer
        let count: Int
    }

    @safe enum Work {
        case directory(WalkNode.Pointer)
        case buffer(Job)
    }

    private let lock = ConditionLock()
    private var directories: WalkNode.Pointer?
    private var directoryCount = 0
    private var jobs: [Job] = []
    private var spareBuffers: [UnsafeMutableRawBufferPointer] = unsafe []
    private var bufferCount = 0
    private let bufferLimit: Int
    private var workers = 0
    private var waiting = 0
    private var isOver = false

    /// How many workers have nothing to do; read without the lock, as a hint.
    let idle = Atomic<Int>(0)

    static let bufferSize = 64 * 1024

    init(bufferLimit: Int) {
        unsafe directories = nil
        self.bufferLimit = bufferLimit
    }

    deinit {
        unsafe spareBuffers.forEach { unsafe $0.deallocate() }
    }

    func addWorker() {
        lock.lock()
        workers += 1
        lock.unlock()
    }

    /// A worker leaves although there is work, because there are more workers than help.
    func removeWorker() {
        lock.lock()
        workers -= 1
        lock.unlock()
    }

    /// Hands over a chain of directories, linked by `next`.
    func push(_ first: WalkNode.Pointer, last: WalkNode.Pointer, count: Int) {
        lock.lock()
        unsafe last.pointee.next = unsafe directories
        unsafe directories = unsafe first
        directoryCount += count
        if count > 1 { lock.broadcast() } else { lock.signal() }
        lock.unlock()
    }

    func push(_ job: Job) {
        lock.lock()
        jobs.append(job)
        lock.signal()
        lock.unlock()
    }

    /// Waits for work.
    ///
    /// - Parameter hasWaited: set if there was none at once.
    /// - Returns: nil when all workers wait, which means that the walk is over.
    func pop(_ hasWaited: inout Bool) -> Work? {
        lock.lock()
        defer { lock.unlock() }
        hasWaited = false
        defer {
            if hasWaited {
                waiting -= 1
                idle.subtract(1, ordering: .relaxed)
            }
        }
        while true {
            if let job = jobs.popLast() { return .buffer(job) }
            if let node = unsafe directories {
                unsafe directories = node.pointee.next
                directoryCount -= 1
                return unsafe .directory(node)
            }
            if isOver { return nil }
            if !hasWaited {
                hasWaited = true
                waiting += 1
                idle.add(1, ordering: .relaxed)
            }
            if waiting == workers {
                isOver = true
                lock.broadcast()
                return nil
            }
            lock.wait()
        }
    }

    /// A buffer to read into while another one is with a job.
    ///
    /// - Returns: nil when enough are under way: the caller does the work itself.
    func takeBuffer() -> UnsafeMutableRawBufferPointer? {
        lock.lock()
        defer { lock.unlock() }
        if let buffer = unsafe spareBuffers.popLast() { return unsafe buffer }
        guard bufferCount < bufferLimit else { return nil }
        bufferCount += 1
        return .allocate(byteCount: Self.bufferSize, alignment: 16)
    }

    func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
        lock.lock()
        unsafe spareBuffers.append(buffer)
        lock.unlock()
    }
}
