//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HTTPTypes
package import HeadroomEngine
import SystemPackage

/// Why a request is not answered: a status, a stable code, a sentence, and what to do.
package struct APIError: Error, Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var code: String
    package var message: String
    package var advice: String
    /// The methods that a place knows, for 405.
    package var allow: String?

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, advice: String,
        allow: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.advice = advice
        self.allow = allow
    }

    package var body: APIErrorBody {
        // Names out of a request are in it, which may be long.
        APIErrorBody(
            error: .init(code: code, message: message.shortened(to: 8_000), advice: advice))
    }
}

/// What every error looks like.
package struct APIErrorBody: Encodable, Hashable, Sendable {
    package struct Content: Encodable, Hashable, Sendable {
        package var code: String
        package var message: String
        package var advice: String
    }

    package var error: Content
}

extension APIError {
    // MARK: - Access

    package static let unauthorized = APIError(
        .unauthorized, "unauthorized", "The request has no token, or not the one of this run.",
        advice:
            "Open the address that headroom serve prints at its start, or send the content of the "
            + "file api-token beside the ledger as Authorization: Bearer.")

    package static let foreignOrigin = APIError(
        .forbidden, "foreign-origin", "The request comes from a page of another origin.",
        advice: "Use the page that this service serves, or a program.")

    package static let foreignHost = APIError(
        .misdirectedRequest, "misdirected",
        "This service answers to localhost, 127.0.0.1 and [::1] only.",
        advice: "Use the address that headroom serve prints at its start.")

    // MARK: - Requests

    package static let noSuchPlace = APIError(
        .notFound, "not-found", "There is nothing here.",
        advice: "/api/v1/openapi.json says what there is.")

    package static func notFound(_ message: String, advice: String) -> APIError {
        APIError(.notFound, "not-found", message, advice: advice)
    }

    package static func notAllowed(_ method: HTTPRequest.Method, allow: String) -> APIError {
        APIError(
            .methodNotAllowed, "not-allowed", "\(method.rawValue) cannot be done here.",
            advice: "Use \(allow).", allow: allow)
    }

    package static func bad(_ message: String, advice: String = Self.seeDocument) -> APIError {
        APIError(.badRequest, "bad-request", message, advice: advice)
    }

    package static let seeDocument = "See /api/v1/openapi.json for what is understood."

    package static func tooLarge(_ limit: Int) -> APIError {
        APIError(
            .contentTooLarge, "too-large", "The body has more than \(limit) bytes.",
            advice: "Send several smaller requests.")
    }

    package static let tooSlow = APIError(
        .requestTimeout, "too-slow", "The body did not come within 15 seconds.",
        advice: "Send it again.")

    package static let noJSON = APIError(
        .unsupportedMediaType, "unsupported-type", "The body is not said to be application/json.",
        advice: "Send JSON, with Content-Type: application/json.")

    package static let tooMany = APIError(
        .tooManyRequests, "too-many", "Too much is asked for at once.",
        advice: "Wait for some of it to end.")

    // MARK: - State

    package static let starting = APIError(
        .serviceUnavailable, "unavailable", "The service is starting or ending.",
        advice: "Try again in a moment.")

    package static let reconfigured = APIError.unavailable(
        "The configuration was read again just now, and what was asked for goes by the one before.")

    package static func unavailable(_ message: String) -> APIError {
        APIError(.serviceUnavailable, "unavailable", message, advice: "Try again later.")
    }

    package static func conflict(_ code: String, _ message: String, advice: String) -> APIError {
        APIError(.conflict, code, message, advice: advice)
    }

    package static func busy(_ message: String) -> APIError {
        conflict("busy", message, advice: "Wait until that has ended.")
    }

    /// An error of the engine, whose sentences are for people already.
    package init(_ error: HeadroomError) {
        let (status, code, advice): (HTTPResponse.Status, String, String) =
            switch error.code {
            case .notFound: (.notFound, "not-found", "Check the path.")
            case .notPermitted:
                (.forbidden, "not-permitted", "Run the service as the user who owns it.")
            case .readOnly:
                (.forbidden, "read-only", "Remount the volume read-write, then try again.")
            case .unsupported:
                (.forbidden, "unsupported", "Use a file system that supports this.")
            case .invalid: (.badRequest, "bad-request", "Check the path.")
            case .refused: (.forbidden, "refused", "It is not safe, and is not done.")
            case .busy: (.conflict, "busy", "Wait until that has ended.")
            default:
                // A name that no file system takes is whoever asks's.
                error.cause == .fileNameTooLong || error.cause == .tooManySymbolicLinkLevels
                    ? (.badRequest, "bad-request", "Check the path.")
                    : (.serviceUnavailable, "unavailable", "Try again later.")
            }
        self.init(status, code, error.message, advice: advice)
    }

    /// Any error: what nobody foresaw is a mistake of ours, and its words are for the log.
    package init(any error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as HeadroomError: self.init(error)
        case is CancellationError: self = .starting
        default:
            self.init(
                .internalServerError, "internal", "Something went wrong that should not.",
                advice: "Look into the log of headroom serve, and report it.")
        }
    }
}
