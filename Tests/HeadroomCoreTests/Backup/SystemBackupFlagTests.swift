//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R11: the system's own word beside the dialects of programs, as Apple's systems have one. What stands
/// for it here is kept as theirs is: in an attribute whose presence counts.
@Suite("R11: the system's own value")
struct SystemBackupFlagTests {
    private struct Flag: SystemBackupFlag {
        let attribute: AttributeName = "user.com.apple.metadata:com_apple_backup_excludeItem"
        var error: Errno?

        func set(_ isSet: Bool, of descriptor: Int32) throws(Errno) {
            if let error { throw error }
            if isSet {
                try LinuxCalls().setAttribute(attribute, to: Array("plist".utf8), of: descriptor)
            } else {
                _ = try LinuxCalls().removeAttribute(attribute, of: descriptor)
            }
        }
    }

    private let directory: TemporaryDirectory
    private let flags = BackupFlags(LinuxCalls(), system: Flag())

    init() throws {
        directory = try TemporaryDirectory()
        try directory.tree.file("file", text: "x")
        try directory.tree.file("new", text: "x")
        try directory.tree.directory("place")
    }

    private func open(_ name: String) throws -> Descriptor {
        try PathCalls.open(directory.path.appending(name), O_RDONLY | O_CLOEXEC)
    }

    private func read(_ name: String) throws -> BackupDialects {
        let parent = try PathCalls.openDirectory(directory.path)
        let status = try directory.tree.status(of: TreePath(name))
        return try #require(FileName(name)).withEntryName {
            flags.read($0, status, at: parent.rawValue)
        }
    }

    @Test(.tags(.r11e), arguments: ["file", "place"])
    func itIsSetReadAndRemovedBesideTheOthers(name: String) throws {
        let item = try open(name)
        let isDirectory = name == "place"
        #expect(try !read(name).contains(.apple))
        let outcome = flags.set(on: item.rawValue, isDirectory: isDirectory)
        #expect(outcome.dialects.isSuperset(of: [.apple, .attribute]))
        #expect(try read(name).isSuperset(of: [.apple, .attribute]))

        let removed = flags.remove(.apple, from: item.rawValue, isDirectory: isDirectory)
        #expect(removed.dialects == .apple && removed.failures.isEmpty)
        #expect(try read(name).contains(.attribute) && !read(name).contains(.apple))
        // It is not there any more.
        let again = flags.remove(.apple, from: item.rawValue, isDirectory: isDirectory)
        #expect(again.dialects.isEmpty && again.failures.isEmpty)
    }

    @Test(.tags(.r11e)) func aReplacementHasWhatTheOldOneHad() throws {
        let old = try open("file")
        _ = flags.set(on: old.rawValue, isDirectory: false)
        let new = try open("new")
        flags.carry(try read("file"), to: new.rawValue)
        #expect(try read("new").contains(.apple))
        #expect(try read("new") == read("file"))
    }

    @Test(.tags(.r11e)) func oneThatFailsLeavesTheOthersSet() throws {
        let flags = BackupFlags(LinuxCalls(), system: Flag(error: .ioError))
        let file = try open("file")
        let outcome = flags.set(on: file.rawValue, isDirectory: false)
        #expect(outcome.failures == [.init(dialect: .apple, error: .ioError)])
        #expect(outcome.dialects.contains(.attribute))
    }

    @Test func whereTheSystemHasNoneThereIsNone() throws {
        let own = AppleBackupFlag.ofThisSystem
        #expect(own == nil)
        let file = try open("file")
        let outcome = BackupFlags(LinuxCalls()).set(on: file.rawValue, isDirectory: false)
        #expect(!outcome.dialects.contains(.apple) && outcome.failures.isEmpty)
        #expect(try !read("file").contains(.apple))
    }
}
#endif
