//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A socket on which systemd listens for this service already, and which outlives it (`sd_listen_fds(3)`).
public struct InheritedSocket: Sendable {
    let descriptor: Int32
    /// As a person knows it.
    let place: String

    /// The first that is handed over; the others follow it.
    private static let first: Int32 = 3
    private static let most = 64

    /// Whether systemd hands sockets over to this process.
    ///
    /// - Parameter environment: with `LISTEN_PID` and `LISTEN_FDS`, which are for one process alone.
    public static func areHandedOver(_ environment: [String: String]) -> Bool {
        count(environment, getpid()) > 0
    }

    private static func count(_ environment: [String: String], _ processID: Int32) -> Int32 {
        guard environment["LISTEN_PID"] == "\(processID)" else { return 0 }
        return environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0
    }

    /// The sockets of this process; none where none are handed over.
    ///
    /// - Parameter first: the number of the first descriptor.
    /// - Throws: ``HeadroomError`` where others than this machine could reach one.
    package static func all(
        _ environment: [String: String], processID: Int32 = getpid(), first: Int32 = first
    ) throws(HeadroomError) -> [InheritedSocket] {
        let count = count(environment, processID)
        guard count <= most else {
            throw HeadroomError(
                .invalid, "systemd hands over \(count) sockets, and \(most) is the most.")
        }
        var sockets: [InheritedSocket] = []
        for descriptor in first..<(first + max(0, count)) {
            // Programs that this one starts do not get it.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            sockets.append(
                InheritedSocket(descriptor: descriptor, place: try place(of: descriptor)))
        }
        return sockets
    }

    /// A descriptor of its own for a server that closes it.
    func duplicate() throws(HeadroomError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw HeadroomError(
                .io, "Could not use the socket \(place): \(Errno(rawValue: errno)).")
        }
        return copy
    }

    // MARK: - Checking

    private static func place(of descriptor: Int32) throws(HeadroomError) -> String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard named == 0, option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw HeadroomError(
                .invalid,
                "Descriptor \(descriptor), which systemd hands over, is no socket that takes connections. "
                    + "Write ListenStream= and Accept=no in headroom.socket.")
        }
        switch Int32(storage.ss_family) {
        case AF_UNIX:
            return "socket \(descriptor)"
        case AF_INET:
            let (address, port) = unsafe withUnsafePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe (
                        UInt32(bigEndian: $0.pointee.sin_addr.s_addr),
                        UInt16(bigEndian: $0.pointee.sin_port)
                    )
                }
            }
            let bytes = [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
            guard address >> 24 == 127 else { throw foreign("\(bytes):\(port)") }
            return "\(bytes):\(port)"
        case AF_INET6:
            let (address, port) = unsafe withUnsafePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    var address = unsafe $0.pointee.sin6_addr
                    let bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
                    return unsafe (bytes, UInt16(bigEndian: $0.pointee.sin6_port))
                }
            }
            guard address == Array(repeating: 0, count: 15) + [1] else {
                throw foreign("an address of IPv6 that is not [::1], port \(port)")
            }
            return "[::1]:\(port)"
        default:
            throw foreign("a socket of the family \(storage.ss_family)")
        }
    }

    private static func foreign(_ place: String) -> HeadroomError {
        HeadroomError(
            .refused,
            "systemd listens on \(place) for this service, which answers this machine only. Write "
                + "ListenStream=127.0.0.1:9105, [::1]:9105 or a path in headroom.socket.")
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 else {
            return nil
        }
        return value
    }
}
