//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A program that a test runs, watches and, where it must, kills.
///
/// The child inherits nothing but its standard input, which is `/dev/null`, and what is captured of
/// its output. A child whose owner goes away is killed and reaped. Everything blocks. One thread at
/// a time uses a value of this type.
///
///     let child = try ChildProcess("headroom", ["lease", path, "--", "cat"])
///     try child.readOutput(until: "leased")
///     child.send(SIGKILL)
///     let result = try child.wait()
public final class ChildProcess {
    /// What becomes of the child's output.
    public enum Output: Sendable {
        /// Standard output and error are kept apart, and returned by ``ChildProcess/wait()``.
        case captured
        /// Both go to `/dev/null`.
        case discarded
        /// Both go where this process's go.
        case inherited
    }

    /// The number the system knows the child by.
    public let processID: Int32
    /// What the child has written to its standard output so far, as far as it was read.
    public private(set) var standardOutput: [UInt8] = []
    /// What the child has written to its standard error so far, as far as it was read.
    public private(set) var standardError: [UInt8] = []

    private let started: timespec
    private var pipes: [Int32]
    private var result: ChildResult?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked up in `PATH`.
    ///   - environment: variables set in addition to this process's; nil removes one.
    ///   - directory: the working directory; this process's, if nil.
    /// - Throws: ``FixtureError`` if there is no such program.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
        directory: FilePath? = nil, output: Output = .captured
    ) throws {
        var outputs: [ChildPipe] = []
        if case .captured = output { outputs = [try ChildPipe(), try ChildPipe()] }
        defer { for pipe in outputs { _ = close(pipe.writing) } }
        let started = Self.now()
        do {
            processID = try ChildSpawn(
                program: program, arguments: arguments, environment: environment,
                directory: directory, output: output, pipes: outputs
            ).run()
        } catch {
            for pipe in outputs { _ = close(pipe.reading) }
            throw error
        }
        self.started = started
        pipes = outputs.map(\.reading)
    }

    deinit {
        if result == nil {
            _ = kill(processID, SIGKILL)
            while waitpid(processID, nil, 0) < 0, errno == EINTR {}
        }
        for pipe in pipes where pipe >= 0 { _ = close(pipe) }
    }

    /// Runs a program to its end.
    public static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:],
        directory: FilePath? = nil, output: Output = .captured
    ) throws -> ChildResult {
        try ChildProcess(
            program, arguments, environment: environment, directory: directory, output: output
        ).wait()
    }

    /// Sends a signal, unless the child was already waited for.
    public func send(_ signal: Int32) {
        if result == nil { _ = kill(processID, signal) }
    }

    /// Reads the captured output until a text appears in standard output.
    ///
    /// - Returns: false if the output ended without it.
    /// - Parameter patience: how many milliseconds may pass in which nothing is written.
    /// - Throws: ``FixtureError`` also when nothing is written for so long.
    @discardableResult
    public func readOutput(until text: String, patience: Int32 = 300_000) throws -> Bool {
        let wanted = Array(text.utf8)
        while true {
            if standardOutput.contains(wanted) { return true }
            if pipes.first == -1 || pipes.isEmpty { return false }
            if !(try readMore(patience: patience)) { return standardOutput.contains(wanted) }
        }
    }

    /// Reads the rest of the output and waits for the end.
    @discardableResult
    public func wait() throws -> ChildResult {
        if let result { return result }
        while try readMore() {}
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(processID, &status, 0, &usage) < 0 {
            guard errno == EINTR else {
                throw FixtureError("wait4", on: "\(processID)", errno: Errno(rawValue: errno))
            }
        }
        let ended = Self.now()
        let result = ChildResult(
            status: status, standardOutput: standardOutput, standardError: standardError,
            usage: usage, wallTime: Self.duration(ended) - Self.duration(started))
        self.result = result
        return result
    }

    /// Reads what one of the pipes has; false when both have ended.
    ///
    /// - Parameter patience: in milliseconds; -1: without end.
    private func readMore(patience: Int32 = -1) throws -> Bool {
        var polled: [pollfd] = []
        for pipe in pipes { polled.append(pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)) }
        guard pipes.contains(where: { $0 >= 0 }) else { return false }
        let ready = unsafe poll(&polled, nfds_t(polled.count), patience)
        guard ready >= 0 else {
            if errno == EINTR { return true }
            throw FixtureError("poll", on: "\(processID)", errno: Errno(rawValue: errno))
        }
        guard ready > 0 else {
            throw FixtureError(
                "waiting for output", on: "\(processID)",
                details: "last: " + String(decoding: standardOutput.suffix(4_000), as: UTF8.self))
        }
        for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe read(polled[index].fd, &buffer, buffer.count)
            if count > 0 {
                if index == 0 {
                    standardOutput += buffer[..<count]
                } else {
                    standardError += buffer[..<count]
                }
            } else if count == 0 || errno != EINTR {
                _ = close(pipes[index])
                pipes[index] = -1
            }
        }
        return true
    }

    private static func now() -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time
    }

    private static func duration(_ time: timespec) -> Duration {
        .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A pipe whose ends are closed in every child.
struct ChildPipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw FixtureError("pipe", on: "a child", errno: Errno(rawValue: errno))
        }
        reading = ends[0]
        writing = ends[1]
    }
}
