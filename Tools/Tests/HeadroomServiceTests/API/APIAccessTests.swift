//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// Who may ask, and how much.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APIAccessTests {
    @Test(.tags(.r38a)) func everyPlaceNeedsTheToken() async throws {
        try await ServedAPI.serving { served async throws in
            #expect(served.schema.operations.count >= 30)
            for operation in served.schema.operations {
                let parts = operation.split(separator: " ")
                let path = parts[1].split(separator: "{id}", omittingEmptySubsequences: false)
                    .joined(separator: "x")
                let answer = try await served.bare(String(parts[0]), path)
                #expect(answer.status == 401, "\(operation): \(answer.failure)")
                #expect(try answer.value("error.code") == "unauthorized")
                #expect(answer.headers.lowercased().contains("www-authenticate: bearer"))
            }
        }
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer x", "Basic eA==", "bearer 0000",
        "Bearer \(String(repeating: "0", count: 64))",
    ])
    func aWrongTokenIsRefused(_ header: String) async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.bare(
                "GET", "/status", more: ["-H", "Authorization: \(header)"])
            #expect(answer.status == 401)
            #expect(!answer.text.contains(served.api.token.text))
        }
    }

    @Test("A connection that has brought the token is kept while others open many", .tags(.r38a))
    func keepsTheConnectionOfTheToken() async throws {
        try await ServedAPI.serving { served async throws in
            // The connection is the oldest, and idle while 60 others are opened.
            let script = """
                ask() {
                    printf 'GET /api/v1/settings HTTP/1.1\\r\\nHost: localhost\\r\\n' >&3
                    printf 'Authorization: Bearer %s\\r\\nConnection: %s\\r\\n\\r\\n' "$2" "$1" >&3
                }
                exec 3<>/dev/tcp/127.0.0.1/$1
                ask keep-alive "$2"
                read -r -t 10 first <&3
                for n in $(seq 60); do exec {fd}<>/dev/tcp/127.0.0.1/$1 || exit 9; done
                sleep 1
                ask close "$2"
                cat <&3
                """
            let outcome = try await ToolCommand(
                "/bin/bash", ["-c", script, "ask", "\(served.port)", served.api.token.text],
                environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(30)
            ).runAside()
            #expect(!outcome.isTimedOut)
            // The status line of the first answer was read before.
            let answers = String(decoding: outcome.output, as: UTF8.self)
            #expect(answers.contains("HTTP/1.1 200"), "\(answers.suffix(500))")
        }
    }

    /// There are many ways to write a path.
    @Test(
        .tags(.r38a),
        arguments: [
            "//api/v1/status", "/api//v1/status", "/api/v1/status/", "/api/v1/./status",
            "/api/v1/%73tatus", "/api/v1/x/../status", "/API/v1/status", "/api/v1/status?x=1",
        ])
    func noWayAroundTheToken(_ path: String) async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.bare("GET", path)
            #expect(answer.status == 401 || answer.status == 404, "\(answer.text)")
        }
    }

    @Test func theTokenIsInAFileForItsUserAlone() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let (one, other) = (APIToken(), APIToken())
        #expect(one.text.utf8.count == 64)
        #expect(one.text != other.text)
        try one.write(in: directory.path.appending("state"))
        try other.write(in: directory.path.appending("state"))
        let status = try directory.tree.status(of: "state/api-token")
        #expect(status.permissions == 0o600)
        let text = String(
            decoding: try directory.tree.contents(of: "state/api-token"), as: UTF8.self)
        #expect(text == other.text + "\n")
        #expect(!"\(one) \(String(reflecting: one))".contains(one.text))
    }

    @Test(.tags(.r29h), arguments: ["api-token", "api-token.new"])
    func aFileOfSomebodysIsNotReplacedByTheToken(name: String) throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file(TreePath(stringLiteral: name), text: "mine\n")
        for _ in 0..<2 { try APIToken().write(in: directory.path) }
        let names = try directory.tree.names(in: "").map(\.text)
        let kept = try names.filter {
            try directory.tree.contents(of: TreePath(stringLiteral: $0)) == Array("mine\n".utf8)
        }
        #expect(kept.count == 1)
        #expect(names.count == 2)
    }

    @Test(
        .tags(.r38a), arguments: ["evil.example", "127.0.0.1.evil.example", "10.0.0.1:80", "[::2]"])
    func otherHostsAreRefused(_ host: String) async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.ask("GET", "/status", more: ["-H", "Host: \(host)"])
            #expect(answer.status == 421)
        }
    }

    @Test(
        .tags(.r38a),
        arguments: [
            ["-H", "Origin: http://evil.example"], ["-H", "Origin: null"],
            ["-H", "Origin: https://127.0.0.1"], ["-H", "Origin: http://127.0.0.1:1"],
            ["-H", "Sec-Fetch-Site: cross-site"], ["-H", "Sec-Fetch-Site: same-site"],
            ["-H", "Sec-Fetch-Site: cross-site", "-H", "Sec-Fetch-Mode: navigate"],
        ])
    func otherPagesAreRefused(_ headers: [String]) async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.ask("GET", "/status", more: headers)
            #expect(answer.status == 403)
            #expect(try answer.value("error.code") == "foreign-origin")
            let post = try await served.ask(
                "POST", "/plans", #"{"target":{"kind":"all"}}"#, more: headers)
            #expect(post.status == 403)
        }
    }

    @Test func ownPagesAreAnswered() async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.ask(
                "GET", "/status",
                more: [
                    "-H", "Origin: http://127.0.0.1:\(served.port)", "-H",
                    "Sec-Fetch-Site: same-origin",
                ])
            #expect(answer.status == 200)
            let headers = answer.headers.lowercased()
            for name in [
                "content-security-policy: default-src 'none'", "x-content-type-options: nosniff",
                "x-frame-options: deny", "referrer-policy: no-referrer", "cache-control: no-store",
                "cross-origin-resource-policy: same-origin",
            ] { #expect(headers.contains(name), "\(headers)") }
            #expect(!headers.contains("access-control"))
            #expect(!headers.contains("set-cookie"))
        }
    }

    @Test func otherMethodsAreToldWhatThereIs() async throws {
        try await ServedAPI.serving { served async throws in
            for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "POST"] {
                let answer = try await served.bare(
                    method, "/status",
                    more: ["-H", "Authorization: Bearer \(served.api.token.text)"])
                #expect(answer.status == 405, "\(method)")
                #expect(answer.headers.lowercased().contains("allow: get"))
                #expect(!answer.headers.lowercased().contains("access-control"))
            }
            let unknown = try await served.bare("GET", "/nothing")
            #expect(unknown.status == 404)
            #expect(try unknown.value("error.code") == "not-found")
        }
    }

    // MARK: - Limits

    @Test func aLargeBodyIsRefused() async throws {
        try await ServedAPI.serving { served async throws in
            let file = served.directory.path.appending("large")
            try served.tree.file("large", size: .mebibytes(2))
            for more in [[], ["-H", "Transfer-Encoding: chunked"]] {
                let answer = try await served.ask(
                    "POST", "/plans", "@\(file.string)", more: more)
                #expect(answer.status == 413)
            }
        }
    }

    @Test func longHeadersAreRefused() async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.bare(
                "GET", "/status", more: ["-H", "X: \(String(repeating: "x", count: 100_000))"])
            #expect(answer.status != 200)
            #expect(try await served.ask("GET", "/status").status == 200)
        }
    }

    @Test(arguments: [
        "", "[]", "{", "null", #"{"target":{}}"#, #"{"target":{"kind":"free"}}"#,
        #"{"target":{"kind":"free","bytes":-1}}"#, #"{"target":{"kind":"free","bytes":1.5}}"#,
        #"{"target":{"kind":"free","bytes":true}}"#, #"{"target":{"kind":"all","x":1}}"#,
        #"{"target":{"kind":"all"},"x":1}"#, #"{"target":{"kind":"class","class":"essential"}}"#,
        #"{"target":{"kind":"all"},"through":"essential"}"#, #"{"target":{"kind":"normal"}}"#,
        #"{"target":{"kind":"all"},"volume":"relative"}"#,
        #"{"target":{"kind":"all"},"volume":"/a/../b"}"#,
        #"{"target":{"kind":"all"},"volumeBytes":"%zz"}"#,
        #"{"target":{"kind":"free","bytes":1},"target":{"kind":"all"}}"#,
        #"{"target":{"kind":"free","kind":"all","bytes":1}}"#,
        String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    ])
    func whatIsNotUnderstoodIsRefused(_ body: String) async throws {
        try await ServedAPI.serving { served async throws in
            #expect(try await served.ask("POST", "/plans", body).status == 400)
        }
    }

    @Test func onlyJSONIsTaken() async throws {
        try await ServedAPI.serving { served async throws in
            let answer = try await served.ask(
                "POST", "/plans",
                more: [
                    "-H", "Content-Type: text/plain", "--data-binary",
                    #"{"target":{"kind":"all"}}"#,
                ])
            #expect(answer.status == 415)
        }
    }

    @Test(arguments: [
        "/tree?path=relative", "/tree?path=/a/../b", "/tree?path=/a//b", "/tree?path=%2Fa%00b",
        "/tree?path=%2", "/tree?depth=7", "/tree?depth=x", "/tree?limit=0", "/tree?cursor=1.2",
        "/tree?x=1", "/tree?depth=1&depth=2", "/tree?view=all", "/history", "/explain",
        "/explain?path=", "/history?volume=/&days=0",
    ])
    func whatIsWrongInAQueryIsRefused(_ path: String) async throws {
        try await ServedAPI.serving { served async throws in
            #expect(try await served.ask("GET", path).status == 400)
        }
    }

    @Test func pathsThatEscapeAreNoPages() async throws {
        try await ServedAPI.serving { served async throws in
            for path in [
                "//etc/passwd", "//../../../../etc/passwd", "//%2e%2e/%2e%2e/etc/passwd",
                "//app/../../api-token",
            ] {
                let answer = try await served.bare("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains("root:"))
            }
        }
    }
}
