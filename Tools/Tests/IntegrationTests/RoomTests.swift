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

/// R7 through the binary: `headroom room` on a small volume.
@Suite(.blocks, .enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct RoomTests {
    // Before the image: it is removed first.
    private let home: Home
    private let image: MountedImage

    init() throws {
        image = try MountedImage.tmpfs(size: .mebibytes(64))
        home = try Home(on: .at(image.path))
        // The ledger lies on the volume too.
        _ = try home.run("room", "1MB")
        for number in 0..<10 {
            try home.tree.file(
                TreePath(stringLiteral: "home/.cache/\(number)"),
                contents: [UInt8](repeating: 1, count: 4 << 20))
        }
    }

    private var caches: Int { get throws { try home.tree.names(in: "home/.cache").count } }

    private func room(_ arguments: String...) throws -> ChildResult {
        try home.run(["room"] + arguments + ["--at", home.path.string])
    }

    @Test func whatFitsCostsNothing() throws {
        let result = try room("5MB")
        #expect(result.succeeded)
        #expect(result.output.hasPrefix("There is room for 5.00 MB at ~."))
        #expect(try caches == 10)
    }

    @Test(.tags(.r7b)) func onlyWhatIsMissingGoes() throws {
        let figures = try #require(try Volume.containing(image.path).figures)
        let missing =
            ByteCount.megabytes(30) + Intent.requested.reserve(of: figures.total)
            - figures.available
        let result = try room("30MB", "--yes", "--json")
        #expect(result.succeeded, "\(result)")
        #expect(result.json("schema") == "\"headroom.room/1\"")
        #expect(result.json("hasRoom") == "true")
        let left = try caches
        // As few files as hold that much.
        #expect(10 - left == (missing.bytes + (4 << 20) - 1) / (4 << 20), "\(missing)")
        #expect((1..<10).contains(left))
        let receipt = try #require(result.json("receipt")).filter { $0 != "\"" }
        let log = try home.run("log", "--last", "1", "--json")
        #expect(log.output.contains(receipt))
        #expect(result.json("freedBytes") == "\((10 - left) * (4 << 20))")
    }

    @Test(.tags(.r37b)) func withoutAYesNothingGoesWhereNobodyCanBeAsked() throws {
        let result = try room("30MB")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("Add --yes"))
        #expect(try caches == 10)
    }

    @Test(.tags(.r7a, .r7g)) func nothingGoesIfItWouldNotBeEnough() throws {
        let result = try room("90MB", "--yes")
        #expect(result.exitCode == 3)
        #expect(result.errors.contains("There is no room for 90.0 MB"))
        #expect(try caches == 10)
        let json = try room("90MB", "--yes", "--json")
        #expect(json.exitCode == 3)
        #expect(json.json("hasRoom") == "false")
    }

    @Test(.tags(.r7b)) func whatIsOptionalSparesLiveCaches() throws {
        #expect(try room("30MB", "--yes", "--intent", "optional").exitCode == 3)
        #expect(try caches == 10)
    }

    @Test func theRoomIsKeptWhileTheCommandRuns() throws {
        let child = try home.start([
            "room", "40MB", "--at", home.path.string, "--intent", "essential", "--yes", "--", "sh",
            "-c", "echo ready; exec sleep 1000",
        ])
        #expect(try child.readOutput(until: "ready"))
        #expect(try room("40MB", "--intent", "essential", "--yes").exitCode == 3)
        child.send(9)
        try child.wait()
        #expect(try room("40MB", "--intent", "essential", "--yes").succeeded)
    }

    @Test func theCommandsOutputAndCodeAreItsOwn() throws {
        let result = try home.run([
            "room", "30MB", "--at", home.path.string, "--yes", "--", "sh", "-c", "echo out; exit 7",
        ])
        #expect(result.exitCode == 7)
        #expect(result.output == "out\n")
        #expect(result.errors.contains("Freed"))
    }

    #if os(Linux)
    /// What the program ignores while it works, a command is not to.
    @Test func theCommandIgnoresNoSignals() throws {
        let result = try home.run([
            "room", "1MB", "--at", home.path.string, "--", "grep", "SigIgn", "/proc/self/status",
        ])
        let digits = result.output.split(whereSeparator: \.isWhitespace).last ?? ""
        let ignored = try #require(UInt64(digits, radix: 16), "\(result)")
        // SIGPIPE and SIGXFSZ.
        #expect(ignored & (1 << 12 | 1 << 24) == 0, "\(result)")
    }
    #endif

    @Test(
        arguments: [
            (["room"], 2), (["room", "much"], 2), (["room", "0"], 2), (["room", "-5MB"], 2),
            (["room", "1MB", "--intent", "urgent"], 2), (["room", "1MB", "--at", "/no/such/x"], 1),
            (["room", "1MB", "--json", "--", "true"], 2), (["room", "1MB", "--at", ""], 1),
            (["room", "1kB", "--", "no-such-program-here"], 1),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let before = try home.listing()
        let result = try home.run(arguments)
        #expect(result.exitCode == code, "\(result)")
        #expect(!result.errors.isEmpty)
        #expect(try home.listing() == before)
    }
}
