//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension FileReader {
    mutating func readAreas(_ value: ConfigurationValue) {
        let elements: [ConfigurationValue]
        do throws(ConfigurationValueError) {
            elements = try value.elements()
        } catch {
            return reading.refuse(value, error)
        }
        var indexes: [FilePath: Int] = [:]
        for element in elements {
            guard let members = ConfigurationMembers(element, reading),
                let area = readArea(members)
            else { continue }
            let location = reading.location(of: element)
            if let index = indexes[area.root] {
                reading.refuse(
                    element,
                    .init(
                        "\(area.root.displayText) is declared in line \(content.areas[index].line) "
                            + "already", "Keep one of the two declarations."))
                continue
            }
            indexes[area.root] = content.configuration.areas.count
            content.configuration.areas.append(area)
            content.areas.append(location)
        }
    }

    /// - Returns: nil without a path or a class; what is wrong is recorded.
    private func readArea(_ members: ConfigurationMembers) -> Area? {
        var members = members
        let places = places
        let path = members.require("path", "/path/of/the/directory") {
            text throws(ConfigurationValueError) in try places.path(text)
        }
        let classes = PurgeClass.allCases.map { ($0.name, $0) } + [("last-resort", .lastResort)]
        let purgeClass = members.require("class", "cache", ConfigurationForms.word(classes))
        let unit = members.read(
            "unit",
            ConfigurationForms.word([
                ("file", PurgeUnit.file), ("entry", .entry), ("directory", .directory),
            ]))
        let retention = members.read("retention", ConfigurationForms.positiveDuration)
        let basis = members.read(
            "age-by",
            ConfigurationForms.word([
                ("used", AgeBasis.used), ("modified", .modified), ("created", .created),
            ]))
        let limit = members.read("limit", ConfigurationForms.positiveSize)
        let trim = members.read("trim-to") { text throws(ConfigurationValueError) in
            UInt8((try ConfigurationForms.share(text) * 100).rounded())
        }
        let order = members.read(
            "order",
            ConfigurationForms.word([
                ("least-recently-used", AreaOrder.leastRecentlyUsed),
                ("oldest-created", .oldestCreated),
            ]))
        let importance = members.read("importance", ConfigurationForms.number(0...100))
        let allowsMountRoot = members.read("allow-mount-root", ConfigurationForms.flag)
        members.finish()
        if trim != nil, limit == nil, let place = reading.locations[members.key + ".trim-to"] {
            reading.refuse(
                place.key, line: place.line,
                .init("“trim-to” is a share of a limit, and there is none", "Add: limit: 5 GB"))
        }
        if purgeClass == .essential {
            for name in ["retention", "limit", "trim-to"] {
                guard let place = reading.locations["\(members.key).\(name)"] else { continue }
                reading.refuse(
                    place.key, line: place.line,
                    .init(
                        "what is essential never goes, so “\(name)” would mean nothing",
                        "Take it out, or choose another class."))
            }
        }
        guard let path, let purgeClass else { return nil }
        return Area(
            root: path, purgeClass: purgeClass, unit: unit ?? .file, retention: retention,
            ageBasis: basis ?? .used, limit: limit, trimPercent: trim ?? 100,
            order: order ?? .leastRecentlyUsed,
            importance: importance.map { UInt8($0) } ?? Area.defaultImportance,
            origin: "declared in \(reading.file.path.displayText), line \(members.line)",
            allowsMountRoot: allowsMountRoot ?? false)
    }
}
