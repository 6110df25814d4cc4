//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomPlatform
import Hummingbird
import Synchronization

/// Follows a job as server-sent events, until it has ended or nobody reads any more.
///
/// Each event has the whole job, so that whoever comes later, or again, is up to date with the first.
struct JobEvents: Sendable {
    let board: JobBoard
    let id: String
    /// What was seen last.
    let seen: Int?
    let followers: Followers

    private static let interval: Duration = .milliseconds(200)
    /// A proxy, or a page, takes a silent connection for a dead one.
    private static let heartbeats = 75

    /// How many streams are open, which is limited.
    final class Followers: Sendable {
        private let count = Mutex(0)
        private static let limit = 32

        func enter() -> Bool {
            count.withLock { count in
                guard count < Self.limit else { return false }
                count += 1
                return true
            }
        }

        func leave() { count.withLock { $0 -= 1 } }
    }

    /// The place among the followers was taken; it is left when the stream ends.
    func response() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody(asyncSequence: Events(source: self, place: Place(followers))))
    }

    /// Left when nobody holds it any more: an answer whose body is never written, too.
    private final class Place: Sendable {
        private let followers: Followers

        init(_ followers: Followers) { self.followers = followers }

        deinit { followers.leave() }
    }

    /// The events as bytes, made as they are asked for.
    private struct Events: AsyncSequence, Sendable {
        let source: JobEvents
        let place: Place

        func makeAsyncIterator() -> Iterator { Iterator(source: source, place: place) }

        struct Iterator: AsyncIteratorProtocol {
            let source: JobEvents
            let place: Place
            private var last: Int?
            private var silence = 0
            private var hasBegun = false
            private var hasEnded = false

            init(source: JobEvents, place: Place) {
                self.source = source
                self.place = place
                last = source.seen
            }

            mutating func next() async throws -> ByteBuffer? {
                guard !hasEnded else { return nil }
                guard hasBegun else {
                    hasBegun = true
                    return ByteBuffer(string: "retry: 1000\n\n")
                }
                while true {
                    // Forgotten while it was followed.
                    guard let (job, version) = try? await source.board.look(source.id) else {
                        return nil
                    }
                    hasEnded = job.state != .running
                    if version != last || hasEnded {
                        last = version
                        silence = 0
                        let data = String(decoding: APIAnswer.bytes(of: job), as: UTF8.self)
                        return ByteBuffer(
                            string: "id: \(version)\nevent: \(hasEnded ? "done" : "progress")\n"
                                + "data: \(data)\n\n")
                    }
                    silence += 1
                    try await Task.sleep(for: JobEvents.interval)
                    if silence % JobEvents.heartbeats == 0 {
                        return ByteBuffer(string: ": waiting\n\n")
                    }
                }
            }
        }
    }
}
