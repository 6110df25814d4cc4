//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import Synchronization
import SystemPackage

/// A watch on one of the kernel's queues, which a thread of its own keeps from running over.
///
/// The thread sleeps while nothing happens. What was done before take() is in the queue by then, so
/// it is read there and then: there is nothing to wait for.
@safe
final class QueueWatch<Source: EventSource>: ChangeWatch, @unchecked Sendable {  // By `lock`:
    // `source`, `collector` and `buffer` are touched only by who holds it.
    private let lock = ConditionLock()
    private var source: Source
    private var collector = ChangeCollector()
    private let buffer: UnsafeMutableRawBufferPointer
    private var isClosed = false
    /// Closing it tells the thread to end.
    private let stopper = Mutex<Int32>(-1)
    private var thread: WorkerThread?

    /// What the thread waits on; it may outlive the watch by a moment.
    private final class Ends: Sendable {
        let queue: Descriptor
        /// Readable once the thread is to end.
        let stop: Descriptor

        init(queue: consuming Descriptor, stop: consuming Descriptor) {
            self.queue = queue
            self.stop = stop
        }
    }

    private static var bufferSize: Int { 64 * 1024 }
    /// How long the thread waits for more before it looks again, in milliseconds: many small reads
    /// cost more than one. The queue of inotify holds 16,384 events.
    private static var pause: Int32 { 20 }
    /// After so many events at once it does not wait.
    private static var busy: Int { 2048 }

    init(_ source: Source) throws(Errno) {
        self.source = source
        unsafe buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
        let queue = Descriptor(owning: source.descriptor)
        var ends: (Int32, Int32) = (-1, -1)
        let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            // Two numbers, as pipe2 wants them.
            unsafe hr_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard result == 0 else { throw .current }
        let shared = Ends(queue: queue, stop: Descriptor(owning: ends.0))
        stopper.withLock { $0 = ends.1 }
        // Ends when `close` is called, which the last owner does.
        thread = try WorkerThread { [weak self] in
            while Self.waitForEvents(shared), self?.readAhead(shared) == true {}
        }
    }

    deinit {
        close()
        unsafe buffer.deallocate()
    }

    var mechanism: WatchMechanism { Source.mechanism }

    func watch(_ directory: Int32, as id: UInt32) throws(Errno) {
        lock.lock()
        defer { lock.unlock() }
        // The thread must not meet events of a directory that it does not know yet.
        try source.add(directory, as: id)
    }

    func forget(_ id: UInt32) {
        lock.lock()
        defer { lock.unlock() }
        if !isClosed { source.remove(id) }
    }

    func take() -> ChangeBatch {
        lock.lock()
        defer { lock.unlock() }
        if !isClosed { _ = readAll() }
        return collector.take()
    }

    func close() {
        lock.lock()
        isClosed = true
        let thread = self.thread
        self.thread = nil
        lock.unlock()
        let end = stopper.withLock { end in
            defer { end = -1 }
            return end
        }
        if end >= 0 { _ = Glibc.close(end) }
        guard let thread else { return }
        // The last owner may be the thread itself, which cannot wait for its own end.
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    // MARK: - The thread

    /// - Returns: false when it is time to end.
    private static func waitForEvents(_ ends: Ends) -> Bool {
        var waited = (
            pollfd(fd: ends.queue.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.stop.rawValue, events: Int16(POLLIN), revents: 0)
        )
        let result = unsafe withUnsafeMutableBytes(of: &waited) { bytes in
            // Two records side by side.
            unsafe poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, -1)
        }
        if result < 0 { return errno == EINTR }
        return waited.1.revents == 0
    }

    private func readAhead(_ ends: Ends) -> Bool {
        lock.lock()
        let count = isClosed ? 0 : readAll()
        let goesOn = !isClosed
        lock.unlock()
        guard goesOn, count < Self.busy else { return goesOn }
        var waited = pollfd(fd: ends.stop.rawValue, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waited, 1, Self.pause)
        return waited.revents == 0
    }

    /// Reads until the queue is empty.
    ///
    /// - Returns: the number of events.
    private func readAll() -> Int {
        var events = 0
        while true {
            let count = unsafe read(source.descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if count < 0, errno != EAGAIN { collector.lose() }
                return events
            }
            // In bounds: so many were read.
            let filled = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            events += unsafe source.parse(filled, into: &collector)
            // A writer faster than this would keep it here for ever.
            if events > 1 << 22 {
                collector.lose()
                return events
            }
        }
    }
}

extension WorkerThread {
    fileprivate var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }
}
#endif
