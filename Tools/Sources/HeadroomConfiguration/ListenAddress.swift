//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import SystemPackage

/// Where the service can be reached: from this machine only.
public enum ListenAddress: Hashable, Sendable {
    /// A port on a loopback address: `127.0.0.1`, `::1`.
    case loopback(host: String, port: Int)
    /// A socket in the file system.
    case socket(FilePath)
    /// The sockets that systemd hands over; not in a configuration, but in a socket unit.
    case systemd

    /// Reads an address as it stands in a configuration.
    ///
    /// - Throws: ``HeadroomError`` that says what would be one.
    public init(_ text: String, _ places: ConfigurationPlaces) throws(HeadroomError) {
        do throws(ConfigurationValueError) {
            self = try Self.read(text, places)
        } catch {
            throw HeadroomError(.invalid, "\(error.what). \(error.advice)")
        }
    }

    /// Reads `127.0.0.1:9105`, `[::1]:9105`, `localhost:9105`, or `unix:` and a path.
    static func read(
        _ text: String, _ places: ConfigurationPlaces
    ) throws(ConfigurationValueError) -> ListenAddress {
        if text.hasPrefix("unix:") {
            let path = try places.path(String(text.dropFirst(5)))
            // sockaddr_un has room for 108 bytes on Linux and 104 on macOS, with the NUL.
            guard path.string.utf8.count < 104 else {
                throw .init(
                    "the path of a socket may have 103 bytes, and this one has "
                        + "\(path.string.utf8.count)", "Choose a shorter one.")
            }
            return .socket(path)
        }
        let example = "Write 127.0.0.1:9105, [::1]:9105, or unix: and the path of a socket."
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { throw .init("“\(text)” has no port from 1 to 65535", example) }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        // mutation: r29g-2
        guard host == "::1" || isLoopback(host) else {
            throw .init(
                "“\(host)” is not a loopback address, and the service answers this machine only",
                "\(example) To reach it from elsewhere, put a proxy before it that asks who comes.")
        }
        return .loopback(host: host, port: port)
    }

    /// 127.0.0.0/8, in four numbers.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// As it stands in a file.
    public var description: String {
        switch self {
        case .loopback(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket(let path): "unix:\(path.displayText)"
        case .systemd: "systemd"
        }
    }
}
