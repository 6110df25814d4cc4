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

/// R7: the file in which processes keep what they have reserved.
struct ReservationTableTests {
    private let directory: TemporaryDirectory
    private let table: ReservationTable

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        table = ReservationTable(directory: directory.path)
    }

    private func reserve(_ bytes: ByteCount, on fileSystem: UInt64 = 1) throws -> ReservationSlot {
        let slot = try table.reserve(bytes, on: fileSystem) { (_) throws(Errno) in true }
        return try #require(slot)
    }

    /// Who made room and used it while others purged is seen afterwards, when nothing is held any more.
    @Test func reservationsThatWereMadeAreCounted() throws {
        #expect(try table.made == 0)
        do {
            let first = try reserve(.mebibytes(1))
            let second = try reserve(.mebibytes(2), on: 2)
            #expect(try table.made == 2)
            // What a slot says is written anew, the count beside it is not.
            try first.set(.mebibytes(7))
            try second.set(.zero)
            #expect(try table.made == 2)
            #expect(try table.reserved(on: 1) == .mebibytes(7))
        }
        #expect(try table.reserved(on: 1) == .zero)
        // In the slot of the first.
        _ = try reserve(.mebibytes(3))
        #expect(try table.made == 3)
        #expect(try table.reserve(.mebibytes(3), on: 1) { (_) throws(Errno) in false } == nil)
        #expect(try table.made == 3)
    }

    @Test func whatIsReservedIsOfItsFileSystem() throws {
        let one = try reserve(.mebibytes(1))
        let other = try reserve(.mebibytes(2), on: 2)
        var asked: ByteCount?
        let third = try table.reserve(.mebibytes(4), on: 2) { (others) throws(Errno) in
            asked = others
            return true
        }
        #expect(asked == .mebibytes(2))
        #expect(try table.reserved(on: 1) == .mebibytes(1))
        #expect(try table.reserved(on: 2) == .mebibytes(6))
        withExtendedLifetime((one, other, third)) {}
    }

    /// Others have files of that name, too.
    @Test(.tags(.s7b), arguments: [40, 8_192, 20_000])
    func aFileThatIsNoTableIsKeptBesideIt(length: Int) throws {
        let mine = Array(repeating: UInt8(ascii: "m"), count: length)
        try directory.tree.file("reservations", contents: mine)
        let slot = try reserve(.mebibytes(1))
        #expect(try table.reserved(on: 1) == .mebibytes(1))
        withExtendedLifetime(slot) {}
        _ = try reserve(.mebibytes(1))
        let names = try directory.tree.names(in: "").map(\.text)
        #expect(names.count == 2)
        let aside = try #require(names.first { $0.hasPrefix("reservations.damaged-") })
        #expect(try directory.tree.contents(of: TreePath(stringLiteral: aside)) == mine)
    }
}
