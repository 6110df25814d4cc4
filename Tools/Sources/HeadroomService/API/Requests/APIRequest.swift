//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
import Hummingbird
import NIOCore

/// A request as a route sees it: its parameters checked, its body not yet read.
struct APIRequest: Sendable {
    private let request: Request
    let query: RequestQuery
    /// What stands in the place of `{id}`.
    let id: String

    /// A body has no more bytes.
    static let bodyLimit = 1 << 20
    private static let bodyTime: Duration = .seconds(15)

    /// - Parameter names: the parameters that the route knows.
    init(_ request: Request, id: String?, names: Set<String>) throws(APIError) {
        self.request = request
        self.id = id ?? ""
        query = try RequestQuery(request.uri.query ?? "", names: names)
    }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    // MARK: - Body

    /// The members of the body.
    func members() async throws -> JSONMembers {
        try JSONMembers(JSONValue(try await body()), "The body")
    }

    private func body() async throws -> [UInt8] {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        guard type.filter({ $0 != " " }) == "application/json" else { throw APIError.noJSON }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }),
            length > Self.bodyLimit
        {
            throw APIError.tooLarge(Self.bodyLimit)
        }
        let body = request.body
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                do {
                    let buffer = try await body.collect(upTo: Self.bodyLimit)
                    return Array(buffer.readableBytesView)
                } catch is NIOTooManyBytesError {
                    throw APIError.tooLarge(Self.bodyLimit)
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    throw APIError.bad("The body could not be read.")
                }
            }
            group.addTask {
                try await Task.sleep(for: Self.bodyTime)
                throw APIError.tooSlow
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}
