//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

/// Something that happened, for people who look back.
public struct HistoryEvent: Hashable, Sendable {
    public var time: Timestamp
    public var kind: Kind
    /// The mount point of the volume it is about.
    public var volume: FilePath?
    public var level: PressureLevel?
    /// What it is about beside a volume: an area, a module.
    public var subject: String?
    /// A sentence.
    public var text: String

    /// What sort of event. New ones may appear in any release.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The level of a volume changed.
        case level
        /// An area or a module grew beyond its usual rate.
        case anomaly
        /// A purge did not reach its target.
        case missed
        /// The configuration was read again, or was not taken.
        case configuration
        /// The service began or ended.
        case service
    }

    public init(
        time: Timestamp, kind: Kind, volume: FilePath? = nil, level: PressureLevel? = nil,
        subject: String? = nil, text: String
    ) {
        self.time = time
        self.kind = kind
        self.volume = volume
        self.level = level
        self.subject = subject
        self.text = text
    }
}
