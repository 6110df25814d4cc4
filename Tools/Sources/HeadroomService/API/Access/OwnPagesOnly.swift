//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
public import Hummingbird

/// Refuses requests that pages of other origins have made.
///
/// Browsers say where a request is from in `Origin` and `Sec-Fetch-Site`, and pages cannot change that.
/// Programs say nothing. That somebody follows a link from elsewhere to the page itself is no harm: the
/// page has no token then.
public struct OwnPagesOnly<Context: RequestContext>: RouterMiddleware {
    public init() {}

    @concurrent public func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard Self.isOwn(request) else {
            return APIError.foreignOrigin.response
        }
        return try await next(request, context)
    }

    private static func header(_ name: String, of request: Request) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    static func isOwn(_ request: Request) -> Bool {
        if let origin = request.headers[.origin] {
            // `null` is what pages in a sandbox and files have.
            guard let host = request.head.authority,
                origin.lowercased() == "http://\(host)".lowercased()
            else { return false }
        }
        switch header("Sec-Fetch-Site", of: request) {
        case nil, "same-origin", "none": return true
        default:
            return request.method == .get && request.uri.path == "/"
                && header("Sec-Fetch-Mode", of: request) == "navigate"
                && header("Sec-Fetch-Dest", of: request) == "document"
        }
    }
}
