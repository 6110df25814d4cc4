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
import NIOCore
import Synchronization
import SystemPackage
import Testing

struct CommandTellerTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private func teller(
        _ script: String, limit: Duration = .seconds(20)
    ) throws -> CommandTeller {
        try CommandTeller(
            command: ["/bin/sh", "-c", script, "sh", "a b", "$(touch no)"], owner: User.effective,
            environment: ["PATH": "/usr/bin:/bin"], timeLimit: limit)
    }

    @Test func handsTheNoticeOverOnStandardInput() async throws {
        let file = directory.path.appending("told")
        try await teller("printf '%s|%s|' \"$1\" \"$2\" > \(file); cat >> \(file)")
            .tell(Notices.make())
        let told = try directory.tree.contents(of: "told")
        let expected = Array("a b|$(touch no)|".utf8) + Notices.make().json + [0x0A]
        #expect(told == expected)
    }

    @Test func saysHowTheCommandFailed() async throws {
        let teller = try teller("echo no such mailbox >&2; exit 3")
        let error = try await #require(throws: HeadroomError.self) {
            try await teller.tell(Notices.make())
        }
        #expect(error.message.contains("ended with 3: no such mailbox"))
    }

    @Test(.timeLimit(.minutes(10)))
    func endsACommandThatHangs() async throws {
        let teller = try teller("sleep 600", limit: .milliseconds(200))
        let error = try await #require(throws: HeadroomError.self) {
            try await teller.tell(Notices.make())
        }
        #expect(error.message.contains("time-limit"))
    }

    @Test func saysThatTheProgramIsMissing() async throws {
        let teller = try CommandTeller(
            command: ["/no/such/program"], owner: User.effective, environment: [:],
            timeLimit: .seconds(5))
        let error = try await #require(throws: HeadroomError.self) {
            try await teller.tell(Notices.make())
        }
        #expect(error.code == .notFound)
    }

    @Test func refusesTheCommandOfAnotherUser() throws {
        #expect(throws: HeadroomError.self) {
            try CommandTeller(
                command: ["/bin/true"], owner: User.effective + 1, environment: [:],
                timeLimit: .seconds(5))
        }
    }
}

struct DesktopTellerTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    /// A program that writes down what it is called with.
    private func program(_ name: String) throws -> FilePath {
        try directory.tree.file(
            TreePath(name),
            text: """
                #!/bin/sh
                printf '%s\\n' "$DBUS_SESSION_BUS_ADDRESS" "$@" > \(directory.path)/called
                """)
        try directory.tree.setPermissions(0o755, of: TreePath(name))
        return directory.path.appending(name)
    }

    private func call(_ name: String, _ notice: Notice) async throws -> [String] {
        let teller = try #require(
            DesktopTeller(
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"], timeLimit: .seconds(20),
                programs: ["/no/such", try program(name)]))
        try await teller.tell(notice)
        return String(decoding: try directory.tree.contents(of: "called"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    @Test(.tags(.r24e)) func callsNotifySend() async throws {
        let called = try await call("notify-send", Notices.make(text: "a <b>&c"))
        #expect(
            called == [
                "unix:path=/x", "--app-name=Headroom", "--icon=drive-harddisk",
                "--urgency=critical", "--", "/data: critical", "a &lt;b&gt;&amp;c",
            ])
    }

    @Test func callsTheBusItself() async throws {
        let called = try await call("gdbus", Notices.make(text: "it's \\"))
        #expect(called.contains("'it\\'s \\\\'"))
        #expect(called.contains("--method=org.freedesktop.Notifications.Notify"))
        #expect(called.contains("{'urgency': <byte 2>}"))
    }

    @Test func isNotThereWithoutADesktop() throws {
        let programs = [try program("notify-send")]
        #expect(
            DesktopTeller(environment: [:], timeLimit: .seconds(1), programs: programs) == nil)
        #expect(
            DesktopTeller(
                environment: ["XDG_RUNTIME_DIR": directory.path.string], timeLimit: .seconds(1),
                programs: programs) == nil)
        #expect(
            DesktopTeller(
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"],
                timeLimit: .seconds(1), programs: ["/no/such"]) == nil)
    }
}

