//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import Logging

/// Writes notices to the log: errors for what is urgent, warnings for what may become so.
///
/// What the log has a line about already (``Notice/isInLog``) it does not get once more.
public struct LogTeller: Teller {
    public let name = "log"
    private let logger: Logger

    public init(logger: Logger) {
        self.logger = logger
    }

    public func tell(_ notice: Notice) async throws(HeadroomError) {
        guard !notice.isInLog else { return }
        var metadata: Logger.Metadata = [
            "kind": "\(notice.kind.rawValue)", "text": "\(notice.text)",
        ]
        if let volume = notice.volume { metadata["volume"] = "\(volume.displayText)" }
        if let level = notice.level { metadata["level"] = "\(level.name)" }
        if let subject = notice.subject { metadata["subject"] = "\(subject)" }
        for (name, figure) in notice.figures { metadata[name] = "\(figure)" }
        let level: Logger.Level =
            switch notice.urgency {
            case .high: .error
            case .medium: .warning
            case .low: .notice
            }
        logger.log(level: level, "storage notice", metadata: metadata)
    }
}
