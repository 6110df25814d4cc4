//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomRequests

/// The last audits.
actor AuditShelf {
    private var audits: [APIAudit] = []
    private static let limit = 4

    func keep(_ audit: APIAudit) {
        audits.append(audit)
        if audits.count > Self.limit { audits.removeFirst() }
    }

    func audit(_ id: String) throws(APIError) -> APIAudit {
        guard let audit = audits.first(where: { $0.id == id }) else {
            throw .notFound(
                "There is no audit “\(id.prefix(80))”, or it has been forgotten.",
                advice: "Begin one with POST /api/v1/audits.")
        }
        return audit
    }
}
