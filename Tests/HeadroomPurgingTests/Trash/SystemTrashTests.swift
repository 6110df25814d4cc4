//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R33: a trash that the system keeps, in a script")
struct SystemTrashTests {
    /// Moves things to `bin`, and says where they are then.
    private struct Script: SystemTrashing {
        let tree: Tree
        var tells = true

        func put(_ path: FilePath) throws(HeadroomError) -> FilePath? {
            var relative = path
            guard relative.removePrefix(tree.root), let name = path.lastComponent,
                name.string != "refused"
            else { throw HeadroomError(.io, "The script does not move \(path).") }
            let place = TreePath(stringLiteral: "bin/\(name.string) 12.03")
            do {
                try tree.rename(TreePath(stringLiteral: relative.string), to: place)
            } catch {
                throw HeadroomError(.io, "The script could not move \(path): \(error)")
            }
            return tells ? tree.path(place) : nil
        }
    }

    @Test(
        "Cleaning moves what a person chose to the trash of the system, where it has one",
        .tags(.r33g))
    func cleaningUsesTheSystemsTrash() throws {
        try fixture.tree.file("home/Downloads/archive.zip", size: .kilobytes(200))
        let downloads = fixture.path("Downloads")
        let cleaner = Cleaner(
            fixture.workspace(),
            places: Cleaner.Places(userFiles: [], downloads: [downloads]),
            systemTrash: Script(tree: fixture.tree))
        var items: [Cleanable] = []
        try cleaner.survey { if $0.section == .downloads { items = $0.items } }
        let result = try cleaner.clean(CleaningSelection(items), requester: "test")
        #expect(result.disposal?.removedCount == 1)
        #expect(fixture.tree.exists("bin/archive.zip 12.03"))
        #expect(!fixture.tree.exists("home/Downloads/archive.zip"))
    }

    private let fixture: TrashFixture

    init() throws {
        fixture = try TrashFixture()
        try fixture.tree.directory("bin")
        try fixture.tree.file("home/Documents/Trip/photo.jpg", text: "sun")
        try fixture.tree.file("home/Documents/letter", text: "dear")
    }

    private func put(_ names: String..., tells: Bool = true) -> Receipt {
        let workspace = fixture.workspace()
        return workspace.dispose(
            of: workspace.select(userFiles: names.map(fixture.path)), requester: "test",
            within: nil, by: Script(tree: fixture.tree, tells: tells))
    }

    private func text(_ path: TreePath) throws -> String {
        String(decoding: try fixture.tree.contents(of: path), as: UTF8.self)
    }

    @Test(.tags(.r33g)) func theReceiptSaysWhereEachIs() throws {
        let receipt = put("Documents/Trip", "Documents/letter")
        #expect(receipt.removedCount == 2)
        #expect(receipt.skipped == [])
        #expect(receipt.trashed.map(\.path) == receipt.removed.map(\.path))
        #expect(
            receipt.trashed.map(\.place) == [
                fixture.tree.path("bin/Trip 12.03"), fixture.tree.path("bin/letter 12.03"),
            ])
        // As another process reads it, from the ledger.
        let kept = try fixture.workspace(after: .seconds(1)).ledger.receipt(receipt.id)
        #expect(kept == receipt)
    }

    @Test(.tags(.r33g)) func undoBringsBackWhatTheSystemHasMoved() throws {
        let receipt = put("Documents/Trip", "Documents/letter")
        #expect(!fixture.exists("Documents/Trip"))
        let back = try fixture.workspace(after: .seconds(1)).undo(receipt.id, requester: "test")
        #expect(back.kind == .restoration)
        #expect(back.removed.map(\.path) == receipt.removed.map(\.path))
        #expect(back.skipped == [])
        #expect(try text("home/Documents/Trip/photo.jpg") == "sun")
        #expect(try text("home/Documents/letter") == "dear")
        #expect(try fixture.tree.names(in: "bin").isEmpty)
        #expect(throws: HeadroomError.self) {
            try fixture.workspace().undo(receipt.id, requester: "test")
        }
    }

    @Test(.tags(.r33g)) func undoReplacesNothing() throws {
        let receipt = put("Documents/letter")
        try fixture.tree.file("home/Documents/letter", text: "a later one")
        let back = try fixture.workspace().undo(receipt.id, requester: "test")
        #expect(back.removed == [])
        #expect(back.skipped.map(\.path) == [fixture.path("Documents/letter")])
        #expect(try text("home/Documents/letter") == "a later one")
        #expect(try text("bin/letter 12.03") == "dear")
    }

    @Test(.tags(.r33g)) func whatHasItsPlaceByNowIsNotTakenForIt() throws {
        let receipt = put("Documents/letter")
        // Held under another name, so that its number is not given to the other.
        try fixture.tree.rename("bin/letter 12.03", to: "bin/away")
        try fixture.tree.file("bin/letter 12.03", text: "somebody else's")
        #expect(throws: HeadroomError.self) {
            try fixture.workspace().undo(receipt.id, requester: "test")
        }
        #expect(!fixture.exists("Documents/letter"))
        #expect(try text("bin/letter 12.03") == "somebody else's")
    }

    @Test func whatItDoesNotMoveStaysAndWhatItDoesNotTellIsSaid() throws {
        try fixture.tree.file("home/Documents/refused", text: "x")
        let refused = put("Documents/refused")
        #expect(refused.removedCount == 0)
        #expect(refused.skipped.map(\.path) == [fixture.path("Documents/refused")])
        #expect(fixture.exists("Documents/refused"))
        let untold = put("Documents/letter", tells: false)
        #expect(untold.removedCount == 1)
        #expect(untold.trashed == [])
        #expect(untold.notes.count == 1)
        #expect(throws: HeadroomError.self) {
            try fixture.workspace().undo(untold.id, requester: "test")
        }
    }
}
