//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

/// Something that people should know.
public struct Notice: Hashable, Sendable {
    public var time: Timestamp
    public var kind: Kind
    /// The mount point of the volume it is about.
    public var volume: FilePath?
    /// The level of the volume.
    public var level: PressureLevel?
    /// What it is about beside a volume: an area, a module, a file.
    public var subject: String?
    /// Whole sentences: what is so, and what to do.
    public var text: String
    /// The figures behind the text, by names that stay: bytes as `…Bytes`, times as `…Seconds`.
    public var figures: [String: Int64]
    /// Whether the log has a line about it already, from what told it.
    public var isInLog = false

    /// What sort of notice. New ones may appear in any release.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The level of a volume changed.
        case level
        /// What may go is too little to help.
        case cannotHelp
        /// A purge did not reach its target.
        case missed
        /// A plan waits for a person to confirm it.
        case confirmation
        /// An area or a module grew beyond its usual rate.
        case anomaly
        /// A volume does not answer, or answers again.
        case volume
        /// The configuration was not taken.
        case configuration
        /// Something of the service's own does not work: its history, a module.
        case service

        /// How much it matters: what the log, the desktop and a webhook make of it.
        public func urgency(at level: PressureLevel?) -> Urgency {
            switch self {
            case .cannotHelp, .missed: .high
            case .level: level == .critical ? .high : level == .warning ? .medium : .low
            case .anomaly, .confirmation, .configuration, .volume, .service: .medium
            }
        }
    }

    public enum Urgency: String, Hashable, Sendable {
        case low
        case medium
        case high
    }

    public init(
        time: Timestamp, kind: Kind, volume: FilePath? = nil, level: PressureLevel? = nil,
        subject: String? = nil, text: String, figures: [String: Int64] = [:]
    ) {
        self.time = time
        self.kind = kind
        self.volume = volume
        self.level = level
        self.subject = subject
        // Names of files, processes and modules are in it.
        // mutation: r38g-5
        self.text = text.escapingControls
        self.figures = figures
    }

    public var urgency: Urgency { kind.urgency(at: level) }
}

// MARK: - JSON

extension Notice {
    /// The notice as a command finds it on its standard input, and a webhook in the body: one object, its
    /// members sorted by name.
    ///
    ///     {"figures":{"availableBytes":3100000},"kind":"cannotHelp","level":"critical",
    ///      "schema":"headroom.notice/1","text":"…","time":"2026-11-21T12:44:56Z","urgency":"high",
    ///      "volume":"/data"}
    public var json: [UInt8] {
        let document = NoticeDocument(
            schema: "headroom.notice/1", time: time.iso8601, kind: kind.rawValue,
            urgency: urgency.rawValue, volume: volume?.displayText, level: level?.name,
            subject: subject, text: text, figures: figures)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and whole numbers can always be encoded.
        return (try? encoder.encode(document)).map { Array($0) } ?? []
    }
}

/// The members of the JSON form.
private struct NoticeDocument: Encodable {
    var schema: String
    var time: String
    var kind: String
    var urgency: String
    var volume: String?
    var level: String?
    var subject: String?
    var text: String
    var figures: [String: Int64]
}
