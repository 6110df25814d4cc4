//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// R3: what is copied to a file that is being saved.
struct NewFileCopyTests {
    /// As after a full volume has cut a copy short; on Darwin the system copies from where the descriptors are.
    @Test func r3ACopyIsOfTheWholeFileWhereverItsDescriptorIs() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try directory.tree.file("source", contents: content)
        let source = try Descriptor.openFile(directory.tree.path("source"))
        #expect(lseek(source.rawValue, 5_000, SEEK_SET) == 5_000)
        let file = try NewFile(in: try directory.tree.open())
        try file.copy(from: source.rawValue, at: 0)
        try file.publish(as: file.place.entry(Array("copy".utf8)[...]))
        #expect(try directory.tree.contents(of: "copy") == content)
    }
}
