//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import HeadroomEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Posts notices as JSON to an address, and tries again a few times where that may help.
public struct WebhookTeller: Teller {
    public let name = "webhook"
    private let address: URL
    private let timeLimit: Duration
    private let pause: @Sendable (Duration) async throws -> Void

    /// How often a notice is posted at most.
    static let attempts = 3

    /// - Parameters:
    ///   - timeLimit: of each attempt.
    ///   - pause: waits between two attempts.
    /// - Throws: `invalid` if the address is none.
    public init(
        address: String, timeLimit: Duration,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) throws(HeadroomError) {
        guard let url = URL(string: address), url.host() != nil else {
            throw HeadroomError(
                .invalid, "The webhook is not an address. Correct notifications: webhook.")
        }
        self.address = url
        self.timeLimit = timeLimit
        self.pause = pause
    }

    public func tell(_ notice: Notice) async throws(HeadroomError) {
        var request = URLRequest(url: address)
        request.httpMethod = "POST"
        request.httpBody = Data(notice.json)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("headroom", forHTTPHeaderField: "User-Agent")
        request.timeoutInterval = Double(timeLimit.components.seconds)
        for attempt in 1...Self.attempts {
            let failure = await post(request)
            guard let failure else { return }
            guard failure.mayPass, attempt < Self.attempts else {
                throw HeadroomError(
                    .io,
                    "The notice could not be posted to \(address.host() ?? ""): \(failure.text), "
                        + "after \(attempt == 1 ? "one attempt" : "\(attempt) attempts"). Check "
                        + "notifications: webhook, and that the address answers.")
            }
            do {
                try await pause(.seconds(2 * attempt))
            } catch {
                throw HeadroomError(.io, "The notice was not posted: the service ends.")
            }
        }
    }

    private struct Failure {
        var text: String
        /// Later it may work.
        var mayPass: Bool
    }

    /// - Returns: nil if it was taken.
    private func post(_ request: URLRequest) async -> Failure? {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = request.timeoutInterval
        configuration.timeoutIntervalForResource = request.timeoutInterval
        let session = URLSession(
            configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        do {
            let (_, response) = try await session.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if (200..<300).contains(status) { return nil }
            return Failure(
                text: "it answered with status \(status)",
                mayPass: status >= 500 || status == 408 || status == 429)
        } catch {
            return Failure(
                text: (error as? URLError)?.localizedDescription ?? "\(error)", mayPass: true)
        }
    }
}

/// A notice goes where the configuration says, and nowhere else.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
