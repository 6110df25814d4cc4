//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct ConfigurationLoaderTests {
    let directory: ConfigurationDirectory

    init() throws { directory = try ConfigurationDirectory() }

    @Test func takesDefaultsWhereThereIsNothing() throws {
        #expect(try directory.load().configuration == ServiceConfiguration())
        try directory.tree.remove("headroom")
        let loaded = try directory.load()
        #expect(loaded.configuration == ServiceConfiguration())
        #expect(loaded.files.isEmpty)
    }

    @Test(arguments: ["", "# nothing\n", "---\n", "areas: []\n"])
    func takesAnEmptyFile(_ text: String) throws {
        try directory.write("headroom.yaml", text)
        #expect(try directory.load().configuration == ServiceConfiguration())
    }

    @Test(
        "Shows the address of a webhook without its secrets", .tags(.r38c),
        arguments: [
            ("https://hooks.example.com/services/T0/B0/secret", "https://hooks.example.com/…"),
            ("https://example.com?token=secret", "https://example.com/…"),
            ("https://example.com#secret", "https://example.com/…"),
            ("http://localhost:8080/", "http://localhost:8080/"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://user:secret@example.com", "https://example.com/…"),
        ])
    func redactsWebhook(address: String, shown: String) throws {
        #expect(NotificationConfiguration.withoutSecrets(address) == shown)
        var configuration = ServiceConfiguration()
        configuration.notifications.webhook = address
        let setting = configuration.settings.first { $0.key == "notifications.webhook" }
        #expect(setting?.value == shown)
    }

    @Test("Errors about a webhook do not show it", .tags(.r29d))
    func webhookErrors() throws {
        for text in ["hooks.example.com/pa55", "https://u:pa55@x/", "https:///pa55"] {
            try directory.write("headroom.yaml", "notifications: { webhook: '\(text)' }\n")
            let errors = #expect(throws: ConfigurationErrors.self) { try directory.load() }
            #expect(errors?.description.contains("pa55") == false, "\(errors?.description ?? "")")
        }
    }

    @Test func readsEveryKindOfValue() throws {
        try directory.write(
            "headroom.yaml",
            """
            mode: act
            grace: 0
            policy:
              quiet-hours: [22:00-07:00, 12:30–13:00]
              spend: { critical: trash }
            listen: ["[::1]:9105", unix:~/s.sock]
            history: { path: $XDG_STATE_HOME/h.sqlite, retention: 1 y }
            notifications:
              command: [/bin/tell, "a b", -x]
              webhook: http://localhost:8080/x
              desktop: false
            areas:
              - path: ~/a b
                class: last-resort
                unit: entry
                retention: 2 weeks
                limit: 1.5 GB
                trim-to: 25 %
            """)
        let configuration = try directory.load().configuration
        #expect(configuration.mode == .act)
        #expect(configuration.grace == .zero)
        #expect(configuration.policy.critical == .trash)
        #expect(
            configuration.policy.quietHours == [
                QuietHours(start: 22 * 60, end: 7 * 60), QuietHours(start: 750, end: 780),
            ])
        #expect(
            configuration.listen == [
                .loopback(host: "::1", port: 9105), .socket(directory.home.appending("s.sock")),
            ])
        #expect(
            configuration.history.path == directory.home.appending(".local/state/h.sqlite"))
        #expect(configuration.notifications.command == ["/bin/tell", "a b", "-x"])
        #expect(configuration.notifications.desktop == false)
        let area = try #require(configuration.areas.first)
        #expect(area.root == directory.home.appending("a b"))
        #expect(area.purgeClass == .lastResort)
        #expect(area.unit == .entry)
        #expect(area.retention == .seconds(14 * 86_400))
        #expect(area.limit == ByteCount(1_500_000_000))
        #expect(area.trimPercent == 25)
        #expect(area.origin.hasSuffix("headroom.yaml, line 13"))
    }

    @Test func honoursVariablesThatAreAbsolute() throws {
        try directory.write(
            "headroom.yaml", "areas: [{ path: '${XDG_DATA_HOME}/a', class: cache }]")
        #expect(try directory.load().configuration.areas[0].root == "/data/of/others/a")
    }

    // MARK: - Drop-ins

    @Test(.tags(.r29f)) func addsWhatDropInsDeclare() throws {
        try directory.write("headroom.yaml", "areas: [{ path: /a, class: cache }]")
        try directory.write("conf.d/10-b.yaml", "areas: [{ path: /b, class: temporary }]")
        try directory.write("conf.d/20-c.yaml", "areas: [{ path: /c, class: cache }]")
        try directory.write("conf.d/.hidden.yaml", "areas: [{ path: /d, class: cache }]")
        try directory.write("conf.d/c.yaml.bak", "areas: [{ path: /e, class: cache }]")
        let loaded = try directory.load()
        #expect(loaded.configuration.areas.map(\.root) == ["/a", "/b", "/c"])
        #expect(loaded.files.map(\.lastComponent) == ["headroom.yaml", "10-b.yaml", "20-c.yaml"])
        #expect(loaded.notes.isEmpty)
    }

    @Test func keepsSettingsOutOfDropIns() throws {
        try directory.write("conf.d/a.yaml", "areas: []\nmode: act\n")
        let problem = try #require(directory.problems().first)
        #expect(problem.line == 2)
        #expect(problem.key == "mode")
        #expect(problem.advice.contains("headroom.yaml"))
    }

    @Test func tellsOfNamesThatAreNotRead() throws {
        try directory.write("conf.d/a.yml", "areas: []\n")
        let note = try #require(try directory.load().notes.first)
        #expect(note.severity == .note)
        #expect(note.advice.contains("a.yaml"))
    }

    @Test(.tags(.r29f)) func keepsTheMoreProtectiveOfTwoDeclarations() throws {
        try directory.write("conf.d/a.yaml", "areas: [{ path: /a, class: lastResort }]")
        try directory.write("conf.d/b.yaml", "areas:\n  - path: /a\n    class: temporary\n")
        let loaded = try directory.load()
        #expect(loaded.configuration.areas.map(\.purgeClass) == [.lastResort])
        let note = try #require(loaded.notes.first)
        #expect(note.severity == .note)
        #expect(note.file.lastComponent == "b.yaml")
        #expect(note.line == 2)
        #expect(note.key == "areas[0]")
        #expect(note.what.contains("a.yaml, line 1"))
        #expect(loaded.location(of: "areas[\"/a\"].class")?.file.lastComponent == "a.yaml")
    }

    @Test func saysNothingOfDeclarationsThatAgree() throws {
        try directory.write("conf.d/a.yaml", "areas: [{ path: /a, class: cache }]")
        try directory.write("conf.d/b.yaml", "areas: [{ path: /a/, class: cache }]")
        let loaded = try directory.load()
        #expect(loaded.configuration.areas.count == 1)
        #expect(loaded.notes.isEmpty)
    }

    @Test func refusesOneModuleInTwoFiles() throws {
        let module = "modules: [{ id: a, usage: [/bin/sh], clean: [/bin/sh] }]"
        try directory.write("conf.d/a.yaml", module)
        try directory.write("conf.d/b.yaml", "\n" + module)
        let problem = try #require(directory.problems().first)
        #expect(problem.file.lastComponent == "b.yaml")
        #expect(problem.line == 2)
        #expect(problem.what.contains("a.yaml, line 1"))
    }

    @Test func refusesTwoSettingsForOneVolume() throws {
        try directory.write("conf.d/a.yaml", "volumes: { /proc: { dwell: 1 min } }")
        try directory.write("conf.d/b.yaml", "volumes: { /proc/self: { dwell: 2 min } }")
        let problem = try #require(directory.problems().first)
        #expect(problem.severity == .error)
        #expect(problem.file.lastComponent == "b.yaml")
        #expect(problem.what.contains("the same volume as /proc"))
    }

    @Test func letsSettingsOfAnAbsentVolumeRest() throws {
        try directory.write("headroom.yaml", "volumes: { /nowhere/at/all: { dwell: 1 min } }")
        let loaded = try directory.load()
        #expect(loaded.configuration.volumes.count == 1)
        #expect(loaded.notes.map(\.severity) == [.note])
    }

    @Test func namesProgramsThatAreMissing() throws {
        try directory.write(
            "headroom.yaml", "modules: [{ id: a, usage: [/no/such], clean: [/bin/sh] }]")
        let note = try #require(try directory.load().notes.first)
        #expect(note.what.contains("/no/such"))
        #expect(note.key == "modules[0].usage")
    }

    @Test func listsTheErrorsOfAllFiles() throws {
        try directory.write("headroom.yaml", "mode: 1\ngrace: x\n")
        try directory.write("conf.d/a.yaml", "areas: [")
        try directory.write("conf.d/b.yaml", "areas: [{}]")
        let problems = directory.problems()
        #expect(
            problems.map { $0.file.lastComponent?.string } == [
                "headroom.yaml", "headroom.yaml", "a.yaml", "b.yaml", "b.yaml",
            ])
    }

    // MARK: - Directories that may not be declared (S11)

    /// The rest is taken: a machine is not to fill up because of one line.
    @Test(arguments: [
        ("/", ConfigurationProblem.Severity.error), ("~/", .error), ("/etc", .warning),
        ("/home", .warning), ("$XDG_CONFIG_HOME/..", .error),
    ])
    func leavesOutPlacesThatAreNeverPurged(
        _ path: String, _ severity: ConfigurationProblem.Severity
    ) throws {
        try directory.tree.directory("home/.config")
        try directory.write("headroom.yaml", "\nareas:\n  - path: \(path)\n    class: cache\n")
        if path.hasSuffix("..") {
            // What is written wrongly holds up all.
            #expect(throws: ConfigurationErrors.self) { try directory.loadChecked() }
            return
        }
        let loaded = try directory.loadChecked()
        let problem = try #require(loaded.notes.first)
        // What can never be one is no declaration any more: not even its grace holds anything up.
        #expect(loaded.configuration.areas.isEmpty == (severity == .error))
        #expect(loaded.configuration.leftOut.isEmpty == (severity != .error))
        #expect(problem.severity == severity, "\(problem)")
        #expect(problem.isConfined && !problem.stopsAll)
        #expect(problem.line == 3)
        #expect(problem.key == "areas[0]")
        #expect(problem.advice.hasSuffix("The area is left out; all else holds."))
    }

    @Test func leavesOutALink() throws {
        try directory.tree.directory("home/.cache/real")
        try directory.tree.symbolicLink("home/.cache/link", to: "real")
        try directory.write(
            "headroom.yaml",
            "areas: [{ path: ~/.cache/link, class: cache }, { path: ~/.cache/real, class: cache }]")
        let loaded = try directory.loadChecked()
        #expect(loaded.notes.map(\.severity) == [.warning])
        #expect(loaded.notes.first?.what.contains("link") == true)
        #expect(loaded.configuration.areas.count == 2)
    }

    @Test func takesADirectoryThatIsNotThereYet() throws {
        try directory.tree.directory("home/.cache/real")
        try directory.write(
            "headroom.yaml",
            "areas: [{ path: ~/.cache/real, class: cache }, { path: ~/.cache/x, class: cache }]")
        let loaded = try directory.loadChecked()
        #expect(loaded.configuration.areas.count == 2)
        #expect(loaded.notes.map(\.key) == ["areas[1]"])
    }

    // MARK: - Where values are from

    @Test func knowsWhereEachValueIsFrom() throws {
        try directory.write(
            "headroom.yaml",
            """
            mode: ask
            policy:
              interval: 12 h
            volumes:
              /:
                warning: 20 %
            """)
        let loaded = try directory.load()
        #expect(loaded.location(of: "mode")?.line == 1)
        #expect(loaded.location(of: "policy.interval")?.line == 3)
        #expect(loaded.location(of: "volumes[\"/\"].warning.share")?.line == 6)
        #expect(loaded.location(of: "volumes[\"/\"].warning.at-most") == nil)
        #expect(loaded.location(of: "grace") == nil)
        let settings = Dictionary(
            uniqueKeysWithValues: loaded.configuration.settings.map { ($0.key, $0.value) })
        #expect(settings["policy.interval"] == "12 h")
        #expect(settings["volumes[\"/\"].warning.share"] == "20 %")
        #expect(settings["grace"] == "24 h")
        #expect(settings["volumes[\"/\"].critical.at-most"] == "2 GiB")
    }

    @Test func volumesSayHowFastTheyMayBeginToFill() throws {
        try directory.write(
            "headroom.yaml",
            """
            volumes:
              /:
                possible-rate: 50 MB
                possible-inode-rate: 0
            """)
        let configuration = try directory.load().configuration
        let settings = try #require(configuration.volumes.first?.settings)
        #expect(settings.possibleRate == .megabytes(50))
        #expect(settings.possibleInodeRate == 0)
        let shown = configuration.settings.first { $0.key.hasSuffix(".possible-inode-rate") }
        #expect(shown?.value == "0")
    }
}
