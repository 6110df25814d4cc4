//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage
import Testing

/// The quick forms against those of the library.
@Suite struct FilePathBytesTests {
    private static let paths: [FilePath] = [
        "", "/", "/a", "/a/", "//a", "/ab", "/a/b", "/a//b/", "/a/./b", "/a/../a", "/a/b/c", "/.",
        "/..",
        "a", "a/b", "ab", ".", "..", "./a", "/é", "/é/ü", "/a b", "/a\nb/c",
    ]

    @Test func aPathLiesWhereItsComponentsSay() {
        for path in Self.paths {
            for directory in Self.paths {
                #expect(
                    path.lies(in: directory)
                        == (!directory.isEmpty && path.starts(with: directory)),
                    "\(path) in \(directory)")
            }
        }
    }

    @Test("A path is moved with the components that it has below the directory")
    func moves() {
        for path in Self.paths {
            for directory in Self.paths {
                for other in ["", "/", "/x", "/x/y", "x"] as [FilePath] {
                    var rest = path
                    let isInside = path.lies(in: directory) && rest.removePrefix(directory)
                    #expect(
                        path.moved(from: directory, to: other)
                            == (isInside ? other.appending(rest.components) : nil),
                        "\(path) from \(directory) to \(other)")
                }
            }
        }
    }

    @Test("Names of one and two dots are found, and the last name")
    func findsDots() {
        for path in Self.paths + ["/a/...", "/.a", "a/..b", "..."] as [FilePath] {
            #expect(path.hasDotNames == path.components.contains { $0.kind != .regular }, "\(path)")
            #expect(
                String(decoding: path.lastNameBytes, as: UTF8.self)
                    == path.lastComponent?.string ?? "", "\(path)")
        }
    }

    @Test func depthIsTheNumberOfComponents() {
        for path in Self.paths { #expect(path.depth == path.components.count, "\(path)") }
    }

    @Test func namesAreTheComponentsWithoutTheCurrentDirectory() {
        for path in Self.paths {
            let components = path.components.filter { $0.kind != .currentDirectory }
            #expect(path.names.map(\.text) == components.map(\.string), "\(path)")
        }
    }

    @Test(arguments: [[0x62], [0xFF, 0xFE], Array("...".utf8), [0x0A]] as [[UInt8]])
    func aNameIsAppendedByteByByte(_ bytes: [UInt8]) throws {
        let name = try #require(FileName(bytes))
        for path in Self.paths {
            var appended = path
            appended.append(name)
            let separator = path.isEmpty || path == "/" ? [] : [UInt8(ascii: "/")]
            #expect(appended.bytes == path.bytes + separator + bytes)
            #expect(path.appending(name) == appended)
            #expect(appended.removingLastComponent() == path)
        }
    }
}
