//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
public import Hummingbird

/// Tells browsers to allow nothing that is not needed.
public struct ProtectiveHeaders<Context: RequestContext>: RouterMiddleware {
    public init() {}

    @concurrent public func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await Self.answer(request, context, next)
        for (name, value) in Self.headers {
            guard let name = HTTPField.Name(name), response.headers[name] == nil else { continue }
            response.headers[name] = value
        }
        return response
    }

    /// What the router throws for what it does not know has headers, too.
    private static func answer(
        _ request: Request, _ context: Context,
        _ next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return APIError.noSuchPlace.response
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
    }

    /// Pages have a policy of their own; all else shows nothing and runs nothing.
    private static var headers: [(String, String)] {
        [
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Embedder-Policy", "require-corp"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), usb=()"),
            ("Cache-Control", "no-store"),
        ]
    }
}
