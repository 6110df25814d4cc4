//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomEngine
import HeadroomRequests
import Hummingbird
import Logging

/// Adds the routes of the API to a router: each asks for the token, and answers errors in one form.
struct APIRoutes {
    static let prefix = "/api/v1"

    private let router: Router<BasicRequestContext>
    private let token: APIToken
    private let logger: Logger
    private var methods: [String: [HTTPRequest.Method]] = [:]

    init(_ router: Router<BasicRequestContext>, token: APIToken, logger: Logger) {
        self.router = router
        self.token = token
        self.logger = logger
    }

    /// - Parameters:
    ///   - path: as in the document, with `{id}`.
    ///   - parameters: what the query may have.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, parameters: Set<String> = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> Response
    ) {
        methods[path, default: []].append(method)
        add(method, path) { request, id in
            try await handler(APIRequest(request, id: id, names: parameters))
        }
    }

    /// Says of all other methods that they cannot be done. After all routes were added.
    func finish() {
        for (path, known) in methods {
            let allow = known.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.allMethods where !known.contains(method) {
                add(method, path) { _, _ in throw APIError.notAllowed(method, allow: allow) }
            }
        }
    }

    private static let allMethods: [HTTPRequest.Method] =
        [
            .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
        ] + [HTTPRequest.Method("QUERY")].compactMap { $0 }

    private func add(
        _ method: HTTPRequest.Method, _ path: String,
        _ handler: @escaping @Sendable (Request, String?) async throws -> Response
    ) {
        let token = token
        let logger = logger
        let parts = (Self.prefix + path).split(separator: "/").map { $0 == "{id}" ? ":id" : $0 }
        let place = RouterPath(parts.joined(separator: "/"))
        router.on(place, method: method) { request, context -> Response in
            do {
                // Asked for here and not by the path: there are many ways to write a path.
                guard token.isIn(request.headers[.authorization]) else {
                    throw APIError.unauthorized
                }
                return try await handler(request, context.parameters.get("id"))
            } catch {
                let answer = APIError(any: error)
                if answer.status == .internalServerError {
                    logger.error(
                        "a request failed",
                        metadata: [
                            "method": "\(method.rawValue)", "route": "\(path)", "error": "\(error)",
                        ])
                }
                return answer.response
            }
        }
    }
}
