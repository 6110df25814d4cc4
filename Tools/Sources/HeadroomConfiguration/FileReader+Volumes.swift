//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension FileReader {
    mutating func readVolumes(_ value: ConfigurationValue) {
        guard var members = ConfigurationMembers(value, reading) else { return }
        let places = places
        for (name, value) in members.takeRest() {
            let path: FilePath
            do throws(ConfigurationValueError) {
                path = try places.path(name)
            } catch {
                reading.refuse(value, error)
                continue
            }
            guard let inner = ConfigurationMembers(value, reading) else { continue }
            let settings = pressureSettings(inner)
            if let index = content.configuration.volumes.firstIndex(where: { $0.path == path }) {
                reading.refuse(
                    value,
                    .init(
                        "\(path.displayText) has settings in line \(content.volumes[index].line) "
                            + "already", "Put them together under one key."))
                continue
            }
            content.configuration.volumes.append(
                VolumeConfiguration(path: path, settings: settings))
            content.volumes.append(reading.location(of: value))
        }
    }

    private func pressureSettings(_ members: ConfigurationMembers) -> PressureSettings {
        var members = members
        var settings = PressureSettings.standard
        func set<T>(_ property: WritableKeyPath<PressureSettings, T>, _ value: T?) {
            if let value { settings[keyPath: property] = value }
        }
        set(\.thresholds.warning, threshold(&members, "warning", settings.thresholds.warning))
        set(\.thresholds.critical, threshold(&members, "critical", settings.thresholds.critical))
        set(\.thresholds.inodeWarning, members.read("inode-warning", ConfigurationForms.share))
        set(\.thresholds.inodeCritical, members.read("inode-critical", ConfigurationForms.share))
        set(
            \.thresholds.leavingFactor,
            members.read("leave-at") { text throws(ConfigurationValueError) in
                guard let number = Double(text), number >= 1, number <= 5 else {
                    throw ConfigurationValueError(
                        "“\(text)” is not a number from 1 to 5",
                        "Write how many times the threshold has to be available, such as 1.25.")
                }
                return number
            })
        set(\.dwell, members.read("dwell", ConfigurationForms.duration))
        set(\.rateWindow, members.read("rate-window", ConfigurationForms.positiveDuration))
        set(\.possibleRate, members.read("possible-rate", ConfigurationForms.size))
        let inodeRate = members.read(
            "possible-inode-rate", ConfigurationForms.number(0...1_000_000_000))
        set(\.possibleInodeRate, inodeRate.map { UInt64($0) })
        set(\.timeLimit, members.read("time-limit", ConfigurationForms.positiveDuration))
        if var intervals = members.members("intervals") {
            set(\.normalInterval, intervals.read("normal", ConfigurationForms.positiveDuration))
            set(\.warningInterval, intervals.read("warning", ConfigurationForms.positiveDuration))
            set(\.criticalInterval, intervals.read("critical", ConfigurationForms.positiveDuration))
            set(\.shortestInterval, intervals.read("shortest", ConfigurationForms.positiveDuration))
            intervals.finish()
        }
        members.finish(elsewhere: [
            "thresholds": "Write warning and critical directly under the volume.",
            "interval": "Write intervals: with normal, warning and critical below it.",
        ])
        check(settings, members)
        return settings
    }

    /// `10 %`, or `{ share: 10 %, at-most: 8 GiB }`.
    private func threshold(
        _ members: inout ConfigurationMembers, _ name: String,
        _ standard: PressureThresholds.Threshold
    ) -> PressureThresholds.Threshold? {
        guard let value = members.value(name) else { return nil }
        guard value.isMapping else {
            let share = reading.convert(value, ConfigurationForms.share)
            return share.map { PressureThresholds.Threshold(share: $0, limit: standard.limit) }
        }
        guard var inner = ConfigurationMembers(value, reading) else { return nil }
        var threshold = standard
        if let share = inner.read("share", ConfigurationForms.share) { threshold.share = share }
        if let limit = inner.read(
            "at-most",
            {
                text throws(ConfigurationValueError) -> ByteCount? in
                text == "none" ? nil : try ConfigurationForms.positiveSize(text)
            })
        {
            threshold.limit = limit
        }
        inner.finish()
        return threshold
    }

    // MARK: - What contradicts itself

    private func check(_ settings: PressureSettings, _ members: ConfigurationMembers) {
        let (warning, critical) = (settings.thresholds.warning, settings.thresholds.critical)
        let most = ByteCount(.max)
        if critical.share >= warning.share || (critical.limit ?? most) > (warning.limit ?? most) {
            contradiction(
                members, ["critical", "warning"],
                "critical (\(text(critical))) does not lie below warning (\(text(warning)))",
                "Set both, the critical one lower, in its share and in its at-most.")
        }
        if settings.thresholds.inodeCritical >= settings.thresholds.inodeWarning {
            contradiction(
                members, ["inode-critical", "inode-warning"],
                "inode-critical does not lie below inode-warning",
                "Set both, the critical one lower.")
        }
        let intervals = [
            ("critical", settings.criticalInterval), ("warning", settings.warningInterval),
            ("normal", settings.normalInterval),
        ]
        for (shorter, longer) in zip(intervals, intervals.dropFirst()) where shorter.1 > longer.1 {
            contradiction(
                members, ["intervals.\(shorter.0)", "intervals.\(longer.0)", "intervals"],
                "the interval at \(shorter.0) "
                    + "(\(ConfigurationText.duration(shorter.1))) is longer than at "
                    + "\(longer.0) (\(ConfigurationText.duration(longer.1)))",
                "Read more often the worse it is: set both.")
        }
        if settings.shortestInterval > settings.criticalInterval {
            contradiction(
                members, ["intervals.shortest", "intervals.critical", "intervals"],
                "the shortest interval (\(ConfigurationText.duration(settings.shortestInterval))) is longer "
                    + "than that at critical "
                    + "(\(ConfigurationText.duration(settings.criticalInterval)))", "Set it lower.")
        }
    }

    private func text(_ threshold: PressureThresholds.Threshold) -> String {
        ConfigurationText.share(threshold.share)
            + (threshold.limit.map { ", at most \(ConfigurationText.size($0))" } ?? "")
    }

    /// Records it at the first of the keys that stands in the file.
    private func contradiction(
        _ members: ConfigurationMembers, _ names: [String], _ what: String, _ advice: String
    ) {
        let place = names.lazy.compactMap { reading.locations["\(members.key).\($0)"] }.first
        reading.refuse(
            place?.key ?? members.key, line: place?.line ?? members.line, .init(what, advice))
    }
}
