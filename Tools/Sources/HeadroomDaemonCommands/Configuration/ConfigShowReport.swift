//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomService
import SystemPackage

/// What `headroom config show` shows.
struct ConfigShowReport: Report {
    static let schema = "headroom.config.show/1"

    var loaded: LoadedConfiguration
    var showsDefaults: Bool

    private var rows: [(setting: ServiceConfiguration.Setting, place: ConfigurationLocation?)] {
        loaded.configuration.settings
            .map { ($0, loaded.location(of: $0.key)) }
            .filter { showsDefaults || $0.1 != nil }
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("files", loaded.files) { json, file in json.member("path", file) }
        json.objects("settings", rows) { json, row in
            json.member("key", row.setting.key)
            json.member("value", row.setting.value)
            json.member("isDefault", row.place == nil)
            if let place = row.place {
                json.member("file", place.file)
                json.member("line", place.line)
            }
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        var table = Table([.path("key"), .text("value"), .path("said by")])
        for row in rows {
            let place = row.place.map { "\($0.file.displayText):\($0.line)" }
            table.add(
                .text(StyledText(row.setting.key)),
                .text(StyledText(row.setting.value, place == nil ? .plain : .strong)),
                .text(StyledText(place ?? "default", .faint)))
        }
        if table.rows.isEmpty {
            document.add("No file sets anything: the defaults hold (headroom config show).")
        } else {
            document.add(table)
        }
        document.next = ["headroom config check"]
        return document
    }
}
