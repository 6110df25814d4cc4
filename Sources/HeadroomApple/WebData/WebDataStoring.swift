//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The store of a web view's data (`WKWebsiteDataStore`), as far as cleaning needs it.
package protocol WebDataStoring: Sendable {
    func records(of kinds: Set<WebDataKind>) async -> [WebDataRecord]

    /// Removes the kinds of these sites, and nothing of others.
    func remove(_ kinds: Set<WebDataKind>, ofDomains domains: Set<String>) async

    /// Removes what was changed after a time, of all sites.
    func remove(_ kinds: Set<WebDataKind>, modifiedSince time: Date) async
}
