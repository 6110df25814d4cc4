//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

extension FileReader {
    /// The keys of the policy's properties, in the order in which they are shown.
    static let policyKeys: [(property: String, key: String)] = [
        ("targetFactor", "target-factor"), ("minimumReclaimShare", "minimum-reclaim.share"),
        ("minimumReclaimLimit", "minimum-reclaim.at-most"), ("helpfulShare", "helpful-share"),
        ("normal", "spend.normal"), ("warning", "spend.warning"), ("critical", "spend.critical"),
        ("minIdle.temporary", "min-idle.temporary"), ("minIdle.cache", "min-idle.cache"),
        ("minIdle.lastResort", "min-idle.last-resort"),
        ("interval", "interval"), ("forecastHorizon", "forecast-horizon"),
        ("quietHours", "quiet-hours"), ("onBattery", "on-battery"),
        ("moduleTimeLimit", "module-time-limit"), ("reminderInterval", "reminder-interval"),
    ]

    mutating func readPolicy(_ members: ConfigurationMembers) {
        var members = members
        var policy = Policy.standard
        func set<T>(_ property: WritableKeyPath<Policy, T>, _ value: T?) {
            if let value { policy[keyPath: property] = value }
        }
        set(
            \.targetFactor,
            members.read("target-factor") { text throws(ConfigurationValueError) in
                guard let number = Double(text), number.isFinite else {
                    throw ConfigurationValueError(
                        "“\(text)” is not a number", "Write one such as 2 or 2.5.")
                }
                return number
            })
        if var reclaim = members.members("minimum-reclaim") {
            set(\.minimumReclaimShare, reclaim.read("share", Self.anyShare))
            set(\.minimumReclaimLimit, reclaim.read("at-most", ConfigurationForms.size))
            reclaim.finish()
        }
        set(\.helpfulShare, members.read("helpful-share", Self.anyShare))
        if var spend = members.members("spend") {
            let words =
                Policy.Spending.allCases.map { ($0.name, $0) } + [("last-resort", .lastResort)]
            let spending = ConfigurationForms.word(words)
            set(\.normal, spend.read("normal", spending))
            set(\.warning, spend.read("warning", spending))
            set(\.critical, spend.read("critical", spending))
            spend.finish()
        }
        if var idle = members.members("min-idle") {
            set(\.minIdle.temporary, idle.read("temporary", ConfigurationForms.duration))
            set(\.minIdle.cache, idle.read("cache", ConfigurationForms.duration))
            set(\.minIdle.lastResort, idle.read("last-resort", ConfigurationForms.duration))
            idle.finish()
        }
        set(\.interval, members.read("interval", ConfigurationForms.duration))
        set(\.forecastHorizon, members.read("forecast-horizon", ConfigurationForms.duration))
        if let hours = members.value("quiet-hours") { set(\.quietHours, quietHours(hours)) }
        set(
            \.onBattery,
            members.read(
                "on-battery",
                ConfigurationForms.word(Policy.OnBattery.allCases.map { ($0.name, $0) })))
        set(\.moduleTimeLimit, members.read("module-time-limit", ConfigurationForms.duration))
        set(\.reminderInterval, members.read("reminder-interval", ConfigurationForms.duration))
        members.finish()
        check(policy, members)
        content.configuration.policy = policy
    }

    /// The engine knows the ranges.
    private func check(_ policy: Policy, _ members: ConfigurationMembers) {
        for problem in policy.problems() {
            let name =
                Self.policyKeys.first { $0.property == problem.property }?.key ?? problem.property
            let key = "\(members.key).\(name)"
            let place = reading.locations[key]
            let sentences = problem.message.firstRange(of: ". ")
            let what = sentences.map { problem.message[..<$0.lowerBound] } ?? problem.message[...]
            let advice = sentences.map { problem.message[$0.upperBound...] } ?? "Change it."
            reading.refuse(
                key, line: place?.line ?? members.line,
                .init(what.prefix(1).lowercased() + what.dropFirst(), String(advice)))
        }
    }

    /// A share from 0 to 1, both included.
    private static func anyShare(_ text: String) throws(ConfigurationValueError) -> Double {
        do throws(InvalidValue) {
            return try Percentage(parsing: text).fraction
        } catch {
            throw ConfigurationValueError(error)
        }
    }

    /// `22:00-07:00`, or a list of such ranges.
    private func quietHours(_ value: ConfigurationValue) -> [QuietHours]? {
        var texts = [value]
        if value.isList {
            do throws(ConfigurationValueError) {
                texts = try value.elements()
            } catch {
                reading.refuse(value, error)
                return nil
            }
        }
        return texts.compactMap { text in
            reading.convert(text) { text throws(ConfigurationValueError) in
                let parts = text.split(whereSeparator: { $0 == "-" || $0 == "–" }).map {
                    $0.drop { $0 == " " }.split(separator: " ", maxSplits: 1).first ?? ""
                }
                guard parts.count == 2, let hours = QuietHours(from: parts[0], to: parts[1]) else {
                    throw ConfigurationValueError(
                        "“\(text)” is not a range of two times of day",
                        "Write it as 22:00-07:00; it may go over midnight.")
                }
                return hours
            }
        }
    }
}
