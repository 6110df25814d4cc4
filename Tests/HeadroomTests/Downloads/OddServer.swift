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

/// A test's own part of a server that does what real ones do only on bad days. Each path has its
/// own trouble; what is sent is ``content``.
struct OddSite {
    static let isPossible = Privilege.has(program: "python3")
    static let content = Data.pattern(200_000)
    static let otherContent = Data.pattern(200_000, seed: 3)

    private let server: OddServer
    private let id = String(UInt64.random(in: .min ... .max), radix: 36)

    init() throws { server = try OddServer.shared.get { try OddServer() } }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/\(path)/\(id)") else {
            throw FixtureError("make", on: "a URL of \(path)")
        }
        return url
    }

    /// Lets the second halves go that `gated` holds back.
    func openGate() throws { try server.base.tree.file("log.gate.\(id)", text: "") }

    /// For each request to a path, in order: its `Range`, or `-`; its `If-Range`; its `Authorization`.
    func requests(to path: String) throws -> [[String]] {
        guard server.base.tree.exists("log") else { return [] }
        let log = String(decoding: try server.base.tree.contents(of: "log"), as: UTF8.self)
        let wanted = "/\(path)/\(id)"
        let lines: [[String]] = log.split(separator: "\n").map { line in
            line.split(separator: "\t").map(String.init)
        }
        return lines.filter { $0.first == wanted }.map { Array($0.dropFirst()) }
    }
}

/// The server itself; it ends with the value.
private final class OddServer {
    static let shared = SharedServer<OddServer>()

