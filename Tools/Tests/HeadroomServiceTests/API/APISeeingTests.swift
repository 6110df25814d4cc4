//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomProtection
import HeadroomRequests
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// What is seen by the API: each answer is held against the document.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APISeeingTests {
    private static func fill(_ tree: Tree) throws {
        try tree.file("home/.cache/app/one", size: .kibibytes(64))
        try tree.file("home/.cache/app/deep/er/two", size: .kibibytes(32))
        try tree.file("home/.cache/lone", size: .kibibytes(8))
        try tree.file("home/Documents/letter", size: .kibibytes(16))
    }

    @Test func theDocumentIsWhole() async throws {
        try await ServedAPI.serving { served async throws in
            #expect(served.schema.danglingReferences().isEmpty)
            #expect(try await served.ask("GET", "/openapi.json").status == 200)
        }
    }

    @Test func statusSaysWhatCanGo() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            // What was scanned is there when somebody has waited for it.
            _ = try await served.ask("GET", "/areas")
            let status = try await served.ask("GET", "/status")
            #expect(try status.value("inventory.state") == "ready")
            #expect(try status.value("version") == "1.2.3")
            #expect(try status.value("mode") == "observe")
            #expect(try status.value("ladder.0.class") == "cache")
            #expect(try status.value("ladder.0.items") == "3")
            #expect(try status.value("ladder.0.bytes") == "\(104 * 1_024)")
            #expect(try status.value("biggest.0.path").hasSuffix(".cache/app/one"))
            #expect(try status.count("volumes") > 0)
        }
    }

    @Test("Figures do not contain items that were purged since the scan", .tags(.r38c))
    func figuresFollowPurges() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let before = try await served.ask("GET", "/areas").value("inventory.items")
            #expect(try await served.ask("GET", "/status").count("ladder") == 1)
            // Another process purges, which does not notify the API.
            let scope = served.workspace.scope()
            let plan = try scope.plan(try scope.scan(), targets: [.all])
            let receipt = try scope.purge(plan, requester: "test")
            #expect(receipt.removedCount > 0)
            let status = try await served.ask("GET", "/status")
            #expect(try status.count("ladder") == 0)
            #expect(try status.count("biggest") == 0)
            // The next request causes a scan.
            let areas = try await served.ask("GET", "/areas")
            #expect(areas.status == 200)
            #expect(try areas.value("inventory.items") != before, "\(areas.text)")
            #expect(try await served.ask("GET", "/status").count("ladder") == 0)
        }
    }

    /// Nobody has looked into it: a million files would take 80 MB.
    @Test func onlyFiguresAreKeptForWhoOnlyAsksHowItIs() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            var status = try await served.ask("GET", "/status")
            while try status.value("inventory.state") == "scanning" {
                _ = try await served.finished(try status.value("inventory.job"))
                status = try await served.ask("GET", "/status")
            }
            #expect(try status.value("inventory.state") == "summary")
            #expect(try status.value("ladder.0.items") == "3")
            _ = try await served.ask("GET", "/tree")
            status = try await served.ask("GET", "/status")
            #expect(try status.value("inventory.state") == "ready")
        }
    }

    @Test func settingsHaveTheirPlaces() async throws {
        try await ServedAPI.serving { served async throws in
            let settings = try await served.ask("GET", "/settings")
            #expect(try settings.value("settings.0.key") == "mode")
            #expect(try settings.value("settings.0.line") == "3")
            #expect(try settings.value("settings.0.file") == "/etc/headroom/headroom.yaml")
            #expect(try await served.ask("GET", "/asking").count("asking") == 0)
        }
    }

    @Test func explainsWhatMayGoAndWhatNever() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let cache = try await served.ask(
                "GET", "/explain?path=\(ServedAPI.encoded(served.home.appending(".cache/app/one")))"
            )
            #expect(try cache.value("class") == "cache")
            #expect(try cache.value("freesBytes") == "65536")
            #expect(try cache.value("place.count") == "3")
            let letter = try await served.ask(
                "GET",
                "/explain?path=\(ServedAPI.encoded(served.home.appending("Documents/letter")))")
            #expect(try letter.value("class") == "essential")
            #expect(try letter.value("outlook.when") == "never")
            #expect(try letter.value("bytes") == "16384")
            let none = try await served.ask(
                "GET", "/explain?path=\(ServedAPI.encoded(served.home.appending("nothing")))")
            #expect(none.status == 404)
        }
    }

    @Test(.tags(.r36e)) func tellsWhetherAFileIsProtected() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let diary = served.home.appending("Documents/diary")
            try Data("a text".utf8).write(to: URL(filePath: diary.string))
            let keys = try KeyBag.create(
                directory: served.directory.path.appending("keys"),
                passphrase: try Passphrase("correct horse"),
                parameters: try #require(ScryptParameters(exponent: 10)))
            try ProtectedFile.protect(diary, level: .completeUnlessOpen, keys: keys)
            let way = "/explain?path=\(ServedAPI.encoded(diary))"
            let answer = try await served.ask("GET", way)
            #expect(try answer.value("protection.level") == "completeUnlessOpen")
            #expect(try answer.value("protection.text").contains("while unlocked or open"))
            // The header says what it is, and cannot be read.
            var bytes = try Data(contentsOf: URL(filePath: diary.string))
            bytes.replaceSubrange(8..<8_192, with: Data(count: 8_184))
            try bytes.write(to: URL(filePath: diary.string))
            let damaged = try await served.ask("GET", way)
            #expect(try damaged.value("protection.level") == "unknown")
            let letter = ServedAPI.encoded(served.home.appending("Documents/letter"))
            let plain = try await served.ask("GET", "/explain?path=\(letter)")
            #expect(try plain.value("protection.level") == "none")
        }
    }

    // MARK: - The tree

    @Test func theTreeIsWalkedByLevels() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let roots = try await served.ask("GET", "/tree")
            #expect(try roots.value("roots.0.path").hasSuffix("/.cache"))
            let cache = ServedAPI.encoded(served.home.appending(".cache"))
            let one = try await served.ask("GET", "/tree?path=\(cache)")
            #expect(try one.value("node.children.0.name") == "app")
            #expect(try one.value("node.children.1.name") == "lone")
            #expect(try one.value("node.children.1.class") == "cache")
            let deep = try await served.ask("GET", "/tree?path=\(cache)&depth=4")
            #expect(
                try deep.value("node.children.0.children.1.children.0.children.0.name") == "two")
            let inner = try await served.ask(
                "GET", "/tree?path=\(ServedAPI.encoded(served.home.appending(".cache/app")))")
            #expect(try inner.value("parents.0.path").hasSuffix("/.cache"))
            #expect(
                try await served.ask("GET", "/tree?path=\(cache)%2Fnothing").status == 404)
        }
    }

    @Test func pagesOfADirectoryAddUp() async throws {
        try await ServedAPI.serving(fill: { tree in
            for number in 1...25 {
                try tree.file(
                    TreePath(stringLiteral: "home/.cache/d/\(number)"),
                    size: .kibibytes(Int64(number) * 4))
            }
        }) { served async throws in
            let path = ServedAPI.encoded(served.home.appending(".cache/d"))
            var names: [String] = []
            var cursor: String?
            repeat {
                let more = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await served.ask("GET", "/tree?path=\(path)&limit=10\(more)")
                let count = min(10, 25 - names.count)
                for index in 0..<count {
                    names.append(try page.value("node.children.\(index).name"))
                }
                cursor = page.text.contains("\"cursor\"") ? try page.value("node.rest.cursor") : nil
                if cursor != nil {
                    #expect(try page.value("node.rest.count") == "\(25 - names.count)")
                }
            } while cursor != nil
            #expect(names == (1...25).reversed().map { "\($0)" })
            // Of the largest wherever they are, there are as many as were asked for.
            let some = try await served.ask(
                "GET",
                "/tree?path=\(ServedAPI.encoded(served.home.appending(".cache")))&depth=2&limit=3")
            #expect(try some.value("node.children.0.children.1.name") == "24")
            #expect(try some.value("node.children.0.rest.count") == "23")
        }
    }

    @Test func namesOfAllKindsComeThrough() async throws {
        let names: [[UInt8]] = [
            [0xFF, 0xFE, 0x20, 0x25], Array("<script>alert(1)<script>".utf8), Array("שלום".utf8),
            Array(repeating: UInt8(ascii: "x"), count: 255), Array("a\nb\"c\\d\u{7F}".utf8),
            Array("100% + &=#?".utf8),
        ]
        try await ServedAPI.serving(fill: { tree in
            for (number, name) in names.enumerated() {
                let path = TreePath("home/.cache/odd") / TreePath([try #require(FileName(name))])
                try tree.file(path, size: .kibibytes(Int64(40 - 4 * number)))
            }
        }) { served async throws in
            let path = ServedAPI.encoded(served.home.appending(".cache/odd"))
            let tree = try await served.ask("GET", "/tree?path=\(path)")
            #expect(try tree.value("node.children.0.nameBytes") == "%FF%FE%20%25")
            for (number, name) in names.enumerated().dropFirst() {
                #expect(
                    try tree.value("node.children.\(number).name")
                        == String(decoding: name, as: UTF8.self))
            }
            // What is named by its bytes is found.
            let explained = try await served.ask("GET", "/explain?path=\(path)%2F%FF%FE%20%25")
            #expect(try explained.value("class") == "cache")
            #expect(try explained.value("pathBytes").hasSuffix("/odd/%FF%FE%20%25"))
        }
    }

    @Test func theHomeIsShownWhole() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let scan = try await served.ask("POST", "/scans", #"{"view":"home"}"#)
            #expect(scan.status == 202)
            let job = try await served.finished(try scan.value("job.id"))
            #expect(try job.value("state") == "done")
            let home = ServedAPI.encoded(served.home)
            let tree = try await served.ask("GET", "/tree?view=home&path=\(home)&depth=2")
            #expect(tree.text.contains("\"letter\""))
            #expect(tree.text.contains("\"essential\""))
        }
    }

    // MARK: - History

    /// R41: what grew today is not pushed out by what happens more often.
    @Test(.tags(.r41c)) func statusTellsWhatGrewTodayHoweverMuchCameAfterIt() async throws {
        try await ServedAPI.serving { served async throws in
            let now = served.workspace.clock()
            let history = try History.open(
                at: served.workspace.ledger.directory.appending("history.sqlite"), now: now)
            func record(_ kind: HistoryEvent.Kind, _ text: String, minutesAgo: Int64) throws {
                try history.record(
                    HistoryEvent(
                        time: now.advanced(by: .seconds(-60 * minutesAgo)), kind: kind, text: text))
            }
            try record(.anomaly, "Old growth.", minutesAgo: 2_000)
            try record(.anomaly, "Growth of today.", minutesAgo: 600)
            for number in 0..<30 {
                try record(.service, "Event \(number).", minutesAgo: Int64(100 - number))
            }
            try record(.anomaly, "Growth of just now.", minutesAgo: 1)
            try history.close()
            let status = try await served.ask("GET", "/status")
            #expect(try status.count("events") == 21)
            #expect(try status.value("events.0.text") == "Growth of just now.")
            #expect(try status.value("events.1.text") == "Event 29.")
            #expect(try status.value("events.20.text") == "Growth of today.")
            #expect(try status.value("events.20.kind") == "anomaly")
        }
    }

    @Test func historyHasSamplesAndAForecast() async throws {
        try await ServedAPI.serving { served async throws in
            let volume = try Volume.containing(served.home)
            let path = served.workspace.ledger.directory.appending("history.sqlite")
            let now = Timestamp.now()
            let history = try History.open(at: path, now: now)
            try history.record(
                (0..<300).map { minute in
                    (
                        HistoryVolume(volume),
                        ForecastSample(
                            time: now.advanced(by: .seconds(Int64(minute - 300) * 60)),
                            available: .mebibytes(Int64(4_000 - minute)), total: .gibibytes(5),
                            availableInodes: 1_000, inodes: 2_000)
                    )
                })
            try history.close()
            let name = ServedAPI.encoded(volume.mountPoint)
            let answer = try await served.ask("GET", "/history?volume=\(name)&points=50")
            #expect(answer.status == 200)
            let count = try answer.count("samples")
            #expect(count > 10 && count <= 50)
            #expect(try answer.has("forecast"))
            #expect(
                try await served.ask("GET", "/history?volume=%2Fnothing-mounted").status == 404)
        }
    }

    @Test func anAuditIsAJob() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let begun = try await served.ask("POST", "/audits")
            #expect(begun.status == 202)
            let job = try await served.finished(try begun.value("job.id"))
            let audit = try await served.ask("GET", "/audits/\(try job.value("audit"))")
            #expect(audit.status == 200)
            #expect(audit.text.contains("\"complete\":true"))
            #expect(try await served.ask("GET", "/audits/none").status == 404)
        }
    }

    /// Somebody else may stop the scan that a request waits for: that is no fault of the service.
    @Test func aScanThatIsStoppedIsAConflict() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let inventories = served.api.inventories
            let situation = try served.api.situation()
            var stopped: [String] = []
            // One that ended before it was stopped says nothing.
            for _ in 0..<1_000 where stopped.isEmpty {
                await inventories.markStale()
                let scan = try await inventories.begin(.areas, in: situation)
                scan.progress.cancel()
                do { _ = try await scan.task.value } catch let error as APIError {
                    stopped.append(error.code)
                }
            }
            #expect(stopped == ["scan-stopped"])
        }
    }

    @Test func statusHasWhatPeopleWereTold() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            var situation = try served.api.situation()
            situation = APISituation(
                workspace: situation.workspace, loaded: situation.loaded,
                automation: situation.automation, history: situation.history,
                banners: { ["/data is in a plight.", "/data is in a plight."] })
            await served.api.use(situation)
            let status = try await served.ask("GET", "/status")
            #expect(try status.value("notices.0") == "/data is in a plight.")
            #expect(!status.text.contains("plight.\",\"/data"), "each once")
        }
    }
}
