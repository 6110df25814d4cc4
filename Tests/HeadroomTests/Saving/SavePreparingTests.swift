//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomPlatform
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is done to a file before it has bytes, as giving it a protection is.
struct SavePreparingTests {
    private let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    private func save(
        _ data: Data, preparing: @escaping SavePreparation
    ) throws(StorageError) -> URL {
        try fixture.storage.save(
            data, as: .essential(.appData), named: "letter", durability: .none, intent: nil,
            using: nil, preparing: preparing)
    }

    @Test(arguments: [10, 3 << 20])
    func preparesTheFileWhileItIsEmpty(size: Int) throws {
        // The second time by the short way, onto the file that is there.
        for _ in 0..<2 {
            let sizes = Mutex<[Int64]>([])
            let url = try save(Data(repeating: 7, count: size)) { file throws(StorageError) in
                let status = try? NativeCalls.make().status(of: file)
                sizes.withLock { $0.append(status?.logicalSize.bytes ?? -1) }
            }
            #expect(sizes.withLock { $0 } == [0])
            #expect(try Data(contentsOf: url).count == size)
        }
    }

    @Test func leavesNothingWhenThatFails() throws {
        let refusal = StorageError(.refused, "no protection here")
        #expect(throws: refusal) {
            try save(Data([1])) { _ throws(StorageError) in throw refusal }
        }
        let directory = fixture.storage.directory(for: .essential(.appData))
        let names = try Descriptor.openDirectory(FilePath(directory.path))
        let left = try NativeCalls.make().names(in: names.rawValue).map(\.text)
        #expect(left.filter { !$0.hasPrefix("LastResort") } == [])
    }
}
