//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage

/// A machine on which system calls do what they do, and take as long as it says by a clock of its own:
/// what a progress shows can be compared with the work, whatever else the real machine is doing.
final class VirtualMachine: Sendable {
    /// In seconds.
    struct Costs: Sendable {
        var open = 3e-6
        var name = 0.3e-6
        var status = 0.8e-6
        var attribute = 0.5e-6
        var remove = 7e-6
        var removeDirectory = 10e-6
        var byte = 0.15e-9
        /// Waiting for the disk, when an entry is examined for the first time.
        var cold = 0.0
        var rename = 20e-6

        static func * (costs: Costs, factor: Double) -> Costs {
            var costs = costs
            costs.open *= factor
            costs.name *= factor
            costs.status *= factor
            costs.attribute *= factor
            costs.remove *= factor
            costs.removeDirectory *= factor
            costs.byte *= factor
            costs.rename *= factor
            return costs
        }
    }

    struct Sample {
        var time: Double
        var fraction: Double
    }

    private struct State {
        var calls = 0
        var samples: [Sample] = []
        var known: Set<FileIdentity> = []
    }
    /// Held while time passes, and while the progress is looked at: so that a thread that has to wait
    /// for the real machine in between sees no other time than the one that it looks at.
    private let state = Mutex(State())
    /// Seconds, changed under the lock, and read without it: whoever is asked for the progress asks back.
    private let now = Atomic<UInt64>(0)
    private let processor = Atomic<UInt64>(0)
    private let progress = Mutex<CleanUpTaskProgress?>(nil)
    let costs: Costs
    /// A look at the progress after so many calls.
    private let stride: Int

    /// Told of each removal: how many there were.
    private let didRemove: @Sendable (Int) -> Void
    private let removalCount = Atomic<Int>(0)

    init(
        _ costs: Costs, stride: Int = 97, didRemove: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.costs = costs
        self.stride = stride
        self.didRemove = didRemove
    }

    var removals: Int { removalCount.load(ordering: .relaxed) }

    fileprivate func noteRemoval() {
        didRemove(removalCount.add(1, ordering: .relaxed).newValue)
    }

    var clock: CleanUpClock {
        CleanUpClock(
            now: { Self.read(self.now) }, processor: { Self.read(self.processor) })
    }

    func watch(_ progress: CleanUpTaskProgress) { self.progress.withLock { $0 = progress } }

    private static func read(_ clock: borrowing Atomic<UInt64>) -> Double {
        Double(bitPattern: clock.load(ordering: .acquiring))
    }

    func spend(_ seconds: Double, waiting: Double = 0) {
        let progress = progress.withLock { $0 }
        state.withLock { state in
            let now = Self.read(now) + seconds + waiting
            self.now.store(now.bitPattern, ordering: .releasing)
            processor.store(
                (Self.read(processor) + seconds).bitPattern, ordering: .releasing)
            state.calls += 1
            guard state.calls.isMultiple(of: stride), let progress else { return }
            state.samples.append(Sample(time: now, fraction: progress.fraction))
        }
    }

    func look() {
        guard let progress = progress.withLock({ $0 }) else { return }
        state.withLock { state in
            state.samples.append(Sample(time: Self.read(now), fraction: progress.fraction))
        }
    }

    /// - Returns: whether an entry was not examined before.
    fileprivate func isNew(_ identity: FileIdentity) -> Bool {
        state.withLock { $0.known.insert(identity).inserted }
    }

    /// All looks, with the time as a part of the whole; in order of time.
    var samples: [Sample] {
        let all = Self.read(now)
        return state.withLock { state in
            state.samples.map { Sample(time: $0.time / all, fraction: $0.fraction) }
        }
    }
}

/// The system calls of a virtual machine.
struct TimedCalls: FileSystemCalls {
    let machine: VirtualMachine
    private let calls = NativeCalls.make()
    private var costs: VirtualMachine.Costs { machine.costs }

    init(_ machine: VirtualMachine) { self.machine = machine }

    func openDirectory(_ name: EntryName, at parent: Int32, crossingMounts: Bool) throws(Errno)
        -> Int32
    {
        machine.spend(costs.open)
        return try calls.openDirectory(name, at: parent, crossingMounts: crossingMounts)
    }

    func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        machine.spend(costs.open)
        return try calls.openDirectory(beneath: root, path: path, crossingMounts: crossingMounts)
    }

    func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32 {
        machine.spend(costs.open)
        return try calls.openFile(name, at: parent, writing: writing)
    }

    func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        let status = try calls.status(of: name, at: parent)
        let waiting = costs.cold > 0 && machine.isNew(status.identity) ? costs.cold : 0
        machine.spend(costs.status, waiting: waiting)
        return status
    }

    func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        machine.spend(costs.status)
        return try calls.status(of: descriptor)
    }

    func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        // What it frees decides what it costs; gone already is told by the removal.
        let bytes = (try? calls.status(of: name, at: parent))?.allocatedSize.bytes ?? 0
        let own = isDirectory ? costs.removeDirectory : costs.remove
        machine.spend(own + costs.byte * Double(bytes))
        try calls.remove(name, at: parent, isDirectory: isDirectory)
        machine.noteRemoval()
    }

    func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        machine.spend(costs.rename)
        try calls.rename(name, to: newName, at: parent)
    }

    func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        try calls.openStream(directory)
    }

    func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        let count = try unsafe calls.read(&stream, into: buffer)
        // An entry takes about 32 bytes.
        machine.spend(costs.name * Double(count) / 32)
        return count
    }

    func close(_ stream: DirectoryStream) { calls.close(stream) }

    func attribute(_ attribute: AttributeName, of name: EntryName, at parent: Int32) throws(Errno)
        -> [UInt8]?
    {
        machine.spend(costs.attribute)
        return try calls.attribute(attribute, of: name, at: parent)
    }

    func attribute(_ attribute: AttributeName, of descriptor: Int32) throws(Errno) -> [UInt8]? {
        machine.spend(costs.attribute)
        return try calls.attribute(attribute, of: descriptor)
    }
}
