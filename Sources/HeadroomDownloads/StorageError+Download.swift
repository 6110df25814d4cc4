//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomPlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension StorageError {
    static func status(_ status: Int, of url: URL) -> StorageError {
        let meaning =
            switch status {
            case 401, 403: "it does not let us. Check the headers of the request"
            case 404, 410: "it is not there. Check the address"
            case 429: "we ask too often. Try again later"
            case 500...: "it has a problem of its own. Try again later"
            default: "which is no file. Check the address"
            }
        return StorageError(
            .httpStatus,
            "Could not download \(url.shown): the server answered \(status): \(meaning).",
            httpStatus: status)
    }

    static func tooLong(_ url: URL, total: ByteCount) -> StorageError {
        StorageError(
            .corrupt,
            "Could not download \(url.shown): the server sent more than the \(total) it had "
                + "announced. Tell whoever runs it.")
    }

    static func tooShort(_ url: URL, received: Int64, total: Int64) -> StorageError {
        StorageError(
            .corrupt,
            "Could not download \(url.shown): it ended after \(ByteCount(received)) of "
                + "\(ByteCount(total)). What came is kept; try again to go on with it.")
    }

    static func wrongDigest(
        _ url: URL, found: SHA256Digest, expected: SHA256Digest
    ) -> StorageError {
        StorageError(
            .corrupt,
            "What came from \(url.shown) is not what was expected: its SHA-256 is \(found), not "
                + "\(expected). It was thrown away.")
    }

    static func stalled(_ url: URL, after timeout: Duration, received: Int64) -> StorageError {
        StorageError(
            .timedOut,
            "Could not download \(url.shown): nothing came for \(timeout), "
                + "after \(ByteCount(received)) had come. What came is kept; try again to go on with it."
        )
    }

    static func cancelled(_ url: URL) -> StorageError {
        StorageError(
            .cancelled,
            "The download of \(url.shown) was cancelled. What came is kept as a temporary file.")
    }

    static func changing(_ url: URL) -> StorageError {
        StorageError(
            .corrupt,
            "Could not download \(url.shown): the server's answers contradict each other about what "
                + "it has. Try again later.")
    }

    static func network(_ url: URL, _ error: any Error, received: Int64) -> StorageError {
        let reason = (error as NSError).localizedDescription
        let isTimeout = (error as? URLError)?.code == .timedOut
        if received > 0 {
            return StorageError(
                isTimeout ? .timedOut : .network,
                "The download of \(url.shown) broke off after \(ByteCount(received)): \(reason). "
                    + "What came is kept; try again to go on with it.")
        }
        return StorageError(
            isTimeout ? .timedOut : .network,
            "Could not download \(url.shown): \(reason). Check the address and the network.")
    }
}

extension URL {
    /// For messages: without what may be secret.
    var shown: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return "the URL"
        }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "the URL"
    }
}
