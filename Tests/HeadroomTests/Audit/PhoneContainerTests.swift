//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A container copied from a phone: each path with the role, the class and the backup that it must
/// have, and nothing else there.
@Suite("R1, R2: a container copied from a phone")
struct PhoneContainerTests {
    private let directory: TemporaryDirectory
    private let copy: FilePath

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        copy = directory.path.appending("copy")
        try directory.tree.directory("me")
    }

    private func make(_ container: PhoneContainer) throws {
        try container.make(in: directory.tree, at: "copy")
    }

    private func open(home: String = "me") -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending(home),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: Timestamp.now
        )
    }

    /// What the audit says of every file, as lines of the table: role, class, backup, path.
    private func standings(_ audit: Audit, _ container: PhoneContainer) -> [String] {
        (container.files.map(\.path) + container.emptyDirectories).sorted().map { path in
            guard let found = audit.survey.standing(of: FilePath("\(copy)/\(path)")) else {
                return "not found  \(path)"
            }
            return [found.role.name, found.purgeClass.name, found.backup.name, path]
                .joined(separator: "  ")
        }
    }

    private func expect(
        _ table: String, _ container: PhoneContainer, _ audit: Audit,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let rows: [String] = table.split(separator: "\n").map { line in
            let columns: [String] = line.split(separator: "|").map { column in
                String(column.trimmingPrefix { $0 == " " }).trimmed
            }
            return columns.joined(separator: "  ")
        }
        let expected = rows.sorted { $0.lastColumn < $1.lastColumn }
        let found = standings(audit, container)
        for (left, right) in zip(found, expected) {
            #expect(left == right, sourceLocation: location)
        }
        #expect(found.count == expected.count, sourceLocation: location)
    }

    /// The files that a plan of all that may go has, relative to the container.
    private func planned(_ paths: [FilePath], areGroups: Bool = false) throws -> Set<String> {
        let scope = try open().scope(paths: paths, as: nil, areGroups: areGroups)
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        var found: Set<String> = []
        for entry in plan where entry.unit != .emptyDirectory {
            var path = entry.path
            _ = path.removePrefix(copy)
            found.insert(path.string)
            for sidecar in entry.sidecars {
                found.insert("\(path.removingLastComponent())/\(sidecar.text)")
            }
        }
        return found
    }

    // MARK: - An app's container

    @Test(.tags(.r2a)) func eachPathOfAnAppHasItsRoleClassAndBackup() throws {
        try make(.app)
        let storage = try Storage(container: URL(filePath: copy.string), owner: "Podcaster")
        expect(PhoneTable.app, .app, try storage.audit())
    }

    @Test(.tags(.r2a)) func onlyCachesAndTemporaryFilesOfAnAppArePlanned() throws {
        try make(.app)
        let expected = PhoneTable.paths(PhoneTable.app) { $0 != "essential" }
        let found = try planned([copy])
        #expect(found.symmetricDifference(expected) == [])
    }

    @Test func onlyDatabasesHaveSidecars() throws {
        try make(.app)
        let scope = try open().scope(paths: [copy], as: nil)
        let plan = try scope.plan(try scope.scan(), targets: [.all])
        for entry in plan {
            #expect(entry.sidecars.isEmpty == (entry.unit != .fileSet), "\(entry.path)")
        }
    }

    @Test func namingAPlaceInsideLeadsToTheSame() throws {
        try make(.app)
        let expected = PhoneTable.paths(PhoneTable.app) { $0 == "temporary" }
        let found = try planned([copy.appending("tmp")])
        #expect(found.symmetricDifference(expected) == [])
        for place in ["Documents", "Documents/Inbox", "Library/Preferences", "Library/Cookies"] {
            #expect(throws: HeadroomError.self, "\(place)") {
                try planned([FilePath("\(copy)/\(place)")])
            }
        }
    }

    @Test(
        .tags(.r2c),
        arguments: [
            "", "Documents", "Documents/Inbox", "Library", "Library/Preferences",
            "Library/Application Support", "Podcaster.app", "Library/Caches/com.apple.dyld",
            "tmp/com.apple.dyld", "Library/Caches/Snapshots",
        ])
    func rolesAndWhatIsTheSystemsAreNeverDeclared(path: String) throws {
        try make(.app)
        #expect(throws: HeadroomError.self) {
            try open().scope(
                paths: [FilePath(path.isEmpty ? "\(copy)" : "\(copy)/\(path)")], as: .cache)
        }
    }

    @Test(.tags(.r12a)) func whatIsBackedUpIsDocumentsAndLibraryWithoutCaches() throws {
        try make(.app)
        let storage = try Storage(container: URL(filePath: copy.string), owner: "Podcaster")
        let audit = try storage.audit()
        let included = PhoneTable.app.split(separator: "\n").filter { $0.contains("| included ") }
        #expect(audit.backup.total.items == included.count)
        let listed = included.compactMap { line in
            line.split(separator: "|").last.map { String($0).trimmed }
        }
        let bytes = try listed.reduce(Int64(0)) { sum, path in
            let status = try directory.tree.status(of: TreePath(stringLiteral: "copy/\(path)"))
            return sum + status.allocatedSize.bytes
        }
        #expect(audit.backup.total.allocated == ByteCount(bytes))
    }

    @Test func aCleanAppHasNoFinding() throws {
        try make(.app)
        let storage = try Storage(container: URL(filePath: copy.string), owner: "Podcaster")
        let findings = try storage.audit().findings
        #expect(findings.map { "\($0.code) \($0.path)" } == [])
    }

    // MARK: - Groups

    @Test func aGroupIsKnownByItsMetadata() throws {
        let group = PhoneContainer.group(metadata: true)
        try make(group)
        expect(PhoneTable.group, group, try open().audit([copy]))
        let expected = PhoneTable.paths(PhoneTable.group) { $0 == "cache" }
        let found = try planned([copy])
        #expect(found.symmetricDifference(expected) == [])
    }

    @Test(.tags(.r1c)) func aGroupWithoutMetadataIsKnownOnlyIfItIsSaid() throws {
        let group = PhoneContainer.group(metadata: false)
        try make(group)
        #expect(throws: HeadroomError.self) { try planned([copy]) }
        let expected = PhoneTable.paths(PhoneTable.group) { $0 == "cache" }
        let found = try planned([copy], areGroups: true)
        #expect(found.symmetricDifference(expected) == [])
        let table = PhoneTable.group.split(separator: "\n").filter { !$0.contains("metadata") }
        expect(
            table.joined(separator: "\n"), group, try open().audit([copy], areGroups: true))
    }

    @Test func nothingOfASystemGroupIsPlanned() throws {
        try make(.systemGroup)
        expect(PhoneTable.systemGroup, .systemGroup, try open().audit([copy]))
        #expect(throws: HeadroomError.self) { try planned([copy]) }
        #expect(throws: HeadroomError.self) { try planned([copy.appending("Library/Caches")]) }
    }

    // MARK: - Homes

    @Test(.tags(.r1d)) func aHomeThatLooksLikeAContainerIsNone() throws {
        try make(.home)
        #expect(Layout.appleContainer(at: copy) == nil)
        #expect(throws: HeadroomError.self) { try planned([copy]) }
        #expect(throws: HeadroomError.self) { try planned([copy.appending("tmp")]) }
        #expect(throws: StorageError.self) {
            try Storage(container: URL(filePath: copy.string), owner: "Podcaster")
        }
        let audit = try open().audit([copy])
        for file in PhoneContainer.home.files {
            let found = audit.survey.standing(of: FilePath("\(copy)/\(file.path)"))
            #expect(found?.purgeClass == .essential, "\(file.path)")
            #expect(found?.backup == .included, "\(file.path)")
        }
    }

    /// In a container of Docker's the home of the process is in no account database.
    @Test(.tags(.r1d)) func theHomeOfTheProcessIsNoContainerWhateverIsInIt() throws {
        for name in ["Documents", "Library", "tmp"] {
            try directory.tree.file(TreePath(stringLiteral: "me/\(name)/precious"), text: "x")
        }
        let me = directory.path.appending("me")
        for path in [me, me.appending("tmp"), me.appending("Library")] {
            #expect(throws: HeadroomError.self, "\(path)") {
                let scope = try open().scope(paths: [path], as: nil)
                _ = try scope.plan(try scope.scan(), targets: [.all])
            }
        }
        let audit = try open().audit([me])
        let found = audit.survey.standing(of: me.appending("tmp/precious"))
        #expect(found?.purgeClass == .essential)
        #expect(found?.role == .home)
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// What follows the last two spaces: the path.
    fileprivate var lastColumn: String {
        components(separatedBy: "  ").last ?? self
    }
}
