//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomConfiguration
import HeadroomDashboard
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Hummingbird
import Logging
import SystemPackage
import Testing

extension ByteCount {
    static func kibibytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_024) }
}

/// The API for a home of its own, behind a real socket.
struct ServedAPI: Sendable {
    let directory: TemporaryDirectory
    let workspace: Workspace
    let api: ServiceAPI
    let port: Int
    let schema: DocumentSchema

    var tree: Tree { directory.tree }
    var home: FilePath { directory.path.appending("home") }

    /// An answer, whose body was held against the document.
    struct Answer: Sendable {
        var status: Int
        var text: String
        var headers: String
        /// What curl says of a request that had no whole answer.
        var failure: String

        /// A member on a way such as `selection.digest` or `groups.0.id`.
        func value(_ way: String) throws -> String { "\(try member(way))" }

        func count(_ way: String) throws -> Int {
            try #require(try member(way) as? [Any], "no list \(way) in \(text)").count
        }

        private func member(_ way: String) throws -> Any {
            var value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            for part in way.split(separator: ".") {
                if let list = value as? [Any] {
                    let index = try #require(Int(part))
                    value = try #require(index < list.count ? list[index] : nil, "\(text)")
                } else {
                    let object = try #require(value as? [String: Any])
                    value = try #require(object[String(part)], "no \(way) in \(text)")
                }
            }
            return value
        }

        func has(_ member: String) throws -> Bool {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return (value as? [String: Any])?[member] != nil
        }
    }

    /// Runs the body while a service answers.
    ///
    /// - Parameters:
    ///   - fill: puts files into `home/.cache` and elsewhere.
    ///   - modules: of the configuration.
    ///   - isTold: false: the service is starting still.
    static func serving(
        fill: (Tree) throws -> Void = { _ in }, token: APIToken = APIToken(),
        modules: [any StorageModule] = [], isTold: Bool = true,
        _ body: @Sendable (ServedAPI) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(on: .memory)
        for name in ["home/.cache", "home/Documents", "home/.local/share", "home/tmp", "state"] {
            try directory.tree.directory(TreePath(stringLiteral: name))
        }
        try fill(directory.tree)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let home = directory.path.appending("home")
        let workspace = Workspace.openedByFile(
            environment: ["TMPDIR": home.appending("tmp").string], home: home,
            ledgerDirectory: directory.path.appending("state"), clock: { Timestamp.now() })
        let api = ServiceAPI(token: token, version: "1.2.3", logger: logger)
        if isTold { await api.use(situation(workspace, modules: modules)) }
        let router = LocalServer.makeRouter()
        api.addRoutes(to: router)
        DashboardSite(DashboardResources.load(from: [])).addRoutes(to: router)
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let server = LocalServer(
            router: router, addresses: [.loopback(host: "127.0.0.1", port: 0)], logger: logger
        ) { _, port in found.yield(port ?? 0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await server.run()
            }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            let document = try await curl(
                ["-H", "Authorization: Bearer \(token.text)"], port, "/openapi.json")
            try await body(
                ServedAPI(
                    directory: directory, workspace: workspace, api: api, port: port,
                    schema: try DocumentSchema(document.text)))
            await api.end()
            group.cancelAll()
        }
    }

    /// - Parameter tell: told what the automation tells.
    static func situation(
        _ workspace: Workspace, modules: [any StorageModule] = [],
        tell: @escaping @Sendable (AutomationEvent) -> Void = { _ in }
    ) -> APISituation {
        let configuration = ServiceConfiguration()
        var settings = AutomationSettings()
        settings.modules = modules
        return APISituation(
            workspace: workspace,
            loaded: LoadedConfiguration(
                configuration: configuration, files: ["/etc/headroom/headroom.yaml"], notes: [],
                locations: [
                    "mode": ConfigurationLocation(
                        file: "/etc/headroom/headroom.yaml", line: 3, key: "mode")
                ]),
            automation: Automation(
                settings, work: WorkspaceWork(workspace), memory: nil, tell: tell),
            history: workspace.ledger.directory.appending("history.sqlite"))
    }

    // MARK: - Asking

    private static func curl(
        _ arguments: [String], _ port: Int, _ path: String
    ) async throws -> Answer {
        // What a tool writes is kept up to 64 KiB only.
        let scratch = try TemporaryDirectory(on: .memory)
        try scratch.tree.file("body", text: "")
        let isWhole = path.hasPrefix("//") || path.hasPrefix("/api") || path == "/"
        // On the command line, a path in the request would be one that curl works with, and be kept.
        var arguments = arguments
        if let index = arguments.firstIndex(of: "--data-binary").map({ $0 + 1 }),
            index < arguments.count, !arguments[index].hasPrefix("@")
        {
            try scratch.tree.file("request", text: arguments[index])
            arguments[index] = "@" + scratch.path.appending("request").string
        }
        let outcome = try await ToolCommand(
            "/usr/bin/curl",
            [
                "-s", "-D", "-", "-o", scratch.path.appending("body").string, "--path-as-is",
                // What else runs beside it may keep the answer waiting.
                "--max-time", "300", "-w", "\n%{http_code} %{errormsg}",
            ] + arguments + ["http://127.0.0.1:\(port)\(isWhole ? path : "/api/v1" + path)"],
            environment: ["PATH": "/usr/bin"], limit: .seconds(310)
        ).runAside()
        let text = String(decoding: outcome.output, as: UTF8.self)
        let line = try #require(text.lastIndex(of: "\n"))
        let end = text[text.index(after: line)...].split(separator: " ", maxSplits: 1)
        return Answer(
            status: end.first.flatMap { Int($0) } ?? 0,
            text: String(decoding: try scratch.tree.contents(of: "body"), as: UTF8.self),
            headers: String(text[..<line]), failure: end.count > 1 ? String(end[1]) : "")
    }

    /// Asks as a program with the token does, and holds the answer against the document.
    func ask(
        _ method: String = "GET", _ path: String, _ body: String? = nil, more: [String] = []
    ) async throws -> Answer {
        let answer = try await bare(
            method, path, body, more: ["-H", "Authorization: Bearer \(api.token.text)"] + more)
        #expect(
            try schema.problems(method, path, status: answer.status, body: answer.text) == [],
            "\(answer.text.prefix(2_000))")
        #expect(answer.text.utf8.count <= 1 << 20)
        return answer
    }

    /// Asks without the token.
    func bare(
        _ method: String = "GET", _ path: String, _ body: String? = nil, more: [String] = []
    ) async throws -> Answer {
        var arguments = ["-X", method] + more
        if let body {
            arguments += ["-H", "Content-Type: application/json", "--data-binary", body]
        }
        return try await Self.curl(arguments, port, path)
    }

    /// Follows a job to its end.
    func finished(_ job: String) async throws -> Answer {
        let events = try await bare(
            "GET", "/jobs/\(job)/events", more: ["-H", "Authorization: Bearer \(api.token.text)"])
        #expect(events.text.contains("event: done"), "\(events.text)")
        return try await ask("GET", "/jobs/\(job)")
    }

    /// Text percent-encoded for a query.
    static func encoded(_ path: FilePath) -> String {
        path.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
