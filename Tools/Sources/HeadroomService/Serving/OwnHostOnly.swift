//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
public import Hummingbird

/// Refuses requests that were meant for another host.
///
/// A page on the web can make a browser ask for its own name after that name was made to lead here (DNS
/// rebinding); then the header `Host` has that name.
public struct OwnHostOnly<Context: RequestContext>: RouterMiddleware {
    public init() {}

    @concurrent public func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The first is the authority; by a second it is not known which of them was meant.
        guard Self.isOwn(request.head.authority),
            !request.headers.contains(where: { $0.name.canonicalName == "host" })
        else {
            return APIError.foreignHost.response
        }
        return try await next(request, context)
    }

    /// - Parameter authority: the header; nil: there was none, which no browser does.
    static func isOwn(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        var host = authority[...]
        if host.hasPrefix("[") {
            return host == "[::1]" || host.hasPrefix("[::1]:")
        }
        if let colon = host.lastIndex(of: ":") { host = host[..<colon] }
        if host.lowercased() == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
