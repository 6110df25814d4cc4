//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomApple
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

/// R35: each form of saving gives the system's protection to the empty file, or saves nothing.
struct ProtectedSavingTests {
    enum Form: CaseIterable {
        case data
        /// Not in one step.
        case longData
        case copy
        case stream
        case closure
    }

    private static let old = Array("old".utf8)
    private static let directory: TreePath = "home/.local/share/Diary"
    private let base: TemporaryDirectory

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.directory("home")
        try base.tree.directory("tmp")
    }

    private var place: FilePath { base.tree.path(Self.directory).appending("letter") }

    private func content(_ form: Form) -> Data {
        Data(repeating: 7, count: form == .longData ? 3 << 20 : 10_000)
    }

    private func volume(_ habit: ProtectingVolume.Habit = .keeps) -> ProtectingVolume {
        let place = place.string
        return ProtectingVolume(habit) {
            (try? Data(contentsOf: URL(filePath: place))).map { Array($0) }
        }
    }

    private func storage(on volume: ProtectingVolume) throws -> Storage {
        try Storage(
            home: base.path.appending("home"),
            environment: ["TMPDIR": base.path.appending("tmp").string], owner: "Diary",
            ledgerDirectory: base.path.appending("ledger"), protectionClasses: volume)
    }

    /// A file at the name, of a level of its own.
    private func saveOld(_ storage: Storage, _ volume: ProtectingVolume) throws {
        try storage.save(Data(Self.old), as: .essential(.appData), named: "letter")
        try volume.protect(place, .completeUnlessOpen)
    }

    /// - Parameter level: nil: as what is saved without one.
    private func save(
        _ form: Form, _ storage: Storage, _ volume: ProtectingVolume, _ level: ProtectionLevel?
    ) async throws -> URL {
        let prepare: SavePreparation? =
            if let level {
                FileProtection(volume).preparation(level, named: "letter")
            } else {
                nil
            }
        let content = content(form)
        switch form {
        case .data, .longData:
            return try storage.save(
                content, as: .essential(.appData), named: "letter", durability: .none, intent: nil,
                using: nil, preparing: prepare)
        case .copy:
            try base.tree.file("source", contents: Array(content))
            return try storage.save(
                contentsOf: URL(filePath: base.path.appending("source").string),
                as: .essential(.appData), named: "letter", durability: .none, intent: nil,
                using: nil, preparing: prepare)
        case .stream:
            let pieces = AsyncStream<Data> { continuation in
                for start in stride(from: 0, to: content.count, by: 2_500) {
                    continuation.yield(content[start..<start + 2_500])
                }
                continuation.finish()
            }
            return try await storage.save(
                pieces, as: .essential(.appData), named: "letter",
                expecting: ByteCount(Int64(content.count)), durability: .none, intent: nil,
                using: nil, preparing: prepare)
        case .closure:
            return try storage.save(
                as: .essential(.appData), named: "letter", expecting: nil, durability: .none,
                intent: nil, using: nil, preparing: prepare
            ) { file in
                try file.write(content.prefix(4_000))
                try file.write(content.dropFirst(4_000))
            }
        }
    }

    private func left() throws -> [String] {
        try base.tree.names(in: Self.directory).map(\.text)
            .filter { !$0.hasPrefix("LastResort") }
    }

    @Test(.tags(.r35a), arguments: Form.allCases, [false, true])
    func r35ItIsProtectedBeforeItsFirstByteAndItsName(form: Form, replacing: Bool) async throws {
        let volume = volume()
        let storage = try storage(on: volume)
        if replacing { try saveOld(storage, volume) }
        let url = try await save(form, storage, volume, .complete)
        let gift = ProtectingVolume.Gift(
            level: .complete, size: .zero, isHidden: true, atName: replacing ? Self.old : nil)
        #expect(volume.asked == [gift])
        // What it replaces has no say.
        #expect(volume.handedOn == [])
        #expect(try volume.level(of: place) == .complete)
        #expect(try Data(contentsOf: url) == content(form))
        #expect(try left() == ["letter"])
    }

    @Test(
        .tags(.r35a), arguments: Form.allCases,
        ProtectingVolume.Habit.allCases.filter { $0 != .keeps })
    func r35WhereItCannotBeProtectedNothingIsSaved(
        form: Form, habit: ProtectingVolume.Habit
    ) async throws {
        let volume = volume(habit)
        let storage = try storage(on: volume)
        for replacing in [false, true] {
            if replacing { try saveOld(storage, volume) }
            let error = await #expect(throws: StorageError.self) {
                try await save(form, storage, volume, .complete)
            }
            #expect(error?.code == .refused)
            // What nobody has seen is not what it is called.
            #expect(error?.message.contains(NewFile.prefix) == false)
            #expect(error?.message.contains("letter") == true)
            #expect(try left() == (replacing ? ["letter"] : []))
        }
        #expect(try Data(contentsOf: URL(filePath: place.string)) == Data(Self.old))
        #expect(try volume.level(of: place) == .completeUnlessOpen)
    }

    @Test(arguments: Form.allCases)
    func r35WithoutALevelItIsProtectedAsItsDirectory(form: Form) async throws {
        let volume = volume()
        let url = try await save(form, try storage(on: volume), volume, nil)
        #expect(volume.asked == [])
        #expect(volume.handedOn == [])
        #expect(try volume.level(of: place) == ProtectingVolume.ofDirectories)
        #expect(try Data(contentsOf: url) == content(form))
    }

    @Test(.tags(.r35a), arguments: Form.allCases)
    func r35WithoutALevelItIsProtectedAsWhatItReplaces(form: Form) async throws {
        let volume = volume()
        let storage = try storage(on: volume)
        try saveOld(storage, volume)
        let url = try await save(form, storage, volume, nil)
        #expect(volume.asked == [])
        let gift = try #require(volume.handedOn.first)
        #expect(volume.handedOn.count == 1)
        #expect(gift.level == .completeUnlessOpen)
        #expect(gift.isHidden)
        #expect(gift.atName == Self.old)
        #expect(try volume.level(of: place) == .completeUnlessOpen)
        #expect(try Data(contentsOf: url) == content(form))
    }

    @Test(arguments: Form.allCases)
    func r35WhatCannotBeProtectedAsWhatItReplacesIsNotSaved(form: Form) async throws {
        let volume = volume()
        let storage = try storage(on: volume)
        try saveOld(storage, volume)
        volume.refuseClasses()
        let error = await #expect(throws: StorageError.self) {
            try await save(form, storage, volume, nil)
        }
        #expect(error?.code == .notPermitted)
        #expect(try left() == ["letter"])
        #expect(try Data(contentsOf: URL(filePath: place.string)) == Data(Self.old))
        #expect(try volume.level(of: place) == .completeUnlessOpen)
    }
}
