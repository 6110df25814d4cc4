//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension ServiceConfiguration {
    /// One value as it holds, in the words that it would have in a file.
    public struct Setting: Hashable, Sendable {
        /// As ``LoadedConfiguration/locations`` has it.
        public var key: String
        public var value: String
    }

    /// Every value, those that nobody has set included, in the order of the documentation.
    public var settings: [Setting] {
        var settings: [Setting] = []
        func add(_ key: String, _ value: String) {
            settings.append(Setting(key: key, value: value))
        }
        add("mode", mode.rawValue)
        add("grace", ConfigurationText.duration(grace))
        for area in areas { addArea("areas[\"\(area.root.displayText)\"]", area, add) }
        for volume in volumes {
            addVolume("volumes[\"\(volume.path.displayText)\"]", volume.settings, add)
        }
        addPolicy(add)
        for module in modules {
            let key = "modules[\"\(module.id)\"]"
            add("\(key).name", module.name)
            add("\(key).quota", module.quota.map(ConfigurationText.size) ?? "none")
            add("\(key).usage", ConfigurationText.words(module.usage))
            add("\(key).clean", ConfigurationText.words(module.clean))
            add(
                "\(key).time-limit",
                ConfigurationText.duration(module.timeLimit ?? policy.moduleTimeLimit))
        }
        add(
            "notifications.command", notifications.command.map(ConfigurationText.words) ?? "none")
        add(
            "notifications.webhook",
            // mutation: r38c-10
            notifications.webhook.map(NotificationConfiguration.withoutSecrets) ?? "none")
        add("notifications.desktop", "\(notifications.desktop)")
        add("notifications.time-limit", ConfigurationText.duration(notifications.timeLimit))
        add("history.path", history.path?.displayText ?? "beside the ledger")
        add("history.retention", ConfigurationText.duration(history.retention))
        add(
            "listen", listen.isEmpty ? "nowhere" : listen.map(\.description).joined(separator: ", ")
        )
        return settings
    }

    private func addArea(_ key: String, _ area: Area, _ add: (String, String) -> Void) {
        add("\(key).class", area.purgeClass.name)
        add("\(key).unit", area.unit == .file ? "file" : "entry")
        add("\(key).retention", area.retention.map(ConfigurationText.duration) ?? "none")
        let bases: [AgeBasis: String] = [.used: "used", .modified: "modified", .created: "created"]
        add("\(key).age-by", bases[area.ageBasis] ?? "used")
        add("\(key).limit", area.limit.map(ConfigurationText.size) ?? "none")
        add("\(key).trim-to", "\(area.trimPercent) %")
        add(
            "\(key).order",
            area.order == .oldestCreated ? "oldest-created" : "least-recently-used")
        add("\(key).importance", "\(area.importance)")
        add("\(key).allow-mount-root", "\(area.allowsMountRoot)")
    }

    private func addVolume(
        _ key: String, _ settings: PressureSettings, _ add: (String, String) -> Void
    ) {
        let thresholds = settings.thresholds
        for (name, threshold) in [
            ("warning", thresholds.warning), ("critical", thresholds.critical),
        ] {
            add("\(key).\(name).share", ConfigurationText.share(threshold.share))
            add("\(key).\(name).at-most", threshold.limit.map(ConfigurationText.size) ?? "none")
        }
        add("\(key).inode-warning", ConfigurationText.share(thresholds.inodeWarning))
        add("\(key).inode-critical", ConfigurationText.share(thresholds.inodeCritical))
        add("\(key).leave-at", "\(thresholds.leavingFactor)")
        add("\(key).dwell", ConfigurationText.duration(settings.dwell))
        add("\(key).intervals.normal", ConfigurationText.duration(settings.normalInterval))
        add("\(key).intervals.warning", ConfigurationText.duration(settings.warningInterval))
        add("\(key).intervals.critical", ConfigurationText.duration(settings.criticalInterval))
        add("\(key).intervals.shortest", ConfigurationText.duration(settings.shortestInterval))
        add("\(key).rate-window", ConfigurationText.duration(settings.rateWindow))
        add("\(key).possible-rate", ConfigurationText.size(settings.possibleRate))
        add("\(key).possible-inode-rate", "\(settings.possibleInodeRate)")
        add("\(key).time-limit", ConfigurationText.duration(settings.timeLimit))
    }

    private func addPolicy(_ add: (String, String) -> Void) {
        let values: [String: String] = [
            "targetFactor": "\(policy.targetFactor)",
            "minimumReclaimShare": ConfigurationText.share(policy.minimumReclaimShare),
            "minimumReclaimLimit": ConfigurationText.size(policy.minimumReclaimLimit),
            "helpfulShare": ConfigurationText.share(policy.helpfulShare),
            "normal": policy.normal.name, "warning": policy.warning.name,
            "critical": policy.critical.name,
            "interval": ConfigurationText.duration(policy.interval),
            "forecastHorizon": ConfigurationText.duration(policy.forecastHorizon),
            "quietHours": policy.quietHours.isEmpty
                ? "none" : policy.quietHours.map(\.description).joined(separator: ", "),
            "onBattery": policy.onBattery.name,
            "minIdle.temporary": ConfigurationText.duration(policy.minIdle.temporary),
            "minIdle.cache": ConfigurationText.duration(policy.minIdle.cache),
            "minIdle.lastResort": ConfigurationText.duration(policy.minIdle.lastResort),
            "moduleTimeLimit": ConfigurationText.duration(policy.moduleTimeLimit),
            "reminderInterval": ConfigurationText.duration(policy.reminderInterval),
        ]
        for (property, key) in FileReader.policyKeys {
            if let value = values[property] { add("policy.\(key)", value) }
        }
    }
}

