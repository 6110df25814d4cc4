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

// A process of its own for tests of what several share: StorageDriver HOME LEDGER COMMAND…
//   hold BYTES            reserves, says "held", and waits to be killed
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
    let storage = try Storage(
        home: FilePath(arguments[1]), environment: ["TMPDIR": arguments[1] + "/tmp"],
        owner: "Racer", ledgerDirectory: FilePath(arguments[2]))
    if arguments[3] == "hold" {
        let bytes = ByteCount(Int64(arguments[4]) ?? 0)
        try Driver(storage: storage, bytes: bytes).hold()
    } else {
        let driver = Driver(storage: storage, bytes: ByteCount(Int64(arguments[5]) ?? 0))
        let saved = try driver.race(rounds: Int(arguments[4]) ?? 0, name: arguments[6])
        print("saved \(saved)")
    }
}

guard CommandLine.arguments.count > 4 else {
    print("usage: StorageDriver HOME LEDGER hold BYTES | race ROUNDS BYTES ID")
    exit(2)
}
try run(CommandLine.arguments)
