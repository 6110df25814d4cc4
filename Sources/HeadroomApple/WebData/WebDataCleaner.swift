//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Removes what web views keep, through WebKit; its directories are never touched.
///
///     try await WebDataCleaner().remove(WebDataSelection(domains: ["example.org"]))
public struct WebDataCleaner: Sendable {
    private let store: any WebDataStoring

    package init(_ store: any WebDataStoring) {
        self.store = store
    }

    /// What there is, by site. WebKit does not tell how large it is.
    public func records(of kinds: Set<WebDataKind> = WebDataKind.caches) async -> [WebDataRecord] {
        await store.records(of: kinds)
    }

    /// Removes what is selected.
    ///
    /// - Returns: the domains of the selection of which there was nothing.
    /// - Throws: ``WebDataError`` for a selection by domain *and* time: WebKit can do either.
    @discardableResult
    public func remove(
        _ selection: WebDataSelection = .init()
    ) async throws(WebDataError) -> Set<String> {
        guard !selection.kinds.isEmpty else { return [] }
        guard let domains = selection.domains else {
            await store.remove(
                selection.kinds,
                modifiedSince: selection.modifiedSince ?? Date(timeIntervalSince1970: 0))
            return []
        }
        guard selection.modifiedSince == nil else {
            throw WebDataError(
                message:
                    "Web data were not removed: WebKit removes them by site or by time, not by "
                    + "both. Leave out domains or modifiedSince.")
        }
        let known = await store.records(of: selection.kinds).map(\.domain)
        var found: Set<String> = []
        var missing: Set<String> = []
        for domain in domains {
            // As WebKit writes it. A site is meant as a whole; a name below it is none.
            let names = known.filter { $0.lowercased() == domain.lowercased() }
            if names.isEmpty { missing.insert(domain) } else { found.formUnion(names) }
        }
        if !found.isEmpty { await store.remove(selection.kinds, ofDomains: found) }
        return missing
    }
}