struct WebhookTellerTests {
    /// What a server was asked, and what it answers, in turn.
    private final class Exchange: Sendable {
        let state: Mutex<(answers: [HTTPResponse.Status], bodies: [[UInt8]])>

        init(_ answers: [HTTPResponse.Status]) { state = Mutex((answers, [])) }

        func answer(_ body: [UInt8]) -> HTTPResponse.Status {
            state.withLock { state in
                state.bodies.append(body)
                return state.answers.isEmpty ? .gone : state.answers.removeFirst()
            }
        }

        var bodies: [[UInt8]] { state.withLock { $0.bodies } }
    }

    /// Runs a server for the time of the body.
    private func serving(
        _ exchange: Exchange, _ body: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let router = Router()
        router.post("hook") { request, _ -> Response in
            let buffer = try await request.body.collect(upTo: 1 << 20)
            let status = exchange.answer(Array(buffer.readableBytesView))
            return Response(status: status, headers: [.location: "http://127.0.0.1:1/elsewhere"])
        }
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { found.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
        }
    }

    private func teller(_ port: Int) throws -> WebhookTeller {
        try WebhookTeller(address: "http://127.0.0.1:\(port)/hook", timeLimit: .seconds(20)) {
            _ in
        }
    }

    @Test(.tags(.r24e)) func postsTheNotice() async throws {
        let exchange = Exchange([.noContent])
        try await serving(exchange) { port in try await teller(port).tell(Notices.make()) }
        #expect(exchange.bodies == [Notices.make().json])
    }

    @Test func triesAgainWhereThatMayHelp() async throws {
        let exchange = Exchange([.internalServerError, .tooManyRequests, .ok])
        try await serving(exchange) { port in try await teller(port).tell(Notices.make()) }
        #expect(exchange.bodies.count == 3)
    }

    @Test func givesUpAfterThreeTimes() async throws {
        let exchange = Exchange(Array(repeating: .internalServerError, count: 9))
        try await serving(exchange) { port in
            let error = try await #require(throws: HeadroomError.self) {
                try await teller(port).tell(Notices.make())
            }
            #expect(error.message.contains("status 500, after 3 attempts"))
        }
        #expect(exchange.bodies.count == 3)
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .unauthorized, .found, .temporaryRedirect])
    func doesNotTryAgainOrGoElsewhere(_ status: HTTPResponse.Status) async throws {
        let exchange = Exchange([status, .ok])
        try await serving(exchange) { port in
            let error = try await #require(throws: HeadroomError.self) {
                try await teller(port).tell(Notices.make())
            }
            #expect(error.message.contains("status \(status.code), after one attempt"))
        }
        #expect(exchange.bodies.count == 1)
    }

    @Test func saysThatNobodyAnswers() async throws {
        // Port 1 is nobody's.
        let error = try await #require(throws: HeadroomError.self) {
            try await teller(1).tell(Notices.make())
        }
        #expect(error.message.contains("127.0.0.1") && error.message.contains("3 attempts"))
    }
}

struct ConfiguredTellerTests {
    private func ways(
        _ configuration: NotificationConfiguration
    ) -> (names: [String], failures: [String]) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var failures: [String] = []
        let tellers = configuration.tellers(logger: logger, environment: [:]) {
            failures.append($0.message)
        }
        return (tellers.map { $0.name }, failures)
    }

    /// The log in any case, and each way that is configured; there is no desktop here.
    @Test(.tags(.r24e)) func eachWayThatIsConfiguredIsUsed() {
        var configuration = NotificationConfiguration()
        #expect(ways(configuration).names == ["log"])
        configuration.webhook = "http://127.0.0.1:1/hook"
        #expect(ways(configuration).names == ["log", "webhook"])
        configuration.command = ["/bin/true"]
        #expect(ways(configuration).names == ["log", "command", "webhook"])
        #expect(ways(configuration).failures == [])
    }

    @Test(.tags(.r24e)) func oneThatCannotBeUsedKeepsNoOtherFromIt() {
        var configuration = NotificationConfiguration()
        configuration.webhook = "http://127.0.0.1:1/hook"
        configuration.command = ["/bin/true"]
        configuration.commandOwner = User.effective + 1
        let (names, failures) = ways(configuration)
        #expect(names == ["log", "webhook"])
        #expect(failures.count == 1 && failures[0].contains("/bin/true"), "\(failures)")
    }
}
