//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: cache stores on the command line", .blocks)
struct CacheCommandTests {
    private let home: Home
    private var path: FilePath { home.directory.path.appending("images") }

    init() throws { home = try Home() }

    private func fill() throws -> CacheStore {
        let store = try CacheStore(
            at: URL(filePath: path.string), CacheOptions(limit: .megabytes(32)))
        for number in 0..<400 {
            try store.put(
                Data(repeating: UInt8(number & 255), count: number % 40 == 0 ? 70_000 : 1000),
                for: "key-\(number)",
                CacheAttributes(as: number % 2 == 0 ? .cache : .lastResort))
        }
        return store
    }

    @Test func showsWhatIsInAStoreThatIsOpen() throws {
        let store = try fill()
        try store.close()
        let result = try home.run("cache", "inspect", path.string)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("200 values"))
        #expect(result.output.contains("1 process"))
        let json = try home.run("cache", "inspect", path.string, "--json")
        #expect(json.json("schema") == "\"headroom.cache/1\"")
        #expect(json.json("entries")?.hasPrefix("400") == true)
        #expect(json.json("files") == "10")
        #expect(json.json("processes") == "1")
        // Nothing has changed for the one who has it open.
        #expect(try store.data(for: "key-7") == Data(repeating: 7, count: 1000))
    }

    @Test func findsWhatIsDamaged() throws {
        _ = try fill()
        let whole = try home.run("cache", "verify", path.string)
        #expect(whole.exitCode == 0, "\(whole.output)\(whole.errors)")
        #expect(whole.output.contains("as it was put"))
        let names = try FileManager.default.contentsOfDirectory(atPath: path.string).sorted()
        let value = try #require(names.first { $0.hasSuffix(".value") })
        let file = path.appending(value).string
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[1000] ^= 1
        try bytes.write(to: URL(filePath: file))
        let damaged = try home.run("cache", "verify", path.string)
        #expect(damaged.exitCode == 4)
        #expect(damaged.output.contains(value))
        let json = try home.run("cache", "verify", path.string, "--json")
        #expect(json.values("kind") == ["\"damagedValue\""])
        // Not seen by who looks at the index alone.
        #expect(try home.run("cache", "inspect", path.string).exitCode == 0)
    }

    /// Its file goes before the index hears of it.
    @Test func whatIsReplacedInAStoreThatIsOpenIsNoFault() throws {
        let store = try fill()
        try store.close()
        // The thread that looks through the files of a new store writes the index at its end, which may be now.
        var isTold = false
        for byte in 1...10 where !isTold {
            try store.put(Data(repeating: UInt8(byte), count: 70_000), for: "key-40")
            let json = try home.run("cache", "verify", path.string, "--json")
            let text = try home.run("cache", "verify", path.string)
            #expect(json.exitCode == 0, "\(json.output)\(json.errors)")
            #expect(text.exitCode == 0, "\(text.output)\(text.errors)")
            isTold =
                json.json("unsettledEntries") == "1"
                && text.output.contains("every other value is as it was put")
        }
        #expect(isTold)
        withExtendedLifetime(store) {}
    }

    @Test func compactsAndLosesNothing() throws {
        do {
            let store = try fill()
            for number in 0..<400 where number % 3 != 0 { try store.remove("key-\(number)") }
        }
        let result = try home.run("cache", "compact", path.string, "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        let before = try #require(Int(result.json("beforeBytes") ?? ""))
        let after = try #require(Int(result.json("afterBytes") ?? ""))
        let moved = try #require(Int(result.json("movedRecords") ?? ""))
        #expect(moved > 0)
        #expect(after < before - 150_000)
        let store = try CacheStore(
            at: URL(filePath: path.string), CacheOptions(limit: .megabytes(32)))
        for number in 0..<400 {
            #expect(try (store.data(for: "key-\(number)") != nil) == (number % 3 == 0))
        }
    }

    @Test func whatIsNoStoreIsLeftAlone() throws {
        try home.tree.file("plain/file", text: "x")
        let plain = home.directory.path.appending("plain").string
        for command in ["inspect", "verify", "compact"] {
            let result = try home.run("cache", command, plain)
            #expect(result.exitCode == 1)
            #expect(result.errors.contains("is no cache store"))
            #expect(try home.run("cache", command, plain + "/none").exitCode == 1)
        }
        #expect(try home.tree.names(in: "plain").map(\.text) == ["file"])
    }
}