extension LoadedConfiguration {
    /// Where a value is from; nil: it is the default.
    ///
    /// A threshold that is written as a share alone stands for its parts, too.
    public func location(of key: String) -> ConfigurationLocation? {
        if let location = locations[key] { return location }
        guard key.hasSuffix(".share"), let location = locations[String(key.dropLast(6))],
            !locations.keys.contains(String(key.dropLast(6)) + ".at-most")
        else { return nil }
        return location
    }
}

/// Values in the words that a file has for them, and nothing lost.
enum ConfigurationText {
    /// In the largest unit that leaves a whole number, of the units that people use.
    static func size(_ size: ByteCount) -> String {
        guard size > .zero else { return "0" }
        let units: [(String, Int64)] = [
            ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000),
            ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000),
        ]
        for (unit, bytes) in units where size.bytes.isMultiple(of: bytes) {
            return "\(size.bytes / bytes) \(unit)"
        }
        return "\(size.bytes) B"
    }

    static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds == 0 else {
            let milliseconds = String(attoseconds / 1_000_000_000_000_000)
            var text = "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.count)
            text += milliseconds
            while text.last == "0" { text.removeLast() }
            return "\(text) s"
        }
        guard seconds > 0 else { return "0" }
        // As people say it: 24 h and 60 s, but 1 h.
        let units: [(String, Int64, least: Int64)] = [
            ("d", 86_400, 2), ("h", 3_600, 1), ("min", 60, 2),
        ]
        for (unit, length, least) in units
        where seconds.isMultiple(of: length) && seconds >= least * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }

    static func share(_ share: Double) -> String {
        let hundredths = (share * 1_000_000).rounded() / 10_000
        return hundredths == hundredths.rounded() ? "\(Int(hundredths)) %" : "\(hundredths) %"
    }

    /// As a list of YAML: words with other than plain characters are quoted.
    static func words(_ words: [String]) -> String {
        let parts = words.map { word in
            let isPlain =
                word.first.map { $0.isLetter || $0 == "/" } == true
                && word.allSatisfy { $0.isLetter || $0.isNumber || "/._-=+".contains($0) }
            guard !isPlain else { return word }
            let escaped = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
            return "\"\(escaped.joined())\""
        }
        return "[\(parts.joined(separator: ", "))]"
    }
}
