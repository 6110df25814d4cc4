//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which data of web views are meant.
///
/// Only caches unless others are named: with cookies or storage go logins and what people wrote.
public struct WebDataSelection: Hashable, Sendable {
    public var kinds = WebDataKind.caches
    /// Of which sites: their registrable domains, as `example.org`; nil: of all.
    public var domains: Set<String>?
    /// Only what a site has changed after that; nil: all.
    public var modifiedSince: Date?

    public init(
        kinds: Set<WebDataKind> = WebDataKind.caches, domains: Set<String>? = nil,
        modifiedSince: Date? = nil
    ) {
        self.kinds = kinds
        self.domains = domains
        self.modifiedSince = modifiedSince
    }
}

/// Why web data could not be removed as asked.
public struct WebDataError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String
    public var description: String { message }
}

/// What of a site web views keep.
public struct WebDataRecord: Hashable, Sendable {
    /// The registrable domain, or what WebKit shows in its place (`Local documents on your device`).
    public var domain: String
    public var kinds: Set<WebDataKind>

    public init(domain: String, kinds: Set<WebDataKind>) {
        self.domain = domain
        self.kinds = kinds
    }
}
