//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What one file says.
struct FileContent {
    /// With areas, volumes and modules as they stand in this file alone.
    var configuration = ServiceConfiguration()
    var file: FilePath
    /// The place of each area, volume and module, in their order.
    var areas: [ConfigurationLocation] = []
    var volumes: [ConfigurationLocation] = []
    var modules: [ConfigurationLocation] = []
    /// The place of each value by its key.
    var locations: [String: ConfigurationLocation] = [:]
    var problems: [ConfigurationProblem] = []
}

/// Reads one file: the main one, or a drop-in, which only declares.
struct FileReader {
    let reading: ConfigurationReading
    var content: FileContent

    /// What only the main file says: who installs a program with a drop-in does not decide it.
    private static let settings = [
        "mode", "grace", "policy", "notifications", "history", "listen",
    ]

    static func read(
        _ file: ConfigurationFile, isDropIn: Bool, _ places: ConfigurationPlaces
    ) -> FileContent {
        var reader = FileReader(
            reading: ConfigurationReading(file, places), content: FileContent(file: file.path))
        do throws(ConfigurationProblem) {
            if let root = try YAMLDocument.read(file) { reader.read(root, isDropIn: isDropIn) }
        } catch {
            reader.reading.record(error)
        }
        reader.content.problems = reader.reading.problems
        reader.content.locations = reader.reading.locations
        return reader.content
    }

    var places: ConfigurationPlaces { reading.places }

    private mutating func read(_ root: ConfigurationValue, isDropIn: Bool) {
        guard var members = ConfigurationMembers(root, reading) else { return }
        if !isDropIn { readSettings(&members) }
        if let value = members.value("areas") { readAreas(value) }
        if let value = members.value("volumes") { readVolumes(value) }
        if let value = members.value("modules") { readModules(value) }
        let elsewhere = Dictionary(
            uniqueKeysWithValues: Self.settings.map {
                ($0, "Write it in headroom.yaml; a drop-in declares areas, volumes and modules.")
            })
        members.finish(elsewhere: isDropIn ? elsewhere : [:])
    }

    private mutating func readSettings(_ members: inout ConfigurationMembers) {
        if let mode = members.read(
            "mode", ConfigurationForms.word(ServiceMode.allCases.map { ($0.rawValue, $0) }))
        {
            content.configuration.mode = mode
        }
        if let grace = members.read("grace", ConfigurationForms.duration) {
            content.configuration.grace = grace
        }
        if let policy = members.members("policy") { readPolicy(policy) }
        if let notifications = members.members("notifications") {
            readNotifications(notifications)
        }
        if let history = members.members("history") { readHistory(history) }
        if let listen = members.value("listen") { readListen(listen) }
    }

    private mutating func readHistory(_ members: ConfigurationMembers) {
        var members = members
        let places = places
        if let path = members.read(
            "path",
            { text throws(ConfigurationValueError) in
                try places.path(text)
            })
        {
            content.configuration.history.path = path
        }
        if let retention = members.read(
            "retention",
            { text throws(ConfigurationValueError) in
                let retention = try ConfigurationForms.duration(text)
                guard retention >= .seconds(86_400), retention <= .seconds(3_650 * 86_400) else {
                    throw ConfigurationValueError(
                        "“\(text)” is not from a day to 10 years",
                        "Write a time between; a forecast needs four weeks to know a week's rhythm."
                    )
                }
                return min(retention, HistoryConfiguration.longestRetention)
            })
        {
            content.configuration.history.retention = retention
        }
        members.finish()
    }

    private mutating func readListen(_ value: ConfigurationValue) {
        var texts = [value]
        if value.isList {
            do throws(ConfigurationValueError) {
                texts = try value.elements()
            } catch {
                return reading.refuse(value, error)
            }
        }
        let places = places
        for text in texts {
            let address = reading.convert(text) { text throws(ConfigurationValueError) in
                try ListenAddress.read(text, places)
            }
            guard let address else { continue }
            if content.configuration.listen.contains(address) {
                reading.refuse(text, .init("\(address) stands here twice", "Take one out."))
            } else {
                content.configuration.listen.append(address)
            }
        }
    }
}
