//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct InPlaceTests {
    private let fixture: ProtectionFixture

    init() throws { fixture = try ProtectionFixture() }

    @Test(arguments: [0, 1, 65_536, 65_537, 3_000_000])
    func encryptsAndDecrypts(size: Int) throws {
        let content = ProtectionFixture.content(size)
        try fixture.write(content, to: "file")
        let path = fixture.path("file")
        for level in ClassKeys.levels {
            try ProtectedFile.protect(path, level: level, keys: fixture.keys)
            #expect(Protection.of(path) == .level(level))
            #expect(try fixture.content(path) == content)
            try ProtectedFile.unprotect(path, keys: fixture.keys)
            #expect(try fixture.bytes(path) == content)
        }
        #expect(try fixture.directory.tree.names().map(\.text).sorted() == ["file", "state"])
    }

    @Test func keepsWhatBelongsToTheFile() throws {
        try fixture.write(Data("text".utf8), to: "file")
        let path = fixture.path("file")
        let calls = NativeCalls.make()
        let file = try RegularFile(
            "file", in: StateDirectory(opening: fixture.directory.path), .writing)
        try calls.setAttribute(
            MarkAttribute.name, to: Array("1 pinned".utf8), of: file.descriptor.rawValue)
        try fixture.directory.tree.setPermissions(0o640, of: "file")
        try fixture.directory.tree.age("file", by: .seconds(86_400))
        let before = try RegularFile(opening: path).status()
        try ProtectedFile.protect(path, level: .complete, keys: fixture.keys)
        for _ in 0..<2 {
            let now = try RegularFile(opening: path)
            let status = try now.status()
            #expect(status.permissions == 0o640)
            #expect(status.modified == before.modified)
            #expect(status.owner == before.owner)
            #expect(
                try calls.attribute(MarkAttribute.name, of: now.descriptor.rawValue)
                    == Array("1 pinned".utf8))
            if Protection.of(path) != .level(.none) {
                try ProtectedFile.unprotect(path, keys: fixture.keys)
            }
        }
    }

    /// A mark that the ledger alone holds is bound to the inode, and the new file is another.
    /// Encrypted, they could be read by nobody any more, the program included.
    @Test(.tags(.s1e)) func ownRecordsAreLeftAlone() throws {
        let records = fixture.directory.path.appending("ledger")
        let ledger = Ledger.open(directory: records)
        let marks = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        try fixture.write(Data("text".utf8), to: "ledger/file")
        try fixture.directory.tree.symbolicLink("link", to: "ledger")
        for name in ["ledger/file", "link/file"] {
            let error = #expect(throws: ProtectionError.self) {
                try ProtectedFile.protect(
                    fixture.path(name), level: .complete, keys: fixture.keys, marks: marks)
            }
            #expect(error?.code == .unsupported)
        }
        #expect(try fixture.bytes(fixture.path("ledger/file")) == Data("text".utf8))
    }

    @Test(.tags(.r36d)) func marksOfTheLedgerGoAlong() throws {
        try fixture.write(Data("text".utf8), to: "file")
        let path = fixture.path("file")
        let ledger = Ledger.open(directory: fixture.directory.path.appending("ledger"))
        let calls = NativeCalls.make()
        let marks = MarkStore(calls: calls, ledger: ledger)
        try marks.update(path) { mark in
            mark.isPinned = true
            mark.importance = 70
        }
        func dropAttribute() throws {
            let file = try RegularFile(
                "file", in: StateDirectory(opening: fixture.directory.path), .writing)
            _ = try calls.removeAttribute(MarkAttribute.name, of: file.descriptor.rawValue)
        }
        for isProtecting in [true, false] {
            try dropAttribute()
            let before = try RegularFile(opening: path).status().identity
            if isProtecting {
                try ProtectedFile.protect(
                    path, level: .complete, keys: fixture.keys, marks: marks)
            } else {
                try ProtectedFile.unprotect(path, keys: fixture.keys, marks: marks)
            }
            #expect(try RegularFile(opening: path).status().identity != before)
            try dropAttribute()
            #expect(try marks.mark(of: path).isPinned == true)
            #expect(try marks.mark(of: path).importance == 70)
        }
    }

    #if os(Linux)
    @Test(.enabled(if: Privilege.canMount, "mounting a ramfs needs root"))
    func marksGoAlongWhereThereAreNoAttributes() throws {
        let image = try MountedImage.ramfs()
        let path = image.path.appending("file")
        try Data("text".utf8).write(to: URL(filePath: path.string))
        let ledger = Ledger.open(directory: fixture.directory.path.appending("ledger"))
        let marks = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        #expect(try marks.update(path) { $0.isPinned = true } == .ledgerOnly(.notSupported))
        try ProtectedFile.protect(path, level: .complete, keys: fixture.keys, marks: marks)
        #expect(Protection.of(path) == .level(.complete))
        #expect(try marks.mark(of: path).isPinned == true)
        try ProtectedFile.unprotect(path, keys: fixture.keys, marks: marks)
        #expect(try fixture.bytes(path) == Data("text".utf8))
        #expect(try marks.mark(of: path).isPinned == true)
    }
    #endif

    #if os(Linux)
    /// As in a container: the file is in a lower layer, and is copied up when its name is changed.
    @Test(.enabled(if: Privilege.canMount, "mounting an overlay needs root"))
    func replacesAFileOfALowerLayer() throws {
        let content = ProtectionFixture.content(100_000)
        try fixture.directory.tree.directory("lower")
        try fixture.write(content, to: "lower/file")
        let image = try MountedImage.overlay(lower: fixture.path("lower"))
        let path = image.path.appending("file")
        try ProtectedFile.protect(path, level: .complete, keys: fixture.keys)
        #expect(try fixture.content(path) == content)
        try ProtectedFile.unprotect(path, keys: fixture.keys)
        #expect(try fixture.bytes(path) == content)
        let names = try FileManager.default.contentsOfDirectory(atPath: image.path.string)
        #expect(names == ["file"])
    }
    #endif

    @Test func whileLockedOnlyUnlessOpen() throws {
        try fixture.write(Data("text".utf8), to: "file")
        let path = fixture.path("file")
        fixture.keys.lock()
        let code = ProtectionFixture.code {
            try ProtectedFile.protect(path, level: .complete, keys: fixture.keys)
        }
        #expect(code == .locked)
        #expect(try fixture.bytes(path) == Data("text".utf8))
        // It is checked with the key that it was made with.
        try ProtectedFile.protect(path, level: .completeUnlessOpen, keys: fixture.keys)
        #expect(Protection.of(path) == .level(.completeUnlessOpen))
        let back = ProtectionFixture.code {
            try ProtectedFile.unprotect(path, keys: fixture.keys)
        }
        #expect(back == .locked)
        try fixture.keys.unlock(try Passphrase(ProtectionFixture.words))
        #expect(try fixture.content(path) == Data("text".utf8))
    }

    private func refused(_ name: String) -> ProtectionError.Code? {
        ProtectionFixture.code {
            try ProtectedFile.protect(fixture.path(name), level: .complete, keys: fixture.keys)
        }
    }

    @Test func refusesWhatWouldStayReadable() throws {
        try fixture.write(Data("text".utf8), to: "file")
        try fixture.directory.tree.hardLink("again", to: "file")
        try fixture.directory.tree.symbolicLink("link", to: "file")
        try fixture.directory.tree.directory("directory")
        #expect(refused("file") == .unsupported)
        #expect(refused("link") == .unsupported)
        #expect(refused("directory") != nil)
        #expect(refused("missing") == .io)
        #expect(try fixture.bytes(fixture.path("again")) == Data("text".utf8))
        #expect(
            try fixture.directory.tree.names().map(\.text).sorted()
                == ["again", "directory", "file", "link", "state"])
    }

    @Test func readOnlyFilesAreReplacedToo() throws {
        try fixture.write(Data("text".utf8), to: "file")
        try fixture.directory.tree.setPermissions(0o400, of: "file")
        #expect(refused("file") == nil)
        let path = fixture.path("file")
        #expect(try RegularFile(opening: path).status().permissions == 0o400)
        #expect(try fixture.content(path) == Data("text".utf8))
    }

    /// A file that is written meanwhile is not replaced by what it was.
    @Test func refusesWhatChangesMeanwhile() throws {
        try fixture.write(ProtectionFixture.content(100), to: "file")
        let path = fixture.path("file")
        let replacement = try FileReplacement.begin("protect", path)
        try replacement.write(Data("other".utf8))
        try replacement.complete()
        try fixture.write(ProtectionFixture.content(101), to: "file")
        #expect(ProtectionFixture.code { try replacement.publish() } == .changed)
        #expect(try fixture.bytes(path) == ProtectionFixture.content(101))
    }

    @Test func refusesTwiceAndInUse() throws {
        let path = try fixture.make("file", ProtectionFixture.content(10))
        #expect(refused("file") == .alreadyProtected)
        try fixture.write(Data("text".utf8), to: "leased")
        let lease = try Lease.acquire(fixture.path("leased"))
        #expect(refused("leased") == .busy)
        lease.release()
        #expect(refused("leased") == nil)
        try fixture.write(Data("text".utf8), to: "plain")
        let code = ProtectionFixture.code {
            try ProtectedFile.unprotect(fixture.path("plain"), keys: fixture.keys)
        }
        #expect(code == .notProtected)
        #expect(try fixture.content(path) == ProtectionFixture.content(10))
    }

    @Test func damagedFilesStayAsTheyAre() throws {
        let path = try fixture.make("file", ProtectionFixture.content(5_000))
        var bytes = try fixture.bytes(path)
        bytes[9_000] ^= 1
        try fixture.write(bytes, to: "file")
        let code = ProtectionFixture.code {
            try ProtectedFile.unprotect(path, keys: fixture.keys)
        }
        #expect(code == .damaged)
        #expect(try fixture.bytes(path) == bytes)
        #expect(try fixture.directory.tree.names().map(\.text).sorted() == ["file", "state"])
    }
}
#endif
