//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
import Synchronization
public import SystemPackage

/// Room that was made and is kept for its owner, until it is written, finished, or the process ends.
///
/// Processes that share a ledger do not count it as free. Others know nothing of it: to keep it from
/// them as well, name the destination when room is made, and the blocks are really taken: in a file
/// under a reserved name, ``file``, that becomes the destination when it is published.
public final class Reservation: Sendable {
    private struct State {
        var slot: ReservationSlot?
        var bytes: ByteCount
        var file: ReservedFile?
    }

    private let state: Mutex<State>
    /// What was purged to make the room; nil: there was enough.
    public let receipt: Receipt?
    /// What is to be written; nil if it was not named.
    public let destination: FilePath?
    /// Whether the blocks are really taken.
    public let isPreallocated: Bool

    init(_ slot: ReservationSlot?, _ bytes: ByteCount, file: ReservedFile?, receipt: Receipt?) {
        destination = file?.destination
        isPreallocated = file != nil && slot == nil
        state = Mutex(State(slot: slot, bytes: bytes, file: file))
        self.receipt = receipt
    }

    /// What is still reserved.
    public var bytes: ByteCount { state.withLock { $0.bytes } }

    /// Where the destination's content is to be put before it is published; nil without a
    /// destination, and when it was published or finished.
    ///
    /// Whoever opens it must not truncate it, which would give the blocks back.
    public var file: FilePath? { state.withLock { $0.file?.path } }

    /// Gives up a part that has been written: the volume counts it as used from now on.
    public func reduce(by written: ByteCount) {
        state.withLock { Self.reduce(&$0, by: written) }
    }

    private static func reduce(_ state: inout State, by written: ByteCount) {
        state.bytes = max(.zero, state.bytes - max(.zero, written))
        // If it cannot be told, others see less room than there is, which does no harm.
        try? state.slot?.set(state.bytes)
        if state.bytes == .zero { state.slot = nil }
    }

    /// Gives up what is left, and the blocks; what was written for a destination that has not been
    /// published is removed.
    public func finish() {
        state.withLock { state in
            state.bytes = .zero
            // mutation: r7d-2 (2 lines)
            state.slot = nil
            state.file = nil
        }
    }

    /// Replaces this process by a command, for which the room is kept as long as it lives, and its
    /// children with it unless they close what they inherit: as `flock(1)` does.
    ///
    /// - Parameter command: the program, looked up in `PATH`, and its arguments.
    /// - Throws: if the program cannot be started.
    public func execute(_ command: [String]) throws(HeadroomError) -> Never {
        guard let program = command.first, !program.isEmpty else {
            throw HeadroomError(.invalid, "Name the command that the room is for.")
        }
        let descriptors = state.withLock { $0.slot.map { [$0.descriptor] } ?? [] }
        let cause: Errno
        do throws(Errno) {
            try Execution.replaceProcess(command, inheriting: descriptors)
        } catch {
            cause = error
        }
        throw HeadroomError("run", FilePath(program), cause)
    }

    /// Appends to the content of the destination.
    ///
    /// - Throws: `invalid` if no destination was named, or it has been published; what the system
    ///   says. For want of space only if more is written than was reserved.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(HeadroomError) {
        try withFile("write to") { (state, file) throws(Errno) in
            unsafe try file.write(bytes)
            Self.reduce(&state, by: ByteCount(Int64(bytes.count)))
        }
    }

    /// Gives the content its name, in one step, and gives up what is left of the room.
    ///
    /// - Parameter isDurable: return when file and directory are on disk.
    /// - Returns: the destination.
    /// - Throws: `invalid` if no destination was named, or it has been published; what the system
    ///   says.
    @discardableResult
    public func publish(isDurable: Bool = false) throws(HeadroomError) -> FilePath {
        let path = try withFile("finish") { (state, file) throws(Errno) in
            try file.publish(isDurable: isDurable)
            state.file = nil
            return file.destination
        }
        finish()
        return path
    }

    /// Hands over the file, if it is for a destination.
    package func takeFile(for path: FilePath) -> NewFile? {
        state.withLock { state in
            guard let file = state.file, file.destination == path else { return nil }
            state.file = nil
            return file.file
        }
    }

    private func withFile<Result>(
        _ operation: String, _ body: (inout State, ReservedFile) throws(Errno) -> Result
    ) throws(HeadroomError) -> Result {
        let outcome: Swift.Result<Result, HeadroomError> = state.withLock { state in
            guard let file = state.file else {
                return .failure(
                    HeadroomError(
                        .invalid,
                        "This room has no file: name the destination when it is made, and write "
                            + "before it is published or finished."))
            }
            do throws(Errno) {
                return .success(try body(&state, file))
            } catch {
                return .failure(HeadroomError(operation, file.destination, error))
            }
        }
        return try outcome.get()
    }
}

/// The file that holds the blocks of what is to be written.
struct ReservedFile: Sendable {
    let destination: FilePath
    let file: NewFile

    /// - Throws: `EINVAL` if the path names no file; `ENOENT` if its directory is not there; `EISDIR`.
    init(for destination: FilePath) throws(Errno) {
        guard let name = destination.names.last, destination.isAbsolute else {
            throw .invalidArgument
        }
        let directory = try DirectoryCreation.existing(destination.removingLastComponent())
        let number = directory.rawValue
        let type = try? name.withEntryName { (entry) throws(Errno) in
            try NativeCalls.make().status(of: entry, at: number).type
        }
        if type == .directory { throw .isDirectory }
        self.destination = destination
        file = try NewFile(in: directory)
    }

    var path: FilePath {
        destination.removingLastComponent().appending(file.temporaryName)
    }

    func reserve(_ bytes: ByteCount) throws(Errno) {
        // mutation: r7d-1
        if bytes > .zero { try file.reserve(bytes.bytes) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        unsafe try file.write(bytes)
    }

    func publish(isDurable: Bool) throws(Errno) {
        guard let name = destination.names.last else { throw .invalidArgument }
        try file.releaseUnused()
        if isDurable { try file.synchronize() }
        try file.publish(as: file.place.entry(name.bytes[...]))
        if isDurable { try file.synchronizeDirectory() }
    }
}
