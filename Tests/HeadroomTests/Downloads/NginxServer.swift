//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A test's own directory on a real server on this machine.
///
/// Below `slow/` it is sent at 300 kB a second, but for parts; `moved/` redirects; below `zipped/` it
/// is compressed for whoever allows it; `loop` redirects to itself.
struct NginxSite {
    static let isInstalled = Privilege.has(program: "nginx")

    /// What is served.
    let files: Tree
    private let server: NginxServer
    private let id = String(UInt64.random(in: .min ... .max), radix: 36)

    init() throws {
        server = try NginxServer.shared.get { try NginxServer() }
        let directory = TreePath("files/\(id)")
        try server.base.tree.directory(directory)
        files = Tree(root: server.base.tree.path(directory))
    }

    /// The path on the server, with the test's own directory in it.
    private func place(_ path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        if parts != ["loop"] {
            let isSpecial = ["slow", "moved", "zipped"].contains(parts.first ?? "")
            parts.insert(id, at: isSpecial ? 1 : 0)
        }
        return "/" + parts.joined(separator: "/")
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)\(place(path))") else {
            throw FixtureError("make", on: "a URL of \(path)")
        }
        return url
    }

    /// A request as the server has logged it, once it was answered.
    struct Request: Hashable {
        var path: String
        var status: Int
        var bodyBytes: Int
        var range: String
    }

    func requests(to path: String) throws -> [Request] {
        guard server.base.tree.exists("access.log") else { return [] }
        return String(decoding: try server.base.tree.contents(of: "access.log"), as: UTF8.self)
            .split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "\t").map(String.init)
                guard parts.count == 4, parts[0] == place(path) else { return nil }
                return Request(
                    path: parts[0], status: Int(parts[1]) ?? 0, bodyBytes: Int(parts[2]) ?? 0,
                    range: parts[3])
            }
    }
}

/// The server itself; it ends with the value.
private final class NginxServer {
    static let shared = SharedServer<NginxServer>()

    let port: UInt16
    let base: TemporaryDirectory
    private let process: ChildProcess

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.directory("files")
        // Its worker must get there when it is started as root.
        try base.tree.setPermissions(0o755, of: TreePath())
        var attempts = 0
        while true {
            let port = try FreePort.find()
            try base.tree.file("nginx.conf", text: Self.configuration(base.path, port))
            let process = try ChildProcess(
                Privilege.has(program: "nginx") ? "/usr/sbin/nginx" : "nginx",
                ["-p", base.path.string, "-c", base.path.appending("nginx.conf").string])
            // It listens before it says so.
            if try process.readOutput(until: "getrlimit") {
                self.port = port
                self.process = process
                return
            }
            attempts += 1
            guard attempts < 5 else {
                throw FixtureError(
                    "start", on: "nginx",
                    details: String(decoding: process.standardError, as: UTF8.self))
            }
        }
    }

    private static func configuration(_ base: FilePath, _ port: UInt16) -> String {
        """
        daemon off;
        master_process off;
        worker_processes 1;
        pid \(base)/pid;
        error_log /dev/stdout notice;
        events { worker_connections 64; }
        http {
            log_format tabs "$uri\t$status\t$body_bytes_sent\t$http_range";
            access_log \(base)/access.log tabs;
            client_body_temp_path \(base)/body;
            proxy_temp_path \(base)/proxy;
            fastcgi_temp_path \(base)/fastcgi;
            uwsgi_temp_path \(base)/uwsgi;
            scgi_temp_path \(base)/scgi;
            map $http_range $rate { "" 300k; default 0; }
            types { text/plain txt; }
            server {
                listen 127.0.0.1:\(port);
                root \(base)/files;
                location /slow/ { alias \(base)/files/; limit_rate $rate; }
                location /zipped/ { alias \(base)/files/; gzip on; gzip_min_length 1; }
                location /moved/ { rewrite ^/moved/(.*)$ /$1 redirect; }
                location = /loop { return 302 /loop; }
            }
        }
        """
    }
}

enum FreePort {
    /// A port that nobody listens on at the moment.
    static func find() throws -> UInt16 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard descriptor >= 0, result else {
            throw FixtureError("bind", on: "a port", errno: Errno(rawValue: errno))
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
