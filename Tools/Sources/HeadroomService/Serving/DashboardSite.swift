//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
public import HeadroomDashboard
public import Hummingbird

/// Serves the pages of the dashboard at `/`.
///
/// They need no token: there is nothing in them but what everybody can read who has the program.
public struct DashboardSite: Sendable {
    private let resources: DashboardResources

    public init(_ resources: DashboardResources) {
        self.resources = resources
    }

    /// Nothing but our own files, no script or style within a page, and no page around it.
    static let policy =
        // mutation: r38b-1
        // mutation: r38b-2
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds a route for each file.
    public func addRoutes(to router: Router<BasicRequestContext>) {
        guard let index = resources.files["index.html"] else {
            let text = resources.adviceWhereMissing + "\n"
            router.get("/") { _, _ -> Response in
                Response(
                    status: .serviceUnavailable,
                    headers: [.contentType: "text/plain; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            }
            return
        }
        add(index, at: "/", to: router)
        for (name, file) in resources.files { add(file, at: "/\(name)", to: router) }
    }

    private func add(
        _ file: DashboardResources.File, at path: String, to router: Router<BasicRequestContext>
    ) {
        let body = ByteBuffer(bytes: file.bytes)
        for method in [HTTPRequest.Method.get, .head] {
            router.on(RouterPath(path), method: method) { request, _ -> Response in
                let headers: HTTPFields = [
                    .contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache",
                    .contentSecurityPolicy: Self.policy,
                ]
                let known = request.headers[values: .ifNoneMatch].joined(separator: ",")
                if known.split(separator: ",").contains(where: {
                    $0.filter { $0 != " " } == file.tag
                }) {
                    return Response(status: .notModified, headers: headers)
                }
                return Response(
                    status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
            }
        }
    }
}
