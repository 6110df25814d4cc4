//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The daemon's records about volumes. `headroomd forecast --json` reads them, because this program links no database.
struct RecordedHistory {
    /// Unusual growth of an area or a module.
    struct Anomaly {
        var time: Timestamp
        /// The mount point of the volume.
        var volume: FilePath?
        /// The area or module.
        var subject: String?
        /// A sentence.
        var text: String
    }

    /// The forecasts of volumes, by mount point.
    private(set) var forecasts: [FilePath: Forecast] = [:]
    private(set) var anomalies: [Anomaly] = []

    /// Far more than reading the database takes; `status` must not wait for it any longer.
    private static let limit = Duration.seconds(10)

    /// Runs `headroomd forecast`. Blocks.
    ///
    /// - Parameters:
    ///   - history: the database.
    ///   - configuration: the directory of the configuration; nil: the usual one.
    /// - Returns: nil if there is no history, or `headroomd` is not installed or fails. `headroom forecast` says why.
    static func read(
        _ volumes: [Volume], history: FilePath, configuration: FilePath?
    ) -> RecordedHistory? {
        let words = volumes.filter { $0.error == nil && !$0.isReadOnly && !$0.isPseudo }
            .compactMap { String(validating: $0.mountPoint.bytes, as: UTF8.self) }
        // Without volumes, the command would read all of them.
        guard !words.isEmpty, (try? Paths.status(history)) != nil else { return nil }
        var arguments = ["forecast", "--json", "--no-past", "--history", history.string]
        if let configuration { arguments += ["--directory", configuration.string] }
        let places = ExternalCommand.directories().map {
            $0.appending(ExternalProgram.headroomd.name)
        }
        guard let program = places.first(where: { (try? Paths.status($0)) != nil }) else {
            return nil
        }
        var command = ToolCommand(
            program, arguments + ["--"] + words, environment: Session.wholeEnvironment,
            limit: limit)
        command.keepsErrors = false
        // A volume takes about 400 bytes.
        command.outputLimit = 16 << 20
        guard let outcome = try? command.run(isCancelled: { Interruption.isRequested }),
            outcome.exitCode == ExitStatus.done.rawValue
        else { return nil }
        return RecordedHistory(outcome.output)
    }
}

// MARK: - JSON

extension RecordedHistory {
    /// Reads a document `headroom.forecast/1`.
    init?(_ bytes: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let found = try? decoder.decode(Found.self, from: Data(bytes)) else { return nil }
        for volume in found.volumes { forecasts[FilePath(volume.mountPoint)] = volume.forecast }
        anomalies = (found.anomalies ?? []).map { anomaly in
            Anomaly(
                time: Timestamp(seconds: Int64(anomaly.time.timeIntervalSince1970)),
                volume: anomaly.volume.map { FilePath($0) }, subject: anomaly.subject,
                text: anomaly.text)
        }
    }

    private struct Found: Decodable {
        var volumes: [FoundVolume]
        var anomalies: [FoundAnomaly]?
    }

    private struct FoundVolume: Decodable {
        var mountPoint: String
        var spanSeconds: Int64
        var bytes: Levels

        struct Levels: Decodable {
            var warning: Outlook
            var critical: Outlook
            var full: Outlook
        }

        var forecast: Forecast {
            var forecast = Forecast.ofBytes([], now: Timestamp(seconds: 0))
            forecast.span = .seconds(spanSeconds)
            forecast.warning = bytes.warning.value
            forecast.critical = bytes.critical.value
            forecast.full = bytes.full.value
            return forecast
        }
    }

    private struct Outlook: Decodable {
        var state: String
        var earliestSeconds: Int64?
        var likelySeconds: Int64?
        var latestSeconds: Int64?
        var withinSeconds: Int64?

        var value: Forecast.Outlook {
            switch state {
            case "reached": return .reached
            case "expected":
                guard let earliestSeconds, let likelySeconds else { return .unknown }
                return .expected(
                    .init(
                        earliest: .seconds(earliestSeconds), likely: .seconds(likelySeconds),
                        latest: latestSeconds.map { .seconds($0) }))
            case "notExpected":
                return .notExpected(
                    within: .seconds(withinSeconds ?? 0),
                    earliest: earliestSeconds.map { .seconds($0) })
            default: return .unknown
            }
        }
    }

    private struct FoundAnomaly: Decodable {
        var time: Date
        var volume: String?
        var subject: String?
        var text: String
    }
}
