//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Logging

/// Quotes the values of metadata, so that a file or process cannot forge fields or lines of the log by its
/// name: `path="/data/a reason=forged"`.
struct QuotingLogHandler: LogHandler {
    private var inner: StreamLogHandler

    init(_ inner: StreamLogHandler) { self.inner = inner }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue.mapValues(Self.quoted) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue.map(Self.quoted) }
    }

    func log(event: LogEvent) {
        var metadata = event.metadata ?? [:]
        if let error = event.error { metadata["error"] = "\(error)" }
        inner.log(
            event: LogEvent(
                level: event.level, message: "\("\(event.message)".escapingControls)",
                metadata: metadata.isEmpty ? nil : metadata.mapValues(Self.quoted),
                source: event.source, file: event.file, function: event.function,
                line: event.line))
    }

    private static func quoted(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(quoted("\(value)"))
    }

    /// A value as it stands behind `key=`: in quotes unless it is one plain word.
    static func quoted(_ text: String) -> String {
        let escaped = text.escapingControls
        let isPlain =
            !text.isEmpty && escaped == text
            // mutation: r38g-3
            && !text.unicodeScalars.contains { " \"\\=".unicodeScalars.contains($0) }
        guard !isPlain else { return text }
        // Backslashes of the text are doubled, those of escapes are not.
        var word = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": word += "\\\""
            case "\\": word += "\\\\"
            // mutation: r38g-4
            default: word += String(scalar).escapingControls
            }
        }
        return word + "\""
    }
}
