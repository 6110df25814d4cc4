//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an audit takes for large where nothing is said: R12.
@Suite("R12: the standard bounds")
struct AuditDefaultTests {
    private let box: AuditFixture
    /// Blocks of 4096 bytes on both sides of ten million.
    private let below = ByteCount(2_441 * 4_096)
    private let above = ByteCount(2_442 * 4_096)
    private let media = "Library/Application Support/Podcaster/media"

    init() throws {
        var box = try AuditFixture()
        box.options = AuditOptions()
        self.box = box
    }

    private func file(_ name: String, _ size: ByteCount) throws {
        try box.directory.tree.allocatedFile(TreePath(stringLiteral: "box/\(name)"), size: size)
    }

    private func download(_ name: String, _ size: ByteCount) throws {
        try file("\(media)/\(name)", size)
        try box.set("user.xdg.origin.url", "https://example.com", of: "\(media)/\(name)")
    }

    @Test(.tags(.r12f)) func whatCanBeHadAgainIsLargeFromTenMegabytesOn() throws {
        try download("below", below)
        #expect(try box.findings() == [])
        try download("above", above)
        #expect(try box.findings() == ["recreatable-in-backup \(media)/above"])
    }

    @Test(.tags(.r12f)) func whatIsSmallIsMuchFromAHundredMegabytesOn() throws {
        for number in 0..<10 { try download("small\(number)", below) }
        #expect(try box.findings() == [])
        try download("last", .megabytes(1))
        #expect(try box.findings() == ["small-recreatable-in-backup "])
    }

    @Test(.tags(.r12f)) func largeFilesAreMuchFromAHundredMegabytesOn() throws {
        for number in 0..<9 { try file("Documents/film\(number).mov", above) }
        for number in 0..<3 { try file("Documents/clip\(number).mov", below) }
        #expect(try box.findings() == [])
        try file("Documents/film9.mov", above)
        let found = try box.findings()
        #expect(found == (0..<10).map { "large-in-backup Documents/film\($0).mov" })
    }
}
#endif
