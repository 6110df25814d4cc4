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

/// One call of `download`.
struct DownloadOperation: Sendable {
    let storage: Storage
    let request: DownloadRequest
    let place: DownloadPlace
    let room: DownloadRoom
    let reporter: ProgressReporter

    /// Others are asked so often how far they are.
    private static let pollInterval: Duration = .milliseconds(50)

    /// - Throws: `invalidName`, or `refused` for a request that cannot be sent.
    init(
        _ storage: Storage, _ request: DownloadRequest,
        _ progress: (@Sendable (DownloadProgress) -> Void)?
    ) throws(StorageError) {
        let url = request.url.absoluteURL
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            url.host?.isEmpty == false
        else {
            throw StorageError(
                .refused,
                "“\(url.shown)” cannot be downloaded: only http and https are, from a server. Copy "
                    + "a file with save(contentsOf:as:named:).")
        }
        let own: Set = ["range", "if-range", "accept-encoding"]
        if let header = request.headers.keys.first(where: { own.contains($0.lowercased()) }) {
            throw StorageError(
                .refused, "The header \(header) is the download's own. Leave it out.")
        }
        guard request.stallTimeout > .zero, request.retries >= 0 else {
            throw StorageError(
                .refused,
                "A timeout of 0, or less than no retries, makes no sense. Use the defaults.")
        }
        self.storage = storage
        self.request = request
        let name =
            request.name
            ?? DownloadName.name(lastComponent: url.lastPathComponent, url: url.absoluteString)
        place = try DownloadPlace(
            storage, url: url.absoluteString, shown: url.shown, intent: request.intent,
            collection: request.collection, name: name)
        room = DownloadRoom(storage, place)
        reporter = ProgressReporter(progress)
    }

    func run() async throws(StorageError) -> DownloadResult {
        let opened = try await blocking { () throws(StorageError) in try place.open() }
        while true {
            if Task.isCancelled { throw .cancelled(request.url) }
            switch try await blocking({ () throws(StorageError) in try opened.turn() }) {
            case .ours(let partial):
                return try await download(into: partial, at: opened)
            case .done(let bytes):
                return .finished(try await finishedElsewhere(bytes, opened))
            case .others(let bytes):
                reporter.report(bytes.bytes, nil)
                // Cancelled: seen above.
                try? await Task.sleep(for: Self.pollInterval)
            }
        }
    }

    private func download(
        into partial: PartialDownload, at opened: OpenedPlace
    ) async throws(StorageError) -> DownloadResult {
        var run = DownloadRun(operation: self, partial: partial)
        let ending: DownloadRun.Ending
        do throws(StorageError) {
            ending = try await run.fetch()
        } catch {
            await blocking { partial.abandon() }
            throw error
        }
        switch ending {
        case .declined(let advice):
            await blocking { partial.abandon() }
            return .declined(advice)
        case .complete:
            let bytes = partial.length
            try await blocking { () throws(StorageError) in try finish(partial, opened) }
            reporter.report(bytes, bytes, isLast: true)
            return .finished(
                DownloadedFile(
                    url: URL(filePath: place.path.string), bytes: ByteCount(bytes),
                    resumed: ByteCount(run.inherited), responseURL: run.responseURL))
        }
    }

    /// Verifies the file and puts it into its place. Blocks.
    private func finish(
        _ partial: PartialDownload, _ opened: OpenedPlace
    ) throws(StorageError) {
        do throws(StorageError) {
            // mutation: r34e-1
            try verify(partial)
            try publish(partial, opened)
        } catch {
            if error.code == .corrupt { partial.discard() } else { partial.abandon() }
            throw error
        }
    }

    private func verify(_ partial: PartialDownload) throws(StorageError) {
        guard let expected = request.expected else { return }
        let found: SHA256Digest
        do throws(Errno) {
            found = try partial.digest()
        } catch {
            throw place.failure(error)
        }
        guard found == expected else {
            throw .wrongDigest(request.url, found: found, expected: expected)
        }
    }

    /// A new name may need a block: if there is none, room is made once.
    private func publish(
        _ partial: PartialDownload, _ opened: OpenedPlace
    ) throws(StorageError) {
        let kept: Storage.Reservation?
        do throws(Errno) {
            return try opened.publish(partial)
        } catch {
            guard error == .noSpace || error == .diskQuotaExceeded else {
                throw place.failure(error)
            }
            kept = try room.free(forWriting: .zero, after: error)
        }
        defer { kept?.finish() }
        do throws(Errno) {
            try opened.publish(partial)
        } catch {
            throw place.failure(error)
        }
    }

    private func finishedElsewhere(
        _ bytes: ByteCount, _ opened: OpenedPlace
    ) async throws(StorageError) -> DownloadedFile {
        if let expected = request.expected {
            let found = try await blocking { () throws(StorageError) in try opened.digest() }
            guard found == expected else {
                throw .wrongDigest(request.url, found: found, expected: expected)
            }
        }
        reporter.report(bytes.bytes, bytes.bytes, isLast: true)
        return DownloadedFile(url: URL(filePath: place.path.string), bytes: bytes, isShared: true)
    }

    func blocking<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        try await BlockingPool.shared.run(body)
    }
}
