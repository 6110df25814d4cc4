//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomEngine
import Hummingbird
import NIOCore
import SystemPackage

/// A request as a route sees it: its parameters checked, its body not yet read.
struct APIRequest: Sendable {
    private let request: Request
    private let query: [String: [UInt8]]
    /// What stands in the place of `{id}`.
    let id: String

    /// A body has no more bytes.
    static let bodyLimit = 1 << 20
    private static let bodyTime: Duration = .seconds(15)

    /// - Parameter names: the parameters that the route knows.
    init(_ request: Request, id: String?, names: Set<String>) throws(APIError) {
        self.request = request
        self.id = id ?? ""
        var query: [String: [UInt8]] = [:]
        for part in (request.uri.query ?? "").split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let nameBytes = PathText.percentDecoded(sides[0], plusIsSpace: true),
                let value = PathText.percentDecoded(
                    sides.count > 1 ? sides[1] : "", plusIsSpace: true)
            else { throw .bad("The query is not percent-encoded as it should be.") }
            let name = String(decoding: nameBytes, as: UTF8.self)
            guard names.contains(name) else {
                throw .bad("The parameter “\(name.prefix(80))” is not known.")
            }
            guard query.updateValue(value, forKey: name) == nil else {
                throw .bad("The parameter “\(name)” stands twice.")
            }
        }
        self.query = query
    }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    // MARK: - Parameters

    func text(_ name: String, limit: Int = 400) throws(APIError) -> String? {
        guard let bytes = query[name] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty,
            text.unicodeScalars.count <= limit
        else { throw .bad("The parameter “\(name)” is no text of at most \(limit) characters.") }
        return text
    }

    func integer(
        _ name: String, _ range: ClosedRange<Int>, default usual: Int
    ) throws(APIError) -> Int {
        guard let bytes = query[name] else { return usual }
        guard let text = String(validating: bytes, as: UTF8.self),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
            range.contains(value)
        else {
            throw .bad(
                "The parameter “\(name)” is not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return value
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, default usual: Choice
    ) throws(APIError) -> Choice {
        guard let bytes = query[name] else { return usual }
        guard let choice = Choice(rawValue: String(decoding: bytes, as: UTF8.self)) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .bad("The parameter “\(name)” is none of: \(known).")
        }
        return choice
    }

    func has(_ name: String) -> Bool { query[name] != nil }

    /// A path in all its bytes.
    func path(_ name: String) throws(APIError) -> FilePath? {
        guard let bytes = query[name] else { return nil }
        return try FilePath(requested: bytes)
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
