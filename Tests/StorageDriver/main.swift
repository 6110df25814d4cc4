//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

// A process of its own for tests of what several share: StorageDriver HOME LEDGER OWNER COMMAND…
//   hold BYTES            reserves, says "held", and waits to be killed
//   make BYTES ID         makes room and saves, three times
//   unfinished save|temporary   begins, says "begun", and waits to be killed
//   fill PATH             fills the volume with a file and removes it, again and again
//   places                says where caches and data of the home lie
//   save KIND STEP        saves, and dies where the numbered step is reached; says "done" if it is not
//   race ROUNDS BYTES ID  reserves, saves as much, removes it; says how often it could
struct Driver {
    let storage: Storage
    let bytes: ByteCount

    /// Reserves, and keeps it until the process is killed.
    func hold() throws {
        let room = try storage.makeRoom(for: bytes, intent: .essential)
        print("held")
        fflush(nil)
        withExtendedLifetime(room) { _ = pause() }
    }

    /// - Returns: how often there was room; what is promised has to work then.
    func race(rounds: Int, name: String) throws -> Int {
        let data = Data(repeating: 7, count: Int(bytes.bytes))
        var saved = 0
        for round in 0..<rounds {
            if try saveOnce("\(name)-\(round)", data) { saved += 1 }
        }
        return saved
    }

    /// Makes room, purging for it, and uses it.
    func make(_ name: String) throws {
        let data = Data(repeating: 7, count: Int(bytes.bytes))
        for round in 0..<3 {
            let room = try storage.makeRoom(for: bytes, intent: .essential)
            try storage.save(
                data, as: .cache, named: "room-\(name)-\(round)", intent: .essential, using: room)
        }
    }

    /// Begins something, and is killed before it ends.
    func begin(_ what: String) throws {
        if what == "save" {
            try storage.save(as: .cache, named: "half") { file in
                try file.write(Data("half of it".utf8))
                waitToBeKilled()
            }
        } else {
            try storage.withTemporaryFile { _ in waitToBeKilled() }
        }
    }

    private func waitToBeKilled() {
        print("begun")
        fflush(nil)
        while true { _ = pause() }
    }

    /// Fills the volume and empties it again, until it is killed.
    func fill(_ path: String) throws {
        print("begun")
        fflush(nil)
        while true {
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            let block = [UInt8](repeating: 1, count: 1 << 16)
            while unsafe write(file, block, block.count) > 0 {}
            close(file)
            usleep(2_000)
            unsafe unlink(path)
            usleep(1_000)
        }
    }

    private func saveOnce(_ name: String, _ data: Data) throws -> Bool {
        guard let room = try room() else { return false }
        let url = try storage.save(data, as: .essential(.appData), named: name)
        room.reduce(by: bytes)
        guard try Data(contentsOf: url) == data else { throw Errno.ioError }
        try FileManager.default.removeItem(at: url)
        return true
    }

    private func room() throws -> Reservation? {
        do {
            return try storage.makeRoom(for: bytes, intent: .essential)
        } catch  where error.code == .insufficientSpace {
            return nil
        }
    }
}

func run(_ arguments: [String]) throws {
    if arguments[4] == "places" {
        let home = URL(filePath: arguments[1], directoryHint: .isDirectory)
        let storage = try Storage(home: home, owner: arguments[3])
        for content in [ContentClass.cache, .essential(.appData)] {
            print(storage.directory(for: content).path)
        }
        return
    }
    let storage = try Storage(
        home: FilePath(arguments[1]), environment: ["TMPDIR": arguments[1] + "/tmp"],
        owner: arguments[3], ledgerDirectory: FilePath(arguments[2]),
        step: arguments[4] == "save" ? SaveKiller.hook(arguments[6]) : nil)
    switch arguments[4] {
    case "hold":
        let bytes = ByteCount(Int64(arguments[5]) ?? 0)
        try Driver(storage: storage, bytes: bytes).hold()
    case "make":
        let bytes = ByteCount(Int64(arguments[5]) ?? 0)
        try Driver(storage: storage, bytes: bytes).make(arguments[6])
    case "unfinished":
        try Driver(storage: storage, bytes: .zero).begin(arguments[5])
    case "save":
        try SaveKiller.save(arguments[5], to: storage)
        print("done")
    case "fill":
        try Driver(storage: storage, bytes: .zero).fill(arguments[5])
    default:
        let driver = Driver(storage: storage, bytes: ByteCount(Int64(arguments[6]) ?? 0))
        let saved = try driver.race(rounds: Int(arguments[5]) ?? 0, name: arguments[7])
        print("saved \(saved)")
    }
}

guard CommandLine.arguments.count > 5 || CommandLine.arguments.last == "places" else {
    print(
        "usage: StorageDriver HOME LEDGER OWNER places | hold BYTES | make BYTES ID | unfinished WHAT | fill PATH | save KIND STEP | race ROUNDS BYTES ID"
    )
    exit(2)
}
try run(CommandLine.arguments)
