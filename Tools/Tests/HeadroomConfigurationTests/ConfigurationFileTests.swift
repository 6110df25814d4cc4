//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Who may have written what is read.
struct ConfigurationFileTests {
    let directory: ConfigurationDirectory

    init() throws {
        directory = try ConfigurationDirectory()
        try directory.write("headroom.yaml", "mode: act\n")
    }

    private var main: FilePath { directory.path.appending("headroom.yaml") }

    private func onlyProblem() throws -> ConfigurationProblem {
        let problems = directory.problems()
        #expect(problems.count == 1, "\(problems)")
        return try #require(problems.first)
    }

    private func own(_ path: FilePath, _ user: UInt32) throws {
        let result = unsafe path.withPlatformString { unsafe chown($0, user, user) }
        try #require(result == 0, "chown: \(errno)")
    }

    @Test(.tags(.r29e)) func refusesWhatOthersMayWrite() throws {
        try directory.tree.setPermissions(0o646, of: "headroom/headroom.yaml")
        let problem = try onlyProblem()
        #expect(problem.file == main)
        #expect(problem.what.contains("others may write to it (mode 646)"))
        #expect(problem.advice.contains("chmod go-w \(main)"))
    }

    @Test func refusesADirectoryThatOthersMayWrite() throws {
        try directory.tree.setPermissions(0o777, of: "headroom/conf.d")
        #expect(try onlyProblem().file == directory.path.appending("conf.d"))
        try directory.tree.setPermissions(0o755, of: "headroom/conf.d")
        try directory.tree.setPermissions(0o777, of: "headroom")
        #expect(directory.problems().first?.file == directory.path)
    }

    @Test(.tags(.r29e), .enabled(if: Privilege.isRoot, "only root can give a file away"))
    func rootRefusesTheFilesOfOthers() throws {
        try own(main, 1000)
        let problem = try onlyProblem()
        #expect(problem.what.contains("belongs to user 1000"))
        #expect(problem.advice.contains("chown root \(main)"))
    }

    @Test(.tags(.r29e), .enabled(if: Privilege.isRoot, "only root can give a directory away"))
    func rootRefusesDirectoriesThatOthersDecideOver() throws {
        try own(directory.path.appending("conf.d"), 1000)
        #expect(try onlyProblem().file == directory.path.appending("conf.d"))
        try own(directory.path.appending("conf.d"), 0)
        // Whoever owns a directory above can put another one in its place.
        try own(directory.directory.path, 1000)
        #expect(directory.problems().first?.file == directory.directory.path)
        try own(directory.directory.path, 0)
        #expect(try directory.load().configuration.mode == .act)
    }

    @Test(.enabled(if: Privilege.isRoot, "only root can give a file away"))
    func aUserRefusesTheFilesOfAnotherAndTakesRoots() throws {
        let loader = ConfigurationLoader(places: directory.places(userID: 1000), workspace: nil)
        #expect(try loader.load().configuration.mode == .act)
        try own(main, 1001)
        #expect(throws: ConfigurationErrors.self) { try loader.load() }
    }

    @Test(.enabled(if: Privilege.isRoot, "only root can give a file away"))
    func aUsersOwnGroupMayWriteAndAnotherMayNot() throws {
        let places = ConfigurationPlaces(
            directory: directory.path, home: directory.home, environment: [:], userID: 1000,
            groupID: 1000)
        let loader = ConfigurationLoader(places: places, workspace: nil)
        try own(main, 1000)
        try directory.tree.setPermissions(0o664, of: "headroom/headroom.yaml")
        #expect(try loader.load().configuration.mode == .act)
        let given = unsafe main.withPlatformString { unsafe chown($0, 1000, 1001) }
        try #require(given == 0)
        #expect(throws: ConfigurationErrors.self) { try loader.load() }
    }

    @Test func refusesLinks() throws {
        try directory.tree.rename("headroom/headroom.yaml", to: "headroom/other")
        try directory.tree.symbolicLink("headroom/headroom.yaml", to: "other")
        #expect(try onlyProblem().what.contains("symbolic link"))
    }

    @Test func refusesALinkToADirectory() throws {
        try directory.tree.rename("headroom/conf.d", to: "headroom/other")
        try directory.tree.symbolicLink("headroom/conf.d", to: "other")
        #expect(try onlyProblem().file == directory.path.appending("conf.d"))
    }

    @Test func doesNotWaitForAPipe() throws {
        try directory.tree.remove("headroom/headroom.yaml")
        try directory.tree.fifo("headroom/headroom.yaml")
        #expect(try onlyProblem().what.contains("not a regular file"))
    }

    @Test func refusesADirectoryInItsPlace() throws {
        try directory.tree.directory("headroom/conf.d/a.yaml")
        #expect(try onlyProblem().what.contains("not a regular file"))
    }

    @Test func refusesAFileInPlaceOfADirectory() throws {
        try directory.tree.remove("headroom/conf.d")
        try directory.write("conf.d", "")
        #expect(try onlyProblem().what.contains("not a directory"))
    }

    @Test(.enabled(if: !Privilege.isRoot, "root reads every file"))
    func tellsOfAFileThatCannotBeRead() throws {
        try directory.tree.setPermissions(0o000, of: "headroom/headroom.yaml")
        #expect(try onlyProblem().what.contains("permission denied"))
    }

    @Test func refusesWhatIsTooLong() throws {
        try directory.write(
            "headroom.yaml", String(repeating: "# a comment\n", count: 30_000))
        let problem = try onlyProblem()
        #expect(problem.what.contains("longer than 256 KiB"))
        #expect(problem.advice.contains("conf.d"))
    }

    @Test(arguments: [[0xFF], [0xC3, 0x28], [0x00], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func namesTheLineThatIsNoText(_ bytes: [UInt8]) throws {
        try directory.tree.file(
            "headroom/headroom.yaml", contents: Array("mode: act\n# ".utf8) + bytes)
        try directory.tree.setPermissions(0o644, of: "headroom/headroom.yaml")
        let problem = try onlyProblem()
        #expect(problem.line == 2)
        #expect(problem.what.contains("not UTF-8"))
    }
}
