//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What the volume has gained is asked after each batch, and known after a crash (safety invariant
/// S9). On a volume of its own, since others write and remove elsewhere.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount"))
struct VolumeGainTests {
    private let image: MountedImage
    private let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws {
        image = try MountedImage.tmpfs(size: .mebibytes(64))
        fixture = try PurgeFixture(on: .at(image.path))
        for index in 0..<30 {
            try fixture.tree.files(100, in: "d\(index)", size: ByteCount(4096))
        }
    }

    @Test(.tags(.s9a, .r17a), arguments: [1, 2])
    func progressAndReceiptTellIt(threads: Int) throws {
        let progress = PurgeProgress()
        let seen = Mutex<[ByteCount]>([])
        var options = fixture.options()
        options.threads = threads
        options.report = { _ in
            if let gained = progress.gained { seen.withLock { $0.append(gained) } }
        }
        #expect(progress.gained == nil)
        let receipt = try Purger.purge(fixture.plan(), options: options, progress: progress)
        let all: Int64 = 3_000 * 4096
        // Lock files and directories take and free a few blocks.
        let gained = try #require(receipt.volumeGained)
        #expect(abs(gained.bytes - all) < 1 << 18)
        #expect(progress.gained == gained)
        // While it ran: more than nothing, and not yet all.
        #expect(seen.withLock { $0.contains { $0.bytes >= 1_000 * 4096 && $0.bytes < all } })
    }

    @Test(
        .tags(.s9a, .s9b),
        .enabled(if: PurgeDriverProgram.path != nil, "needs the program PurgeDriver"),
        arguments: ["\(PurgeStep.unlinked.rawValue):2500", "removed:2900"])
    func aKilledPurgesReceiptHasTheGainToDate(kill: String) throws {
        let state = try TemporaryDirectory(on: .memory)
        let result = try ChildProcess.run(
            try #require(PurgeDriverProgram.path),
            [
                fixture.root.string, "file", kill, fixture.base.path.appending("book").string,
                state.path.string,
            ])
        #expect(result.signal == 9, "\(result.output) \(result.errors)")
        let ledger = Ledger.open(directory: state.path, now: { .wallClock() })
        let receipt = try #require(ledger.recoverInterrupted().first)
        #expect(receipt.outcome == .crashed)
        // At most a batch for each thread is missing.
        #expect(receipt.removedCount >= 800)
        let gained = try #require(receipt.volumeGained)
        #expect(gained.bytes >= 800 * 4096)
        #expect(gained.bytes <= 3_000 * 4096)
    }
}
#endif
