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
import Synchronization
import SystemPackage
import Testing

struct FileProtectionTests {
    /// `FileProtectionType`, as Apple documents it.
    @Test(
        .tags(.r35a),
        arguments: [
            (.none, "NSFileProtectionNone"), (.complete, "NSFileProtectionComplete"),
            (.completeUnlessOpen, "NSFileProtectionCompleteUnlessOpen"),
            (
                .completeUntilFirstUserAuthentication,
                "NSFileProtectionCompleteUntilFirstUserAuthentication"
            ),
            (.completeWhenUserInactive, "NSFileProtectionCompleteWhenUserInactive"),
        ] as [(ProtectionLevel, String)])
    func knowsTheSystemsNames(level: ProtectionLevel, name: String) {
        #expect(level.systemName == name)
        #expect(ProtectionLevel(systemName: name) == level)
    }

    @Test func knowsANameForEachLevel() {
        #expect(Set(ProtectionLevel.allCases.map(\.systemName)).count == 5)
    }

    @Test(.tags(.r35a)) func setsAndReadsBack() throws {
        let protection = FileProtection(Disk())
        try protection.set(.complete, of: "/a")
        #expect(try protection.level(of: "/a") == .level(.complete))
    }

    @Test(.tags(.r35a)) func readsWhatIsNotSaidAsUnknownAndNeverAsNone() throws {
        let disk = Disk()
        let protection = FileProtection(disk)
        #expect(try protection.level(of: "/a") == .unknown)
        disk.set("NSFileProtectionOfTheFuture")
        #expect(try protection.level(of: "/a") == .unknown)
        disk.set("NSFileProtectionNone")
        #expect(try protection.level(of: "/a") == .level(.none))
    }

    /// As the simulator does.
    @Test(.tags(.r35a)) func findsOutASystemThatDoesNothing() {
        #expect { try FileProtection(Disk(.ignores)).set(.complete, of: "/a") } throws: { error in
            let error = error as? StorageError
            return error?.code == .refused && error?.message.contains("simulator") == true
        }
    }

    @Test func findsOutASystemThatDoesSomethingElse() {
        #expect {
            try FileProtection(Disk(.gives("NSFileProtectionNone"))).set(.complete, of: "/a")
        } throws: { error in
            let error = error as? StorageError
            return error?.code == .refused && error?.message.contains("another level") == true
        }
    }

    @Test func refusesALevelThatTheSystemLacks() {
        let disk = Disk(known: [.complete])
        #expect { try FileProtection(disk).set(.completeWhenUserInactive, of: "/a") } throws: {
            ($0 as? StorageError)?.code == .refused
        }
        #expect(!disk.wasWritten)
    }

    @Test(arguments: [
        (Errno.noSuchFileOrDirectory, StorageError.Code.notFound), (.notPermitted, .notPermitted),
        (.permissionDenied, .notPermitted), (.notSupported, .refused), (.ioError, .io),
    ])
    func saysWhatWentWrong(errno: Errno, code: StorageError.Code) {
        #expect {
            try FileProtection(Disk(.fails(errno))).set(.complete, of: "/a")
        } throws: { error in
            let error = error as? StorageError
            return error?.code == code && error?.cause == errno
        }
    }
}

/// One file of a system that keeps protection, or does not.
private final class Disk: ProtectionStoring {
    enum Habit {
        case keeps
        case ignores
        case gives(String)
        case fails(Errno)
    }

    let known: Set<ProtectionLevel>
    private let habit: Habit
    private let name = Mutex<String?>(nil)
    private let written = Atomic<Bool>(false)

    init(_ habit: Habit = .keeps, known: Set<ProtectionLevel> = Set(ProtectionLevel.allCases)) {
        self.habit = habit
        self.known = known
    }

    var wasWritten: Bool { written.load(ordering: .relaxed) }

    func set(_ name: String) { self.name.withLock { $0 = name } }

    func read(_ path: FilePath) throws(Errno) -> String? { name.withLock { $0 } }

    func write(_ name: String, to path: FilePath) throws(Errno) {
        written.store(true, ordering: .relaxed)
        switch habit {
        case .keeps: set(name)
        case .ignores: break
        case .gives(let other): set(other)
        case .fails(let error): throw error
        }
    }
}
