//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Hummingbird
import Logging
import SystemPackage
import Testing

@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct LocalServerTests {
    let directory: TemporaryDirectory
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private var socket: FilePath { directory.path.appending("run/headroom.sock") }

    /// Runs a server with metrics for the time of the body, which gets the port.
    private func serving(
        _ addresses: [ListenAddress], _ router: Router<BasicRequestContext>,
        stall: Duration = .seconds(60),
        _ body: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let server = LocalServer(
            router: router, addresses: addresses, logger: logger, stall: stall
        ) { _, port in found.yield(port ?? 0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await server.run() } catch {
                    found.finish()
                    throw error
                }
            }
            var count = 0
            var largest = 0
            for await port in ports {
                count += 1
                largest = max(largest, port)
                if count == addresses.count { break }
            }
            guard count == addresses.count else {
                try await group.waitForAll()
                return
            }
            try await body(largest)
            group.cancelAll()
        }
    }

    private func metricsRouter() -> Router<BasicRequestContext> {
        let router = LocalServer.makeRouter()
        SampleMetrics.make().addRoute(to: router)
        return router
    }

    /// The status and the body.
    private func curl(_ arguments: [String]) async throws -> (status: String, body: String) {
        let outcome = try await ToolCommand(
            "/usr/bin/curl", ["-s", "-w", "\n%{http_code} %{content_type}"] + arguments,
            environment: ["PATH": "/usr/bin"], limit: .seconds(30)
        ).runAside()
        let text = String(decoding: outcome.output, as: UTF8.self)
        let line = text.lastIndex(of: "\n") ?? text.startIndex
        return (String(text[line...].dropFirst()), String(text[..<line]))
    }

    /// What a server answers to bytes that no program would send, until it closes the connection.
    private func raw(_ request: String, _ port: Int) async throws -> String {
        let script = "exec 3<>/dev/tcp/127.0.0.1/$1; printf \"$2\" >&3; cat <&3"
        let outcome = try await ToolCommand(
            "/bin/bash", ["-c", script, "raw", "\(port)", request],
            environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(20)
        ).runAside()
        #expect(!outcome.isTimedOut, "the connection was kept")
        return String(decoding: outcome.output, as: UTF8.self)
    }

    private var anyPort: ListenAddress { .loopback(host: "127.0.0.1", port: 0) }

    @Test func servesMetricsOnLoopback() async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let answer = try await curl(["http://127.0.0.1:\(port)/metrics"])
            #expect(answer.status == "200 text/plain; version=0.0.4; charset=utf-8")
            #expect(try Exposition(answer.body, isOpen: false).value("headroom_leases") == 2)
            let open = try await curl([
                "-H", "Accept: application/openmetrics-text", "http://localhost:\(port)/metrics",
            ])
            #expect(open.status.contains("openmetrics-text"))
            #expect(open.body.hasSuffix("# EOF\n"))
            #expect(try await curl(["http://127.0.0.1:\(port)/other"]).status.hasPrefix("404"))
        }
    }

    @Test(arguments: [
        "evil.example", "127.0.0.1.evil.example", "evil.example:80", "[::2]", "10.0.0.1",
    ])
    func refusesRequestsForOtherHosts(_ host: String) async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let answer = try await curl(["-H", "Host: \(host)", "http://127.0.0.1:\(port)/metrics"])
            #expect(answer.status.hasPrefix("421"))
            #expect(!answer.body.contains("headroom_"))
        }
    }

    /// Of two it is not known which was meant, and one of them a page may have chosen.
    @Test(arguments: [
        "Host: localhost\\r\\nHost: evil.example", "Host: evil.example\\r\\nHost: localhost",
        "Host: localhost\\r\\nhost: localhost", "Host: [::1]evil.example", "Host: [::1].example",
    ])
    func refusesHostsThatAreNone(_ host: String) async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let answer = try await raw(
                "GET /metrics HTTP/1.1\\r\\n\(host)\\r\\nConnection: close\\r\\n\\r\\n", port)
            #expect(answer.hasPrefix("HTTP/1.1 421"), "\(answer)")
            #expect(!answer.contains("headroom_"))
        }
    }

    @Test(
        "Rejects malformed and foreign hosts, and absolute targets of other hosts", .tags(.r38a),
        arguments: [
            "GET /metrics HTTP/1.1\\r\\n", "GET /metrics HTTP/1.1\\r\\nHost:\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: localhost:\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: localhost:99999\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: localhost:1:2\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: localhost/x\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: a@localhost\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: 127.1\\r\\n",
            "GET /metrics HTTP/1.1\\r\\nHost: 127.0.0.01\\r\\n",
            "GET http://evil.example/metrics HTTP/1.1\\r\\nHost: localhost\\r\\n",
            "GET https://localhost/metrics HTTP/1.1\\r\\nHost: localhost\\r\\n",
            "GET http://localhost@evil.example/metrics HTTP/1.1\\r\\nHost: localhost\\r\\n",
        ])
    func rejectsForeignTargets(_ head: String) async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let answer = try await raw("\(head)Connection: close\\r\\n\\r\\n", port)
            #expect(
                answer.hasPrefix("HTTP/1.1 421") || answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(!answer.contains("headroom_"))
        }
    }

    @Test("Accepts an absolute target of this machine")
    func acceptsAbsoluteTarget() async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let answer = try await raw(
                "GET http://localhost:\(port)/metrics HTTP/1.1\\r\\nHost: localhost:\(port)\\r\\n"
                    + "Connection: close\\r\\n\\r\\n", port)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        }
    }

    @Test("Idle connections of others do not keep a new one from being answered", .tags(.r38a))
    func idleConnectionsAreReplaced() async throws {
        try await serving([anyPort], metricsRouter()) { port in
            // 200 that say nothing, while a request comes.
            let script = """
                for n in $(seq 200); do exec {fd}<>/dev/tcp/127.0.0.1/$1 || exit 9; done
                printf 'GET /metrics HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&$fd
                cat <&$fd
                """
            let outcome = try await ToolCommand(
                "/bin/bash", ["-c", script, "raw", "\(port)"],
                environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(20)
            ).runAside()
            #expect(!outcome.isTimedOut)
            let answer = String(decoding: outcome.output, as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(200))")
        }
    }

    /// A byte now and then would keep a connection for ever, of which there are few.
    @Test func aRequestThatDoesNotComeToItsEndIsGivenUp() async throws {
        try await serving([anyPort], metricsRouter(), stall: .milliseconds(300)) { port in
            let answer = try await raw(
                "POST /metrics HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 100\\r\\n\\r\\nx",
                port)
            #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func anAnswerThatNobodyReadsIsGivenUp() async throws {
        let (failures, failed) = AsyncStream.makeStream(of: Void.self)
        let router = LocalServer.makeRouter()
        router.get("/endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    defer { failed.finish() }
                    let buffer = ByteBuffer(repeating: 0x78, count: 64 << 10)
                    while true { try await writer.write(buffer) }
                })
        }
        try await serving([anyPort], router, stall: .milliseconds(300)) { port in
            // Ended below.
            let reader = Task {
                try await ToolCommand(
                    "/bin/bash",
                    [
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/$1; printf \"$2\" >&3; sleep 50", "raw",
                        "\(port)", "GET /endless HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n",
                    ], environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(60)
                ).runAside()
            }
            for await _ in failures {}
            reader.cancel()
            let outcome = try await reader.value
            #expect(!outcome.isTimedOut)
        }
    }

    @Test(.tags(.r29g)) func servesASocketForItsUserAlone() async throws {
        try await serving([.socket(socket), anyPort], metricsRouter()) { port in
            let status = try directory.tree.status(of: "run/headroom.sock")
            #expect(status.permissions == 0o600)
            #expect(try directory.tree.status(of: "run").permissions == 0o700)
            let answer = try await curl([
                "--unix-socket", socket.string, "http://localhost/metrics",
            ])
            #expect(answer.status.hasPrefix("200"))
            #expect(try await curl(["http://127.0.0.1:\(port)/metrics"]).status.hasPrefix("200"))
        }
        #expect(!directory.tree.exists("run/headroom.sock"))
    }

    @Test func replacesTheSocketOfADeadService() async throws {
        try directory.tree.directory("run")
        try directory.tree.socket("run/headroom.sock")
        try await serving([.socket(socket)], metricsRouter()) { _ in
            let answer = try await curl([
                "--unix-socket", socket.string, "http://localhost/metrics",
            ])
            #expect(answer.status.hasPrefix("200"))
        }
    }

    @Test func leavesALivingServiceAlone() async throws {
        try await serving([.socket(socket)], metricsRouter()) { _ in
            let error = await #expect(throws: HeadroomError.self) {
                try await serving([.socket(socket)], metricsRouter()) { _ in }
            }
            #expect(error?.code == .busy)
            let answer = try await curl([
                "--unix-socket", socket.string, "http://localhost/metrics",
            ])
            #expect(answer.status.hasPrefix("200"))
        }
    }

    @Test func replacesNothingButSockets() async throws {
        try directory.tree.directory("run")
        try directory.tree.file("run/headroom.sock", text: "precious")
        let error = await #expect(throws: HeadroomError.self) {
            try await serving([.socket(socket)], metricsRouter()) { _ in }
        }
        #expect(error?.code == .refused)
        #expect(try directory.tree.contents(of: "run/headroom.sock") == Array("precious".utf8))
    }

    @Test func saysThatAPortIsTaken() async throws {
        try await serving([anyPort], metricsRouter()) { port in
            let error = await #expect(throws: HeadroomError.self) {
                try await serving([.loopback(host: "127.0.0.1", port: port)], metricsRouter()) {
                    _ in
                }
            }
            #expect(error?.message.contains("127.0.0.1:\(port)") == true)
        }
    }

    // MARK: - The real reader

    @Test(
        .tags(.r40c), .enabled(if: Privilege.has(program: "prometheus"), "needs prometheus"),
        .timeLimit(.minutes(10)))
    func isScrapedByPrometheus() async throws {
        let metrics = SampleMetrics.make()
        let (scrapes, scraped) = AsyncStream.makeStream(of: Void.self)
        let router = LocalServer.makeRouter()
        router.add(middleware: ScrapeBell(bell: scraped))
        metrics.addRoute(to: router)
        try await serving([anyPort], router) { port in
            try directory.tree.file(
                "prometheus.yml",
                text: """
                    scrape_configs:
                      - job_name: headroom
                        scrape_interval: 1s
                        static_configs: [{ targets: ['127.0.0.1:\(port)'] }]
                    """)
            // A port that was free a moment ago.
            let query = try FreePort.find()
            let prometheus = try ChildProcess(
                "/usr/bin/prometheus",
                [
                    "--config.file=\(directory.path)/prometheus.yml",
                    "--storage.tsdb.path=\(directory.path)/data",
                    "--web.listen-address=127.0.0.1:\(query)", "--log.level=error",
                ], environment: [:])
            defer { prometheus.send(9) }
            // When it comes again, it has taken in what it got before; if it got it in time, which it
            // may not on a machine that is busy with other things.
            var answer = (status: "", body: "")
            var count = 0
            for await _ in scrapes {
                count += 1
                guard count >= 3 else { continue }
                answer = try await curl([
                    "--retry", "20", "--retry-connrefused", "--retry-delay", "1",
                    "--data-urlencode", "query=headroom_volume_available_bytes", "-G",
                    "http://127.0.0.1:\(query)/api/v1/query",
                ])
                if answer.body.contains("7000000000") { break }
            }
            #expect(answer.body.contains("\"7000000000\""), "\(answer.body)")
            #expect(answer.body.contains("da\\\"ta\\\\x"))
            let buckets = try await curl([
                "--data-urlencode",
                "query=histogram_quantile(0.5, headroom_purge_duration_seconds_bucket)", "-G",
                "http://127.0.0.1:\(query)/api/v1/query",
            ])
            #expect(buckets.body.contains("\"value\":["), "\(buckets.body)")
        }
    }

    /// Rings whenever somebody asks.
    private struct ScrapeBell: RouterMiddleware {
        let bell: AsyncStream<Void>.Continuation

        @concurrent func handle(
            _ request: Request, context: BasicRequestContext,
            next: @concurrent (Request, BasicRequestContext) async throws -> Response
        ) async throws -> Response {
            bell.yield()
            return try await next(request, context)
        }
    }
}
