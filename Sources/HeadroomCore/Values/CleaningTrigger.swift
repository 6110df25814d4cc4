//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why something is cleaned now.
public enum CleaningTrigger: UInt8, Hashable, Sendable, CaseIterable {
    /// The program has started.
    case launch
    /// A volume's `PressureLevel` has changed.
    case levelChange
    /// The program runs in another version than the last time.
    case versionChange
    /// The time since the last cleaning is up.
    case interval
    /// Something large is about to be written.
    case beforeWrite
    /// A write has failed because the volume or a quota is full.
    case outOfSpace
    /// A person asks for it.
    case byHand
    /// The forecast expects the level to become warning soon.
    case forecast

    /// The name in JSON and messages: `launch`, `levelChange`, ….
    public var name: String {
        switch self {
        case .launch: "launch"
        case .levelChange: "levelChange"
        case .versionChange: "versionChange"
        case .interval: "interval"
        case .beforeWrite: "beforeWrite"
        case .outOfSpace: "outOfSpace"
        case .byHand: "byHand"
        case .forecast: "forecast"
        }
    }

    /// Nobody waits for it: it gives way to everything else.
    public var isLeisurely: Bool {
        switch self {
        case .launch, .versionChange, .interval, .forecast: true
        case .levelChange, .beforeWrite, .outOfSpace, .byHand: false
        }
    }
}