    let port: Int
    let base: TemporaryDirectory
    private let process: ChildProcess

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.file("server.py", text: Self.program)
        process = try ChildProcess(
            "python3",
            [base.path.appending("server.py").string, base.path.appending("log").string])
        guard try process.readOutput(until: "ready"),
            let port = String(decoding: process.standardOutput, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) })
        else {
            throw FixtureError(
                "start", on: "the server",
                details: String(decoding: process.standardError, as: UTF8.self))
        }
        self.port = port
    }

    private static let program = #"""
        import gzip, os, sys, threading, time
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        def pattern(count, seed):
            return bytes((i // 7 + i * seed) & 255 for i in range(count))

        BODY, OTHER = pattern(200000, 1), pattern(200000, 3)
        HALF = len(BODY) // 2
        counts, lock = {}, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass

            def head(self, status, headers):
                self.send_response(status)
                for name, value in headers.items(): self.send_header(name, value)
                self.end_headers()

            def cut(self):
                self.wfile.flush()
                self.close_connection = True
                self.connection.shutdown(2)

            def whole(self, body, tag='"1"'):
                self.head(200, {"Content-Length": len(body), "ETag": tag} if tag
                    else {"Content-Length": len(body)})
                self.wfile.write(body)

            def half(self, tag='"1"'):
                self.head(200, {"Content-Length": len(BODY), "ETag": tag} if tag
                    else {"Content-Length": len(BODY)})
                self.wfile.write(BODY[:HALF])
                self.cut()

            def rest(self, start, tag='"1"', claimed=None):
                claimed = start if claimed is None else claimed
                self.head(206, {"Content-Length": len(BODY) - start, "ETag": tag,
                    "Content-Range": f"bytes {claimed}-{len(BODY)-1}/{len(BODY)}"})
                self.wfile.write(BODY[start:])

            def do_GET(self):
                path = self.path.split("?")[0]
                wanted = self.headers.get("Range", "-")
                with lock:
                    count = counts[path] = counts.get(path, 0) + 1
                    with open(sys.argv[1], "a") as log:
                        log.write("\t".join([path, wanted, self.headers.get("If-Range", "-"),
                            self.headers.get("Authorization", "-")]) + "\n")
                start = 0 if wanted == "-" else int(wanted[6:].rstrip("-"))
                name = path.strip("/").split("/")
                trouble = name[0]
                if trouble == "cut":
                    if count == 1: self.half()
                    else: self.rest(start)
                elif trouble == "always-cut":
                    self.head(206 if start else 200, {"Content-Length": len(BODY) - start,
                        "ETag": '"1"', "Content-Range":
                        f"bytes {start}-{len(BODY)-1}/{len(BODY)}"})
                    self.wfile.write(BODY[start:start + 20000])
                    self.cut()
                elif trouble == "stall-once" and start: self.rest(start)
                elif trouble in ("stall", "stall-once"):
                    self.head(200, {"Content-Length": len(BODY), "ETag": '"1"'})
                    self.wfile.write(BODY[:HALF])
                    self.wfile.flush()
                    time.sleep(60)
                elif trouble == "gated":
                    # The first half, and the rest when the test says so.
                    self.head(206 if start else 200, {"Content-Length": len(BODY) - start,
                        "ETag": '"1"', "Content-Range":
                        f"bytes {start}-{len(BODY)-1}/{len(BODY)}"})
                    self.wfile.write(BODY[start:max(start, HALF)])
                    self.wfile.flush()
                    while not os.path.exists(f"{sys.argv[1]}.gate.{name[-1]}"): time.sleep(0.005)
                    self.wfile.write(BODY[max(start, HALF):])
                elif trouble == "silent":
                    time.sleep(60)
                elif trouble == "ignores-range":
                    if count == 1: self.half()
                    else: self.whole(BODY)
                elif trouble == "changed":
                    if count == 1: self.half()
                    else: self.whole(OTHER, '"2"')
                elif trouble == "changed-badly":
                    if count == 1: self.half()
                    elif start: self.rest(start, '"2"')
                    else: self.whole(OTHER, '"2"')
                elif trouble == "wrong-part":
                    if count == 1: self.half()
                    elif start: self.rest(start, claimed=start - 10)
                    else: self.whole(BODY)
                elif trouble == "unsatisfiable":
                    if count == 1: self.half()
                    elif start: self.head(416, {"Content-Length": 0,
                        "Content-Range": "bytes */10"})
                    else: self.whole(OTHER, '"2"')
                elif trouble == "weak":
                    if count == 1: self.half('W/"1"')
                    else: self.whole(BODY, 'W/"1"')
                elif trouble == "no-version":
                    if count == 1: self.half(None)
                    else: self.whole(BODY, None)
                elif trouble == "zipped-anyway":
                    body = gzip.compress(BODY)
                    self.head(200, {"Content-Length": len(body), "ETag": '"1"',
                        "Content-Encoding": "gzip"})
                    self.wfile.write(body)
                elif trouble == "zipped-cut":
                    body = gzip.compress(BODY)
                    self.head(200, {"Content-Length": len(body), "ETag": '"1"',
                        "Content-Encoding": "gzip"})
                    self.wfile.write(body[:len(body) // 2])
                    self.cut()
                elif trouble == "unknown-length":
                    self.head(200, {"Connection": "close", "ETag": '"1"'})
                    self.wfile.write(BODY)
                    self.close_connection = True
                elif trouble == "chunked-cut":
                    self.head(200, {"Transfer-Encoding": "chunked", "ETag": '"1"'})
                    self.wfile.write(b"%x\r\n" % HALF + BODY[:HALF] + b"\r\n")
                    self.cut()
                elif trouble == "nothing":
                    self.cut()
                elif trouble == "status":
                    body = b"" if name[1] in ("204", "304") else b"sorry"
                    self.head(int(name[1]), {"Content-Length": len(body)} | (
                        {"WWW-Authenticate": 'Basic realm="x"'} if name[1] == "401" else {}))
                    self.wfile.write(body)
                elif trouble == "away":
                    self.head(302, {"Content-Length": 0,
                        "Location": f"http://localhost:{server.server_port}/landed/{name[-1]}"})
                elif trouble == "near":
                    self.head(302, {"Content-Length": 0, "Location": f"/landed/{name[-1]}"})
                else:
                    self.whole(BODY)

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            def handle_error(self, *arguments): pass

        server = Server(("127.0.0.1", 0), Handler)
        print(server.server_port, "ready", flush=True)
        server.serve_forever()
        """#
}
