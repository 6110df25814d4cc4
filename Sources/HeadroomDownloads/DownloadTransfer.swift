//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomPlatform
import HeadroomWorkspace
import Synchronization
import SystemPackage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts one response into the unfinished file.
///
/// Decides what the response means for what is there already: goes on with it, starts anew, or stops.
final class DownloadTransfer: ResponseReceiver {
    /// Why no more of the response was taken.
    enum Stop: Sendable {
        /// Too little room for what is to come: room has to be made, or it is declined.
        case needsRoom
        /// The volume is full.
        case full(Errno)
        /// What is there does not fit what the server has now.
        case mustRestart
        case failed(StorageError)
    }

    struct State: Sendable {
        var stop: Stop?
        /// The length of the whole, once the server has told.
        var total: Int64?
        var reservation: Storage.Reservation?
        var responseURL: URL?
        /// What is there has been thrown away.
        var hasRestarted = false
        var hasBegun = false
        fileprivate var reduced: Int64 = 0
        fileprivate var checked: Int64 = 0
    }

    private let request: DownloadRequest
    private let partial: PartialDownload
    /// Nil: it is tried whatever room there is.
    private let room: DownloadRoom?
    private let place: DownloadPlace
    private let reporter: ProgressReporter
    /// Where the request asked to go on; nil: it asked for the whole.
    private let offset: Int64?
    private let state: Mutex<State>

    /// So often is it looked whether there is still room, and written room given back.
    private static let interval: Int64 = 16 << 20
    private static let reduction: Int64 = 1 << 20

    init(
        _ request: DownloadRequest, _ partial: PartialDownload, _ place: DownloadPlace,
        room: DownloadRoom?, reservation: Storage.Reservation?, offset: Int64?,
        reporter: ProgressReporter
    ) {
        self.request = request
        self.partial = partial
        self.place = place
        self.room = room
        self.offset = offset
        self.reporter = reporter
        let length = partial.length
        state = Mutex(
            State(
                total: partial.state?.total, reservation: reservation, reduced: length,
                checked: length))
    }

    /// What it has come to.
    var result: State { state.withLock { $0 } }

    private func stop(_ reason: Stop) -> Bool {
        state.withLock { $0.stop = reason }
        return false
    }

    // MARK: - The head

    func receive(_ response: HTTPURLResponse) -> Bool {
        state.withLock { state in
            state.responseURL = response.url
            state.hasBegun = true
        }
        do throws(Errno) {
            switch response.statusCode {
            case 206:
                guard let offset, continues(response, at: offset) else {
                    return stop(.mustRestart)
                }
            case 200, 203:
                try startAnew(with: response)
            case 416 where offset != nil:
                return stop(.mustRestart)
            default:
                return stop(.failed(.status(response.statusCode, of: request.url)))
            }
        } catch {
            return stop(full(error))
        }
        // What is there already, before more of it comes.
        if partial.length > 0 { reporter.report(partial.length, state.withLock { $0.total }) }
        return keepRoom()
    }

    /// Whether a part is what was asked for, of the version that is there.
    private func continues(_ response: HTTPURLResponse, at offset: Int64) -> Bool {
        guard !response.isEncoded, let known = partial.state,
            let range = response.header("Content-Range").flatMap(ContentRange.init),
            range.range.lowerBound == offset
        else { return false }
        if let total = known.total ?? range.total {
            guard range.total ?? total == total, range.range.upperBound < total else {
                return false
            }
            state.withLock { $0.total = total }
        }
        // mutation: r34d-1 (3 lines)
        if case .entityTag(let tag) = known.version, let now = response.header("ETag"), now != tag {
            return false
        }
        return true
    }

    private func startAnew(with response: HTTPURLResponse) throws(Errno) {
        // What is decoded on the way has another length, and cannot be resumed by its offset.
        let total = response.isEncoded ? nil : response.header("Content-Length").flatMap(Int64.init)
        let version =
            response.isEncoded
            ? nil
            : ResourceVersion(
                entityTag: response.header("ETag"), modified: response.header("Last-Modified"),
                date: response.header("Date"))
        let hadContent = partial.length > 0
        try partial.restart(version.map { DownloadState(version: $0, total: total) })
        state.withLock { state in
            state.total = total
            state.hasRestarted = state.hasRestarted || hadContent
        }
    }

    /// Reserves the room for what is to come, if it is there.
    private func keepRoom() -> Bool {
        guard let room else { return true }
        let (total, reservation) = state.withLock { ($0.total, $0.reservation) }
        guard let total else {
            // Without a length there is only the reserve to keep free.
            let suffices = (try? room.suffices(for: .zero, own: .zero)) ?? true
            return reservation != nil || suffices || stop(.needsRoom)
        }
        let remaining = ByteCount(max(0, total - partial.length))
        if let reservation, reservation.bytes >= remaining { return true }
        reservation?.finish()
        do {
            guard let kept = try room.keepFree(remaining) else { return stop(.needsRoom) }
            state.withLock { state in
                state.reservation = kept
                state.reduced = partial.length
            }
        } catch {
            // Where nothing can be reserved, the volume itself says when it is full.
        }
        return true
    }

    // MARK: - The body

    func receive(_ data: Data) -> Bool {
        let (total, before) = (state.withLock { $0.total }, partial.length)
        if let total, before + Int64(data.count) > total {
            return stop(.failed(.tooLong(request.url, total: ByteCount(total))))
        }
        do throws(Errno) {
            try partial.append(data.bytes)
        } catch {
            return stop(full(error))
        }
        let length = partial.length
        reporter.report(length, total)
        giveBack(length)
        return checkRoom(length, total)
    }

    private func full(_ error: Errno) -> Stop {
        error == .noSpace || error == .diskQuotaExceeded
            ? .full(error) : .failed(place.failure(error))
    }

    private func giveBack(_ length: Int64) {
        state.withLock { state in
            guard let reservation = state.reservation, length - state.reduced >= Self.reduction
            else { return }
            reservation.reduce(by: ByteCount(length - state.reduced))
            state.reduced = length
        }
    }

    /// Others write too: what was there at the beginning need not be there now.
    private func checkRoom(_ length: Int64, _ total: Int64?) -> Bool {
        guard let room else { return true }
        let own = state.withLock { state -> ByteCount? in
            guard length - state.checked >= Self.interval else { return nil }
            state.checked = length
            return state.reservation?.bytes ?? .zero
        }
        guard let own else { return true }
        let remaining = ByteCount(max(0, (total ?? length) - length))
        // A volume that does not say how full it is will say when it is.
        let suffices = (try? room.suffices(for: remaining, own: own)) ?? true
        return suffices || stop(.needsRoom)
    }
}

extension HTTPURLResponse {
    func header(_ name: String) -> String? { value(forHTTPHeaderField: name) }

    /// Whether the server has compressed it although it was asked not to.
    fileprivate var isEncoded: Bool {
        guard let encoding = header("Content-Encoding")?.lowercased() else { return false }
        return !encoding.isEmpty && encoding != "identity"
    }
}
