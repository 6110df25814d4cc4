//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
package import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// Long work, as it is now.
package struct APIJob: Encodable, Hashable, Sendable {
    package enum Kind: String, Encodable, Sendable {
        case scan, purge, audit, disposal, survey, modules

        /// Of those that change the disk, one runs at a time.
        var changesDisk: Bool {
            switch self {
            case .scan, .audit, .survey: false
            case .purge, .disposal, .modules: true
            }
        }
    }

    package enum State: String, Encodable, Sendable {
        case running, done, cancelled, failed
    }

    package struct Progress: Encodable, Hashable, Sendable {
        var items = 0
        var bytes: Int64 = 0
        var skipped = 0
        var totalItems: Int?
        var totalBytes: Int64?
        var gainedBytes: Int64?
        var currentPath: String?
        var currentPathBytes: String?
        var phase: String?

        package init() {}

        package init(_ progress: PurgeProgress, items: Int? = nil, bytes: Int64? = nil) {
            self.items = progress.removed
            self.bytes = progress.freed.apiSize
            skipped = progress.skipped
            totalItems = items
            totalBytes = bytes
            gainedBytes = progress.gained?.bytes
            note(progress.currentPath)
        }

        init(_ progress: ScanProgress) {
            items = progress.files + progress.directories
            bytes = progress.allocated.apiSize
            note(progress.currentPath)
        }

        private mutating func note(_ path: FilePath?) {
            let text = path.map { PathText($0) }
            currentPath = text?.text
            currentPathBytes = text?.encoded
        }
    }

    package var id: String
    var kind: Kind
    package var state = State.running
    var title: String
    var started: String
    var ended: String?
    var progress = Progress()
    var error: APIErrorBody.Content?
    var receipt: String?
    var receipts: [String]?
    var audit: String?
    var modules: [APIModuleReport]?
    var unlistedModules: Int?
    var modulesInTrouble: Int?
    var text: String?
}

/// What came of a job.
package struct JobOutcome: Sendable {
    var receipt: String?
    var receipts: [String]?
    var audit: String?
    var modules: [APIModuleReport]?
    /// How many there are beside those.
    var unlistedModules: Int?
    /// How many of all that failed or did not return.
    var modulesInTrouble: Int?
    /// A sentence.
    var text: String
    var wasCancelled = false

    package init(
        receipt: String? = nil, receipts: [String]? = nil, audit: String? = nil,
        text: String, wasCancelled: Bool = false
    ) {
        self.receipt = receipt
        self.receipts = receipts
        self.audit = audit
        self.text = text
        self.wasCancelled = wasCancelled
    }

    /// What modules have done, with as many reports as fit.
    init(_ run: ModuleRun, text: String, wasCancelled: Bool) {
        self.init(text: text, wasCancelled: wasCancelled)
        let list = APIModuleReport.list(run.modules)
        modules = list
        let unlisted = run.modules.count - list.count
        unlistedModules = unlisted > 0 ? unlisted : nil
        modulesInTrouble = run.modules.count(where: \.isInTrouble)
    }
}

/// What is to be done as a job.
package struct JobWork: Sendable {
    /// Known before it starts, for who has to name it.
    var id: String
    var kind: APIJob.Kind
    var title: String
    /// The number of the configuration that says what it may do; nil: it goes by none.
    var configuration: Int?
    /// As it is now; asked from any thread.
    var progress: @Sendable () -> APIJob.Progress
    /// Asks it to end soon; called from any thread.
    var cancel: @Sendable () -> Void
    var body: @Sendable () async throws -> JobOutcome

    package init(
        id: String = JobBoard.makeID(), kind: APIJob.Kind, title: String,
        configuration: Int? = nil, progress: @escaping @Sendable () -> APIJob.Progress,
        cancel: @escaping @Sendable () -> Void,
        body: @escaping @Sendable () async throws -> JobOutcome
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.configuration = configuration
        self.progress = progress
        self.cancel = cancel
        self.body = body
    }
}
