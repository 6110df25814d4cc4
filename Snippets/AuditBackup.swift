//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Audit a backup”.

import Foundation
import Headroom

func audit(_ storage: Storage) async throws {
    // snippet.audit
    let audit = try await storage.audit()
    print("\(audit.backup.total.allocated) are backed up")
    print("\(audit.backup.recreatable) of that could be had again")
    for finding in audit.findings {
        print(finding.severity.name, finding.path, finding.bytes, finding.text)
    }
    // snippet.end
    // snippet.repair
    for repair in await storage.repair(audit) {
        print(repair.finding.path, repair.failure ?? "done")
    }
    // snippet.end
}

func limits(_ storage: Storage) async throws {
    // snippet.options
    var options = AuditOptions()
    options.largeEach = .megabytes(50)
    options.largestPerKind = 20
    let audit = try await storage.audit(options)
    // snippet.end
    print(audit.largest.count)
}

func largest(_ storage: Storage) async throws {
    // snippet.largest
    for file in try await storage.largestFiles(3, unusedFor: .seconds(90 * 86_400)) {
        print(file.kind, file.allocated, file.path)
    }
    // snippet.end
}

func copied(_ folder: URL) async throws {
    // snippet.container
    let storage = try Storage(container: folder, owner: "Podcaster")
    let audit = try await storage.audit()
    // snippet.end
    print(audit.findings.count)
}
