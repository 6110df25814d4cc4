//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
public import Hummingbird

/// Rejects requests that were meant for another host.
///
/// A page on the web can make a browser ask for its own name after that name was made to lead here (DNS
/// rebinding); then the header `Host` has that name. HTTP/1.1 requires exactly one `Host` (RFC 9112,
/// section 3.2).
public struct OwnHostOnly<Context: RequestContext>: RouterMiddleware {
    public init() {}

    @concurrent public func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // mutation: r38a-1/1
        guard request.head.authority?.isEmpty == false else {
            return APIError.bad(
                "The request has no Host header.",
                advice: "Send one, such as Host: localhost."
            ).response
        }
        // The first is the authority; by a second it is not known which of them was meant.
        guard Self.isOwn(request.head.authority),
            !request.headers.contains(where: { $0.name.canonicalName == "host" })
        else {
            return APIError.foreignHost.response
        }
        return try await next(request, context)
    }

    /// - Parameter authority: the header; nil: the request has no such header.
    static func isOwn(_ authority: String?) -> Bool {
        // mutation: r38a-1/2
        guard let authority, let (host, port) = split(authority) else { return false }
        if let port {
            guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(port), number > 0
            else { return false }
        }
        if host == "[::1]" || host.lowercased() == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                // As addresses are written: no sign, no leading zero.
                UInt8(part).map { "\($0)" == part } ?? false
            }
    }

    /// The host and the port of an authority; nil if it has more than these.
    private static func split(_ authority: String) -> (host: Substring, port: Substring?)? {
        var host = authority[...]
        var rest = Substring()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            rest = host[host.index(after: end)...]
            host = host[...end]
        } else if let colon = host.firstIndex(of: ":") {
            rest = host[colon...]
            host = host[..<colon]
        }
        if rest.isEmpty { return (host, nil) }
        guard rest.hasPrefix(":") else { return nil }
        return (host, rest.dropFirst())
    }
}
