//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// Choosing by hand: what is listed, what a choice would free, and that nothing else goes (R31).
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APICleaningTests {
    private static func fill(_ tree: Tree) throws {
        try tree.file("home/.cache/app/one", size: .kibibytes(64))
        try tree.file("home/.cache/app/own", size: .kibibytes(4))
        try tree.file("home/.cache/other/two", size: .kibibytes(128))
        try tree.hardLink("home/.cache/other/linked", to: "home/.cache/app/one")
        try tree.file("home/.cache/lone", size: .kibibytes(8))
        try tree.file("home/Videos/film.mkv", size: .kibibytes(200))
        try tree.file("home/Documents/letter", size: .kibibytes(16))
        try tree.file("home/Documents/old.txt", size: .kibibytes(120))
    }

    /// What is listed when all was found.
    private func listed(
        _ served: ServedAPI, _ query: String = ""
    ) async throws -> ServedAPI.Answer {
        var answer = try await served.ask("GET", "/cleanables\(query)")
        while try answer.value("state") == "searching" {
            _ = try await served.finished(try answer.value("job"))
            answer = try await served.ask("GET", "/cleanables\(query)")
        }
        return answer
    }

    /// Where something is listed, as `sections.0.items.1`.
    private func place(
        of name: String, in section: String, _ answer: ServedAPI.Answer
    ) throws -> String {
        for number in 0..<(try answer.count("sections"))
        where try answer.value("sections.\(number).id") == section {
            for index in 0..<(try answer.count("sections.\(number).items"))
            where try answer.value("sections.\(number).items.\(index).name") == name {
                return "sections.\(number).items.\(index)"
            }
        }
        throw DocumentSchema.Mistake(text: "no \(name) in \(section): \(answer.text)")
    }

    private func ids(
        _ names: [(name: String, section: String)], _ answer: ServedAPI.Answer
    ) throws -> String {
        let quoted = try names.map { name -> String in
            let place = try place(of: name.name, in: name.section, answer)
            let id = try answer.value("\(place).id")
            return "\"\(id)\""
        }
        return quoted.joined(separator: ",")
    }

    private func preview(
        _ served: ServedAPI, _ ids: String, _ more: String = ""
    ) async throws -> ServedAPI.Answer {
        try await served.ask("POST", "/cleanables/preview", "{\"items\":[\(ids)]\(more)}")
    }

    /// Confirms what a preview has planned, and waits for its end.
    private func purge(
        _ served: ServedAPI, _ preview: ServedAPI.Answer
    ) async throws -> ServedAPI.Answer {
        let plan = try preview.value("plan.id")
        let selection = try preview.value("plan.selection")
        let begun = try await served.ask(
            "POST", "/purges", "{\"plan\":\"\(plan)\",\"selection\":\"\(selection)\"}")
        #expect(begun.status == 202, "\(begun.text)")
        return try await served.finished(try begun.value("job.id"))
    }

    /// Puts a file into the trash, as another program would.
    private func throwAway(_ served: ServedAPI, _ name: String) {
        let selection = served.workspace.select(userFiles: [served.home.appending(name)])
        _ = served.workspace.dispose(of: selection, requester: "test")
    }

    // MARK: - Listing

    @Test(.tags(.r31e)) func everythingIsInItsSection() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            throwAway(served, "Documents/old.txt")
            let answer = try await listed(served)
            #expect(try answer.value("state") == "ready")
            #expect(try answer.count("sections") == CleaningSection.all.count)
            let app = try place(of: "app", in: "caches", answer)
            #expect(try answer.value("\(app).action") == "purge")
            #expect(answer.text.contains("\"selectable\":true"))
            #expect(try answer.value("\(app).path").hasSuffix(".cache/app"))
            _ = try place(of: "Files directly in it", in: "caches", answer)
            let film = try place(of: "film.mkv", in: "video", answer)
            #expect(try answer.value("\(film).action") == "dispose")
            #expect(try answer.value("\(film).bytes") == "\(200 * 1_024)")
            let old = try place(of: "old.txt", in: "trash", answer)
            #expect(try answer.value("\(old).action") == "empty")
            // What nobody would choose one by one.
            #expect(!answer.text.contains("Documents/letter"))
        }
    }

    @Test func sectionsComeInPages() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let all = try await listed(served, "?section=caches")
            #expect(try all.count("sections") == 1)
            let count = try all.count("sections.0.items")
            let first = try await listed(served, "?section=caches&limit=1")
            #expect(try first.count("sections.0.items") == 1)
            #expect(try first.value("sections.0.count") == "\(count)")
            #expect(try first.value("sections.0.rest.count") == "\(count - 1)")
            let cursor = try first.value("sections.0.rest.cursor")
            let second = try await listed(served, "?section=caches&limit=1&cursor=\(cursor)")
            #expect(
                try second.value("sections.0.items.0.id") == all.value("sections.0.items.1.id"))
            let again = try await served.ask("POST", "/cleanables")
            #expect(again.status == 202)
            _ = try await served.finished(try again.value("job.id"))
            let stale = try await served.ask(
                "GET", "/cleanables?section=caches&limit=1&cursor=\(cursor)")
            #expect(stale.status == 409)
            for (query, status) in [
                ("?section=none", 404), ("?limit=0", 400), ("?cursor=\(cursor)", 400),
                ("?x=1", 400),
            ] {
                #expect(try await served.ask("GET", "/cleanables\(query)").status == status)
            }
        }
    }

    @Test func namesOfAllKindsCanBeChosen() async throws {
        let names: [[UInt8]] = [
            [0xFF, 0xFE] + Array(" %.mkv".utf8), Array("<img src=x>\n\".mkv".utf8),
            Array("\u{202E}שלום.mkv".utf8),
        ]
        try await ServedAPI.serving(fill: { tree in
            for name in names {
                let path = TreePath("home/Videos") / TreePath([try #require(FileName(name))])
                try tree.file(path, size: .kibibytes(120))
            }
        }) { served async throws in
            let answer = try await listed(served, "?section=video")
            #expect(try answer.count("sections.0.items") == names.count)
            #expect(answer.text.contains("\"nameBytes\":\"%FF%FE%20%25.mkv\""))
            let chosen = try (0..<names.count).map {
                "\"" + (try answer.value("sections.0.items.\($0).id")) + "\""
            }
            let shown = try await preview(served, chosen.joined(separator: ","))
            #expect(try shown.value("disposedItems") == "\(names.count)")
            let begun = try await served.ask(
                "POST", "/disposals/\(try shown.value("disposal.id"))/confirm")
            _ = try await served.finished(try begun.value("job.id"))
            #expect(try await served.ask("GET", "/trash").count("items") == names.count)
        }
    }

    // MARK: - Choosing

    /// A file of which one name is chosen frees nothing.
    @Test(.tags(.r31e)) func linksInsideAndOutsideOfTheChoiceAreCountedRight() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let answer = try await listed(served)
            let one = try await preview(served, try ids([("app", "caches")], answer))
            // It goes, since a person has chosen it; its bytes stay with the other name.
            #expect(one.status == 201)
            #expect(try one.value("freesBytes") == "\(4 * 1_024)")
            #expect(try one.value("purgedItems") == "2")
            #expect(try one.value("linkedElsewhere") == "1")
            let both = try await preview(
                served, try ids([("app", "caches"), ("other", "caches")], answer))
            #expect(both.status == 201)
            #expect(try both.value("freesBytes") == "\(196 * 1_024)")
            #expect(try both.value("purgedItems") == "4")
            #expect(try both.value("linkedElsewhere") == "0")

            let job = try await purge(served, both)
            #expect(try job.value("state") == "done")
            for name in [".cache/app/one", ".cache/other/linked", ".cache/other/two"] {
                #expect(!served.tree.exists(TreePath(stringLiteral: "home/\(name)")), "\(name)")
            }
            for name in [".cache/lone", "Videos/film.mkv", "Documents/letter"] {
                #expect(served.tree.exists(TreePath(stringLiteral: "home/\(name)")), "\(name)")
            }
            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("removedCount") == "4", "\(receipt.text)")
            // What is listed now is what is there now.
            #expect(try await !listed(served).text.contains(".cache/app"))
        }
    }

    @Test(.tags(.r31e)) func aPersonsFileIsThrownAwayAndComesBack() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let film = try await ids([("film.mkv", "video")], listed(served))
            let shown = try await preview(served, film)
            #expect(try shown.value("freesBytes") == "0")
            #expect(try shown.value("freesWhenEmptiedBytes") == "\(200 * 1_024)")
            #expect(try shown.value("disposedItems") == "1")
            #expect(try !shown.has("plan"))
            let way = "/disposals/\(try shown.value("disposal.id"))/confirm"
            let begun = try await served.ask("POST", way)
            let job = try await served.finished(try begun.value("job.id"))
            #expect(!served.tree.exists("home/Videos/film.mkv"))
            #expect(try await served.ask("POST", way).status == 409)
            // It is in another section, and not listed in its own any more.
            let after = try await listed(served)
            _ = try place(of: "film.mkv", in: "trash", after)
            #expect(try await preview(served, film).status == 404)
            let undone = try await served.ask(
                "POST", "/receipts/\(try job.value("receipt"))/undo")
            #expect(undone.status == 200)
            #expect(served.tree.exists("home/Videos/film.mkv"))
        }
    }

    @Test func whatIsChosenOfTheTrashIsEmptied() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            throwAway(served, "Documents/old.txt")
            throwAway(served, "Videos/film.mkv")
            let old = try await ids([("old.txt", "trash")], listed(served))
            let shown = try await preview(served, old)
            #expect(try shown.value("freesBytes") == "\(120 * 1_024)")
            _ = try await purge(served, shown)
            let trash = try await served.ask("GET", "/trash")
            #expect(try trash.count("items") == 1)
            #expect(try trash.value("items.0.path").hasSuffix("film.mkv"))
            #expect(served.tree.exists("home/.cache/lone"))
        }
    }

    /// Last resort goes with it; a person's files and the trash do not.
    @Test(.tags(.r31e)) func deepIsEverythingThatCanBeMadeAgain() async throws {
        try await ServedAPI.serving(fill: { tree in
            try Self.fill(tree)
            try tree.file("home/Podcasts/episode", size: .kibibytes(40))
        }) { served async throws in
            try served.workspace.mark(served.home.appending("Podcasts/episode")) {
                $0.purgeClass = .lastResort
            }
            throwAway(served, "Documents/old.txt")
            let shown = try await preview(served, "", ",\"deep\":true")
            #expect(try shown.value("freesBytes") == "\(244 * 1_024)")
            #expect(try shown.value("freesWhenEmptiedBytes") == "0")
            let old = try await ids([("old.txt", "trash")], listed(served))
            let more = try await preview(served, old, ",\"deep\":true")
            #expect(try more.value("freesBytes") == "\(364 * 1_024)")
            _ = try await purge(served, shown)
            #expect(!served.tree.exists("home/Podcasts/episode"))
            #expect(!served.tree.exists("home/.cache/lone"))
            #expect(served.tree.exists("home/Videos/film.mkv"))
            #expect(served.tree.exists("home/Documents/letter"))
            #expect(try await served.ask("GET", "/trash").count("items") == 1)
        }
    }

    // MARK: - Refusals

    @Test(.tags(.r31e)) func onlyWhatIsListedCanBeChosen() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let lone = try await ids([("Files directly in it", "caches")], listed(served))
            let letter = served.home.appending("Documents/letter").string
            for body in [
                "{\"items\":[\"\(letter)\"]}", "{\"items\":[\"\(letter)/*\"]}",
                "{\"items\":[\(lone),\"/etc/passwd\"]}", "{\"items\":[\"module:x\"]}",
            ] {
                #expect(try await served.ask("POST", "/cleanables/preview", body).status == 404)
            }
            for body in [
                "{}", "{\"items\":[]}", "{\"items\":[1]}", "{\"items\":[\(lone),\(lone)]}",
                "{\"items\":\"x\"}", "{\"items\":[\(lone)],\"x\":1}", "{\"deep\":1}",
            ] {
                #expect(try await served.ask("POST", "/cleanables/preview", body).status == 400)
            }
            #expect(served.tree.exists("home/Documents/letter"))
        }
    }

    /// What is kept is what can be confirmed, once.
    @Test func aStaleChoiceIsRefused() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let lone = try await ids([("Files directly in it", "caches")], listed(served))
            let looked = try await preview(served, lone, ",\"keep\":false")
            #expect(looked.status == 200)
            #expect(try looked.value("freesBytes") == "\(8 * 1_024)")
            #expect(await served.api.plans.count == 0)
            let shown = try await preview(served, lone)
            let plan = try shown.value("plan.id")
            for selection in ["none", plan] {
                let wrong = try await served.ask(
                    "POST", "/purges", "{\"plan\":\"\(plan)\",\"selection\":\"\(selection)\"}")
                #expect(wrong.status == 409)
            }
            #expect(served.tree.exists("home/.cache/lone"))
            _ = try await purge(served, shown)
            #expect(!served.tree.exists("home/.cache/lone"))
            let selection = try shown.value("plan.selection")
            let again = try await served.ask(
                "POST", "/purges", "{\"plan\":\"\(plan)\",\"selection\":\"\(selection)\"}")
            #expect(again.status == 409)
            #expect(try again.value("error.code") == "plan-unknown")
        }
    }

    /// Choosing makes nothing purgeable: what a person has pinned since it was listed stays.
    @Test(.tags(.r31e)) func nothingEssentialGoesThoughItWasChosen() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let chosen = try await ids(
                [("Files directly in it", "caches"), ("other", "caches"), ("app", "caches")],
                listed(served))
            try served.workspace.mark(served.home.appending(".cache/lone")) {
                $0.isPinned = true
            }
            let shown = try await preview(served, chosen)
            let job = try await purge(served, shown)
            #expect(served.tree.exists("home/.cache/lone"))
            #expect(!served.tree.exists("home/.cache/other/two"))
            let receipt = try await served.ask("GET", "/receipts/\(try job.value("receipt"))")
            #expect(try receipt.value("removedCount") == "4")
        }
    }
}
