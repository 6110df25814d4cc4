//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches a file, with as many requests as it takes.
struct DownloadRun {
    let operation: DownloadOperation
    let partial: PartialDownload
    /// So much of what is there is from before this call.
    private(set) var inherited: Int64
    private(set) var responseURL: URL?
    /// The length of the whole, if it is known.
    private var total: Int64?
    private var reservation: Storage.Reservation?
    private var ignoresRoom = false
    /// Room was made because a request found too little.
    private var roomRounds = 0
    private var hasFreed = false
    private var restarts = 0
    private var retries = 0
    private var hasBegun = false

    /// Others may be faster so often.
    private static let roomLimit = 8
    private static let restartLimit = 2

    enum Ending {
        case complete
        case declined(Advice)
    }

    /// What one request has come to.
    private enum Step {
        case complete
        case again
    }

    init(operation: DownloadOperation, partial: PartialDownload) {
        self.operation = operation
        self.partial = partial
        inherited = partial.length
        total = partial.state?.total
    }

    private var request: DownloadRequest { operation.request }

    mutating func fetch() async throws(StorageError) -> Ending {
        defer { reservation?.finish() }
        var needsRoom = true
        while true {
            if Task.isCancelled { throw .cancelled(request.url) }
            if needsRoom, !ignoresRoom, let advice = try await makeRoom() {
                return .declined(advice)
            }
            let transfer = try await exchange()
            switch try await step(transfer.ending, transfer.state) {
            case .complete: return .complete
            case .again: break
            }
            needsRoom = reservation == nil
        }
    }

    /// - Returns: the advice if there is none and it must not be tried.
    private mutating func makeRoom() async throws(StorageError) -> Advice? {
        reservation?.finish()
        reservation = nil
        // Nothing is deleted for what may turn out not to fit: the server says first how long it is.
        let room = operation.room
        // mutation: r34b-1
        if total == nil, !hasBegun { return await operation.blocking { room.refusal() } }
        let remaining = ByteCount(max(0, (total ?? 0) - partial.length))
        switch try await operation.blocking({ () throws(StorageError) in
            try room.make(for: remaining)
        }) {
        case .reserved(let reserved): reservation = reserved
        case .unreserved: ignoresRoom = true
        case .declined(let advice): return advice
        }
        return nil
    }

    // MARK: - One request

    private mutating func exchange() async throws(StorageError) -> (
        ending: HTTPExchange.Ending, state: DownloadTransfer.State
    ) {
        let offset = try await startingPoint()
        let transfer = DownloadTransfer(
            request, partial, operation.place, room: ignoresRoom ? nil : operation.room,
            reservation: reservation, offset: offset, reporter: operation.reporter)
        let ending = await HTTPSession.shared.run(
            makeRequest(from: offset), transfer, stallTimeout: request.stallTimeout)
        let state = transfer.result
        total = state.total
        reservation = state.reservation
        responseURL = state.responseURL ?? responseURL
        hasBegun = hasBegun || state.hasBegun
        if state.hasRestarted { inherited = 0 }
        return (ending, state)
    }

    /// Where to go on; nil: from the start.
    ///
    /// If all is there already, the last byte is asked for once more: the answer tells whether it is
    /// still what the server has.
    private func startingPoint() async throws(StorageError) -> Int64? {
        guard let state = partial.state else { return nil }
        let offset = min(partial.length, state.total.map { $0 - 1 } ?? partial.length)
        guard offset > 0 else { return nil }
        let (partial, place) = (partial, operation.place)
        try await operation.blocking { () throws(StorageError) in
            do throws(Errno) {
                try partial.rewind(to: offset)
            } catch {
                throw place.failure(error)
            }
        }
        return offset
    }

    private func makeRequest(from offset: Int64?) -> URLRequest {
        var message = URLRequest(url: request.url.absoluteURL)
        for (name, value) in request.headers {
            message.setValue(value, forHTTPHeaderField: name)
        }
        // What is decoded on the way could neither be resumed nor measured.
        message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let offset, let version = partial.state?.version {
            message.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
            message.setValue(version.condition, forHTTPHeaderField: "If-Range")
        }
        // Stalling is watched for by the exchange; this is only never to be faster.
        let seconds = request.stallTimeout.components.seconds
        message.timeoutInterval = TimeInterval(max(60, min(seconds, 86_400) * 2))
        return message
    }

    // MARK: - What it has come to

    private mutating func step(
        _ ending: HTTPExchange.Ending, _ state: DownloadTransfer.State
    ) async throws(StorageError) -> Step {
        if let stop = state.stop { return try await step(stop) }
        switch ending {
        case .finished:
            if let total, partial.length != total {
                let error = StorageError.tooShort(
                    request.url, received: partial.length, total: total)
                return try await retry(after: error)
            }
            return .complete
        case .stopped(.cancelled), .stopped(.unwanted):
            throw .cancelled(request.url)
        case .stopped(.stalled):
            return try await retry(
                after: .stalled(
                    request.url, after: request.stallTimeout, received: partial.length))
        case .failed(let error):
            return try await retry(
                after: .network(request.url, error, received: partial.length))
        }
    }

    private mutating func step(_ stop: DownloadTransfer.Stop) async throws(StorageError) -> Step {
        switch stop {
        case .failed(let error):
            throw error
        case .needsRoom:
            roomRounds += 1
            reservation?.finish()
            reservation = nil
            guard roomRounds <= Self.roomLimit else {
                throw operation.room.exhausted(.noSpace, missing: missing)
            }
        case .full(let error):
            if hasFreed { throw operation.room.exhausted(error, missing: missing) }
            hasFreed = true
            // From now on the volume says itself whether it is full.
            ignoresRoom = true
            reservation?.finish()
            reservation = nil
            let (room, bytes) = (operation.room, missing ?? .zero)
            reservation = try await operation.blocking { () throws(StorageError) in
                try room.free(forWriting: bytes, after: error)
            }
        case .mustRestart:
            restarts += 1
            inherited = 0
            if restarts > Self.restartLimit { throw .changing(request.url) }
            let (partial, place) = (partial, operation.place)
            try await operation.blocking { () throws(StorageError) in
                do throws(Errno) {
                    try partial.restart(nil)
                } catch {
                    throw place.failure(error)
                }
            }
            total = nil
        }
        return .again
    }

    private var missing: ByteCount? {
        total.map { ByteCount(max(0, $0 - partial.length)) }
    }

    /// Takes a transfer that has begun up again, after a pause.
    private mutating func retry(after error: StorageError) async throws(StorageError) -> Step {
        guard hasBegun, retries < request.retries else { throw error }
        // A request that is cancelled meanwhile is seen as such by the loop.
        try? await Task.sleep(for: .milliseconds(500) * (1 << min(retries, 4)))
        retries += 1
        return .again
    }
}
