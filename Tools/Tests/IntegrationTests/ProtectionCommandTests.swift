//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// R36, R37: `headroom protect`, `unlock` and `lock`.
@Suite("R36: the commands protect, unlock and lock", .blocks)
struct ProtectionCommandTests {
    private let home: Home
    private let words: String
    private var file: String { home.path.appending("Documents/letter").string }

    init() throws {
        home = try Home(on: .disk)
        try home.tree.file("home/Documents/letter", text: "Dear reader")
        try home.tree.file("words", text: "correct horse\n")
        try home.tree.file("new", text: "battery staple\n")
        words = home.directory.path.appending("words").string
        #expect(try home.run("protect", "--new-keys", "--passphrase-file", words).exitCode == 0)
    }

    /// With the passphrase, and what the keyring has taken away after it.
    private func run(_ arguments: String...) throws -> ChildResult {
        try home.run(arguments + ["--passphrase-file", words])
    }

    private func text() throws -> Data { try Data(contentsOf: URL(filePath: file)) }

    @Test(.tags(.r36e, .r37j)) func encryptsShowsCopiesAndDecrypts() throws {
        let made = try run("protect", file, "--class", "complete")
        #expect(made.exitCode == 0, "\(made.errors)")
        #expect(made.output.contains("complete, readable while unlocked"))
        #expect(made.output.contains("until its blocks are"))
        #expect(try text().firstRange(of: Data("reader".utf8)) == nil)
        #expect(try home.run("protect", file, "--json").json("protection") == "\"complete\"")
        let explained = try home.run("explain", file)
        #expect(explained.output.contains("Protected  complete, readable while unlocked"))
        #expect(try home.run("explain", file, "--json").json("protection") == "\"complete\"")
        let folder = home.path.appending("Documents").string
        let listed = try home.run("scan", folder, "--by", "file")
        #expect(listed.output.contains("letter  protected: complete"), "\(listed.output)")
        let scanned = try home.run("scan", folder, "--by", "file", "--json")
        #expect(scanned.json("protection") == "\"complete\"")

        #expect(try run("unlock", file, "--to", "-").output == "Dear reader")
        let copy = home.path.appending("copy").string
        #expect(try run("unlock", file, "--to", copy).exitCode == 0)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data("Dear reader".utf8))
        let again = try run("unlock", file, "--to", copy)
        #expect(again.exitCode == 1)
        #expect(again.errors.contains("exists and stays"))

        #expect(try run("protect", file, "--class", "completeUnlessOpen").exitCode == 0)
        #expect(try run("unlock", file, "--to", "-").output == "Dear reader")
        let back = try run("protect", file, "--class", "none")
        #expect(back.output.contains("not protected; was completeUnlessOpen"))
        #expect(try text() == Data("Dear reader".utf8))
    }

    @Test func whatIsNeededIsSaid() throws {
        let nobody = try home.run("protect", file, "--class", "complete")
        #expect(nobody.exitCode == 1)
        #expect(nobody.errors.contains("--passphrase-file"))
        #expect(try text() == Data("Dear reader".utf8))
        // Its public key is enough.
        #expect(try home.run("protect", file, "--class", "completeUnlessOpen").exitCode == 0)
        let locked = try home.run("unlock", file, "--to", "-")
        #expect(locked.exitCode == 1)
        #expect(locked.output.isEmpty)
        let other = home.directory.path.appending("new").string
        let wrong = try home.run("unlock", file, "--to", "-", "--passphrase-file", other, "--json")
        #expect(wrong.exitCode == 1)
        #expect(wrong.json("code") == "\"wrongPassphrase\"")
        #expect(try home.run("protect", file, "--class", "secret").exitCode == 2)
        #expect(try home.run("protect").exitCode == 2)
        #expect(try home.run("protect", "--new-keys", "--passphrase-file", words).exitCode == 1)
    }

    @Test func withoutKeysItSaysHowToMakeThem() throws {
        let other = try Home(on: .disk)
        try other.tree.file("home/file", text: "x")
        let result = try other.run(
            "protect", other.path.appending("file").string, "--class", "complete")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("headroom protect --new-keys"))
    }

    @Test(.tags(.r37j)) func changesThePassphrase() throws {
        #expect(try run("protect", file, "--class", "complete").exitCode == 0)
        let before = try text()
        let new = home.directory.path.appending("new").string
        let changed = try run("protect", "--change-passphrase", "--new-passphrase-file", new)
        #expect(changed.exitCode == 0, "\(changed.errors)")
        #expect(try text() == before)
        #expect(try run("unlock", file, "--to", "-").exitCode == 1)
        let read = try home.run("unlock", file, "--to", "-", "--passphrase-file", new)
        #expect(read.output == "Dear reader")
    }

    @Test func damagedFilesAreNotCopied() throws {
        #expect(try run("protect", file, "--class", "complete").exitCode == 0)
        var bytes = try text()
        bytes[8_195] ^= 1
        try bytes.write(to: URL(filePath: file))
        let copy = home.path.appending("copy").string
        let result = try run("unlock", file, "--to", copy)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("not as it was written"))
        #expect(!home.exists("copy"))
    }

    @Test func directoriesHaveALevelForNewFiles() throws {
        let place = home.path.appending("Documents").string
        let set = try home.run("protect", place, "--new-files", "--class", "complete")
        #expect(set.exitCode == 0, "\(set.errors)")
        #expect(try home.run("protect", place).output.contains("new files: complete"))
        #expect(try home.run("protect", place, "--new-files", "--class", "none").exitCode == 0)
        #expect(try home.run("protect", place).output.contains("nothing for new files"))
        let missing = try run("protect", place, "--class", "complete")
        #expect(missing.exitCode == 1)
    }

    /// Where the kernel lets us have a keyring.
    @Test(.tags(.r37j)) func staysUnlockedBetweenCommands() throws {
        #expect(try run("protect", file, "--class", "complete").exitCode == 0)
        let unlocked = try run("unlock", "--for", "10min")
        guard unlocked.exitCode == 0 else {
            #expect(unlocked.errors.contains("with each command"), "\(unlocked.errors)")
            return
        }
        #expect(unlocked.output.contains("Unlocked for 10 minutes."))
        #expect(try home.run("unlock", file, "--to", "-").output == "Dear reader")
        #expect(try home.run("lock", "--json").exitCode == 0)
        let locked = try home.run("unlock", file, "--to", "-")
        #expect(locked.exitCode == 1)
        #expect(locked.output.isEmpty)
        #expect(try home.run("lock", "--all").exitCode == 0)
        #expect(try home.run("lock", "--all").output.contains("locked already"))
    }
}
