//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
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

/// What a cloud keeps and this volume does not: R14.
@Suite("R14: files of a cloud")
struct CloudFileTests {
    private let box: AuditFixture

    init() throws { box = try AuditFixture() }

    /// Tells which entries of a directory are opened.
    private struct OpenWatch: ~Copyable {
        private let descriptor: Int32

        init(_ directory: FilePath) throws {
            descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
            // IN_OPEN
            guard unsafe inotify_add_watch(descriptor, directory.string, 0x20) >= 0 else {
                throw Errno.current
            }
        }

        deinit { close(descriptor) }

        /// The names that were opened since it was asked last.
        func names() -> Set<String> {
            var names: Set<String> = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return names }
                var offset = 0
                // struct inotify_event: watch, mask, cookie and length of the name.
                while offset + 16 <= count {
                    let length = (0..<4).reduce(0) {
                        $0 | Int(buffer[offset + 12 + $1]) << ($1 * 8)
                    }
                    let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
                    if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
                    offset += 16 + length
                }
            }
        }
    }

    @Test(.tags(.r14h)) func whatIsNotHereIsNotOpenedAndOccupiesNothing() throws {
        try box.directory.tree.sparseFile("box/Documents/cloud.mov", size: .gigabytes(1))
        try box.file("Documents/here.mov", .kilobytes(40))
        let watch = try OpenWatch(box.path("Documents"))
        let audit = try box.audit()
        #expect(audit.backup.total.items == 2)
        #expect(audit.backup.total.allocated < .kilobytes(60))
        #expect(audit.largest.map(\.path) == [box.path("Documents/here.mov")])
        #expect(watch.names() == ["here.mov"])

        let size = try box.storage.size(of: box.url("Documents"))
        #expect(size.allocated < .kilobytes(60) && size.logical > .gigabytes(1))
        #expect(try box.storage.explain(box.url("Documents/cloud.mov")).allocated == .zero)
        #expect(watch.names() == [])
        _ = try Data(contentsOf: box.url("Documents/cloud.mov"), options: .mappedIfSafe)
        #expect(watch.names() == ["cloud.mov"], "the watch sees nothing")
    }

    /// What goes there goes in the cloud, too.
    @Test(
        .tags(.r14h),
        arguments: [
            "Library/Mobile Documents/com~apple~CloudDocs/film.mov",
            "Library/CloudStorage/Drive/film.mov",
        ])
    func aContainerOfACloudIsEssentialWhateverIsMarked(name: String) throws {
        try box.file(name, .kilobytes(40))
        try box.file("Documents/film.mov", .kilobytes(40))
        try box.storage.mark(box.url("Documents/film.mov"), .purgeable)
        let error = #expect(throws: StorageError.self) {
            try box.storage.mark(box.url(name), .purgeable)
        }
        #expect(error?.code == .refused)
        // As if another program had set it.
        let file = FilePath("\(box.root)/\(name)")
        for path in [file, file.removingLastComponent()] {
            let opened = try PathCalls.open(path, O_RDONLY | O_CLOEXEC)
            try LinuxCalls().setAttribute(
                MarkAttribute.name, to: Array("1 class=cache".utf8), of: opened.rawValue)
        }
        let plan = try box.storage.plan(freeing: .gigabytes(1))
        #expect(plan.map(\.path) == [box.path("Documents/film.mov")])
        let found = try box.storage.explain(URL(filePath: file.string))
        guard case .never = found.outlook else {
            Issue.record("\(found)")
            return
        }
    }
}
#endif
