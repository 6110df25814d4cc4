//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests

/// One mounted file system.
struct APIVolume: Encodable, Sendable {
    struct Figure: Encodable, Sendable {
        var bytes: Int64?
        var source: String

        init(_ figure: VolumeCapacity.Figure) {
            bytes = figure.bytes?.apiSize
            source = figure.provenance.rawValue
        }
    }

    var mountPoint: String
    var mountPointBytes: String?
    var type: String
    var readOnly: Bool
    var total: Figure
    var available: Figure
    var important: Figure
    var optional: Figure
    var level: String?
    var warningBytes: Int64?
    var criticalBytes: Int64?
    var inodes: UInt64?
    var availableInodes: UInt64?
    var forecast: APIForecast?
    var error: String?

    init(_ volume: Volume, _ capacity: VolumeCapacity, _ thresholds: PressureThresholds) {
        let path = PathText(volume.mountPoint)
        mountPoint = path.text
        mountPointBytes = path.encoded
        type = volume.type
        readOnly = volume.isReadOnly
        total = Figure(capacity.total)
        available = Figure(capacity.available)
        important = Figure(capacity.forImportantUsage)
        optional = Figure(capacity.forOpportunisticUsage)
        level = thresholds.level(of: volume)?.name
        if level != nil, let bytes = volume.figures?.total {
            warningBytes = thresholds.warning.bytes(of: bytes).apiSize
            criticalBytes = thresholds.critical.bytes(of: bytes).apiSize
        }
        inodes = capacity.inodes
        availableInodes = capacity.availableInodes
        error = volume.error.map { "\($0)" }
    }
}

/// When levels are reached.
struct APIForecast: Encodable, Sendable {
    struct Outlook: Encodable, Sendable {
        var state: String
        var earliestSeconds: Int64?
        var likelySeconds: Int64?
        var latestSeconds: Int64?
        var withinSeconds: Int64?

        init(_ outlook: Forecast.Outlook) {
            switch outlook {
            case .unknown: state = "unknown"
            case .reached: state = "reached"
            case .expected(let expected):
                state = "expected"
                earliestSeconds = max(0, expected.earliest.components.seconds)
                likelySeconds = max(0, expected.likely.components.seconds)
                latestSeconds = expected.latest.map { max(0, $0.components.seconds) }
            case .notExpected(let within, let earliest):
                state = "notExpected"
                withinSeconds = max(0, within.components.seconds)
                earliestSeconds = earliest.map { max(0, $0.components.seconds) }
            }
        }
    }

    var warning: Outlook
    var critical: Outlook
    var full: Outlook
    var spanSeconds: Int64

    init(_ forecast: Forecast) {
        warning = Outlook(forecast.warning)
        critical = Outlook(forecast.critical)
        full = Outlook(forecast.full)
        spanSeconds = max(0, forecast.span.components.seconds)
    }
}
