//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// How much may be asked for at once: what is too much is refused, and what has ended makes room.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"), .timeLimit(.minutes(10)))
struct APILimitTests {
    /// Work that changes nothing and lasts until it is cancelled.
    private func endless() -> JobWork {
        let (stream, ended) = AsyncStream.makeStream(of: Void.self)
        return JobWork(
            kind: .survey, title: "test", progress: { .init() }, cancel: { ended.finish() },
            body: {
                for await _ in stream {}
                return JobOutcome(text: "ended", wasCancelled: true)
            })
    }

    private func expectRefusal(_ answer: ServedAPI.Answer, _ status: Int, _ code: String) throws {
        #expect(answer.status == status, "\(answer.text)")
        #expect(try answer.value("error.code") == code)
        #expect(try !answer.value("error.message").isEmpty)
        #expect(try !answer.value("error.advice").isEmpty)
        #expect(answer.headers.lowercased().contains("retry-after: 2"), "\(answer.headers)")
    }

    // MARK: - Jobs

    @Test func moreJobsThanMayRunAreRefused() async throws {
        try await ServedAPI.serving(fill: { tree in
            try tree.file("home/.cache/app/one", size: .kibibytes(4))
        }) { served async throws in
            let board = served.api.board
            let plan = try await served.ask("POST", "/plans", #"{"target":{"kind":"all"}}"#)
            // The job of the scan ends a moment after the scan.
            let known = try await served.ask("GET", "/jobs")
            for index in 0..<(try known.count("jobs")) {
                await board.wait(for: try known.value("jobs.\(index).id"))
            }
            var running: [String] = []
            for _ in 0..<JobBoard.runningJobs {
                running.append(try await board.start(endless()).id)
            }

            let id = try plan.value("id")
            let digest = try plan.value("selection.digest")
            let purge = #"{"plan":"\#(id)","selection":"\#(digest)"}"#
            let requests: [(method: String, path: String, body: String?)] = [
                ("POST", "/purges", purge), ("POST", "/audits", nil), ("POST", "/scans", "{}"),
                ("GET", "/cleanables", nil), ("POST", "/cleanables", nil),
            ]
            for (method, path, body) in requests {
                try expectRefusal(try await served.ask(method, path, body), 429, "too-many")
            }
            #expect(served.tree.exists("home/.cache/app/one"))
            #expect(try await served.ask("GET", "/status").status == 200)

            let first = try #require(running.first)
            #expect(try await served.ask("POST", "/jobs/\(first)/cancel").status == 202)
            await board.wait(for: first)
            // What was refused has not used up the plan.
            let begun = try await served.ask("POST", "/purges", purge)
            #expect(begun.status == 202, "\(begun.text)")
            let purged = try await served.finished(try begun.value("job.id"))
            #expect(try purged.value("state") == "done")
            #expect(!served.tree.exists("home/.cache/app/one"))
            let audit = try await served.ask("POST", "/audits")
            #expect(audit.status == 202, "\(audit.text)")
            _ = try await served.finished(try audit.value("job.id"))
        }
    }

    // MARK: - Streams

    /// Follows one job by the first stream and another by all others, which stay open; then ends the first.
    private static let following = #"""
        port=$1 token=$2 short=$3 long=$4
        ask() {
            exec {connection}<>"/dev/tcp/127.0.0.1/$port"
            printf '%s /api/v1/jobs/%s HTTP/1.1\r\nHost: localhost\r\n' "$1" "$2" >&"$connection"
            printf 'Authorization: Bearer %s\r\nConnection: close\r\n\r\n' "$token" >&"$connection"
            read -r _ status _ <&"$connection"
        }
        ask GET "$short/events"
        first=$connection
        taken=$((status == 200))
        for _ in {2..32}; do
            ask GET "$long/events"
            taken=$((taken + (status == 200)))
        done
        echo "taken $taken"
        ask GET "$long/events"
        echo "then $status"
        while read -r line <&"$connection" && [[ "$line" != $'\r' ]]; do :; done
        echo "body $(cat <&"$connection")"
        ask POST "$short/cancel"
        # The connection is closed when the stream has left its place.
        while read -r line <&"$first"; do [[ "$line" != event:* ]] || echo "$line"; done
        ask GET "$long/events"
        echo "afterwards $status"
        """#

    @Test func moreStreamsThanMayBeOpenAreRefused() async throws {
        try await ServedAPI.serving { served async throws in
            let board = served.api.board
            let short = try await board.start(endless()).id
            let long = try await board.start(endless()).id
            let outcome = try await ToolCommand(
                "/bin/bash",
                [
                    "-c", Self.following, "following", "\(served.port)", served.api.token.text,
                    short, long,
                ], environment: ["PATH": "/usr/bin:/bin"], limit: .seconds(300)
            ).runAside()
            let text = String(decoding: outcome.output, as: UTF8.self)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.contains("taken 32"), "\(text)")
            #expect(lines.contains("then 429"), "\(text)")
            #expect(lines.contains("event: done"), "\(text)")
            #expect(lines.last == "afterwards 200", "\(text)")
            let body = try #require(lines.first(where: { $0.hasPrefix("body ") }))
            let refused = ServedAPI.Answer(
                status: 429, text: String(body.dropFirst(5)), headers: "", failure: "")
            #expect(try refused.value("error.code") == "too-many")
            #expect(
                try served.schema.problems(
                    "GET", "/jobs/\(long)/events", status: 429, body: refused.text) == [])
        }
    }

    // MARK: - The document

    /// Whatever is asked for can be too much, or come at the wrong moment.
    @Test func theDocumentHasTheLimitsOfEveryPlace() async throws {
        try await ServedAPI.serving { served async throws in
            let body = #"{"error":{"code":"x","message":"x","advice":"x"}}"#
            for operation in served.schema.operations {
                let parts = operation.split(separator: " ").map(String.init)
                for status in [429, 503] {
                    #expect(
                        try served.schema.problems(
                            parts[0], parts[1], status: status, body: body) == [])
                }
            }
        }
    }

    // MARK: - Before and after

    @Test func whoComesBeforeItKnowsWhatItIsAboutIsToldToComeAgain() async throws {
        try await ServedAPI.serving(isTold: false) { served async throws in
            for (method, path) in [("GET", "/status"), ("GET", "/tree"), ("POST", "/audits")] {
                try expectRefusal(try await served.ask(method, path), 503, "unavailable")
            }
            await served.api.use(ServedAPI.situation(served.workspace))
            #expect(try await served.ask("GET", "/status").status == 200)
            let audit = try await served.ask("POST", "/audits")
            #expect(audit.status == 202, "\(audit.text)")
            _ = try await served.finished(try audit.value("job.id"))
        }
    }

    @Test func whoComesAfterTheEndIsToldSo() async throws {
        try await ServedAPI.serving { served async throws in
            await served.api.end()
            for (method, path) in [("GET", "/status"), ("GET", "/tree"), ("POST", "/audits")] {
                try expectRefusal(try await served.ask(method, path), 503, "unavailable")
            }
        }
    }
}
