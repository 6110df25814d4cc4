//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Takes down what a purge tells of its items while it runs: with `--json` each item that goes is
/// written at once, so that a million of them take no memory.
final class PurgeRecorder: @unchecked Sendable {
    // Sendable: a purge tells one thing at a time, and the thread that owns the output waits for it.
    private(set) var skipped: [Receipt.Skipped] = []
    private var json: JSONWriter?
    private let streams: Bool

    init(streams: Bool) {
        self.streams = streams
    }

    /// Writes the items that go into an array that is open, for as long as a job runs.
    func during<Result>(
        _ output: inout JSONWriter, _ job: () throws -> Result
    ) rethrows -> Result {
        json = output
        defer {
            if let json { output = json }
            json = nil
        }
        return try job()
    }

    func note(_ event: PurgeEvent) {
        switch event {
        case .removed(let path, let bytes):
            guard streams else { return }
            json?.object { json in
                json.member("path", path)
                json.member("bytes", bytes)
            }
        case .skipped(let path, let reason):
            skipped.append(.init(path: path, reason: reason))
        }
    }
}
