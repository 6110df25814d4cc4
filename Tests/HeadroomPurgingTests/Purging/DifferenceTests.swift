//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Why a volume gains less than was removed is told by name, with its bytes (safety invariant S9).
@Suite(.enabled(if: Privilege.canMount, "needs root to mount"))
struct DifferenceTests {
    private let image: MountedImage
    private let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws {
        image = try MountedImage.tmpfs(size: .mebibytes(64))
        fixture = try PurgeFixture(on: .at(image.path))
    }

    @Test(.tags(.s9d)) func linksElsewhereAreTold() throws {
        try tree.file("a", size: .mebibytes(3))
        try tree.file("d/b", size: .mebibytes(2))
        try tree.file("plain", size: .mebibytes(1))
        for name in ["a", "d/b"] {
            try fixture.base.tree.hardLink("outside/\(name)", to: "area/\(name)")
        }
        // Both of these go, and nothing stays of it.
        try tree.file("c", size: .mebibytes(4))
        try tree.hardLink("c2", to: "c")
        let receipt = try fixture.purge()
        #expect(try tree.names() == [])
        #expect(receipt.expected == .mebibytes(5))
        let links = receipt.differences.filter { $0.contains("another name") }
        #expect(
            links == [
                "\(ByteCount.mebibytes(5)) stay in 2 files that still have another name elsewhere."
            ])
    }

    @Test func withoutLinksElsewhereNothingIsSaid() throws {
        try tree.file("c", size: .mebibytes(4))
        try tree.hardLink("c2", to: "c")
        let receipt = try fixture.purge()
        #expect(receipt.differences == [])
    }

    /// Opened after the last look at what processes have open, and before it went.
    @Test(.tags(.s9d)) func filesThatAreOpenThoughDeletedAreTold() throws {
        // Each too small to be asked the kernel for.
        try tree.files(20, in: "d", size: ByteCount(60_000))
        try tree.file("large", size: .mebibytes(2))
        let root = fixture.root
        // It runs already, so that little time passes before it has the files open: a second later
        // the purge would look again, and keep them.
        let holder = try Holder.python(
            """
            def hold(*_):
                kept = [open('\(root)/d/' + n) for n in os.listdir('\(root)/d')]
                print('opened', flush=True)
                signal.pause()
            signal.signal(signal.SIGUSR1, hold)
            """)
        let process = holder.processID
        let state = Mutex((holder: holder, isTold: false))
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.willRemove = { _, _ in
                state.withLock { state in
                    guard !state.isTold else { return }
                    state.isTold = true
                    state.holder.send(SIGUSR1)
                    _ = try? state.holder.readOutput(until: "opened")
                }
            }
            options.calls = calls
            options.threads = 1
        }
        // Nothing but what it holds is missing: no guesses.
        #expect(receipt.differences.count == 6, "\(receipt.differences)")
        let one = ByteCount(61_440)
        for difference in receipt.differences.prefix(5) {
            #expect(difference.hasPrefix("\(one) are held by a process"), "\(difference)")
            #expect(difference.contains("\(root)/d/f"))
            #expect(difference.hasSuffix("\(process)."))
        }
        let others = try #require(receipt.differences.last)
        #expect(others.hasSuffix("more deleted files that are still open."), "\(others)")
        #expect(try #require(receipt.volumeGained) < receipt.expected - .mebibytes(1))
    }

    @Test(
        .tags(.s9c, .s9d),
        .enabled(if: Privilege.canMount(.btrfs) && Privilege.has(program: "btrfs"), "needs btrfs"))
    func snapshotsAreNamedAsWhatMayHoldTheRest() throws {
        let image = try MountedImage(.btrfs, size: .mebibytes(256))
        try #require(
            try ChildProcess.run("btrfs", ["subvolume", "create", "\(image.path)/live"]).succeeded)
        let fixture = try PurgeFixture(on: .at(image.path.appending("live")))
        try fixture.tree.file("a", size: .mebibytes(20))
        try #require(
            try ChildProcess.run("sync", ["-f", image.path.string]).succeeded)
        try #require(
            try ChildProcess.run(
                "btrfs", ["subvolume", "snapshot", "\(image.path)/live", "\(image.path)/kept"]
            ).succeeded)
        let receipt = try fixture.purge()
        #expect(receipt.removedCount == 1)
        let missing = try receipt.expected - #require(receipt.volumeGained)
        #expect(missing > .mebibytes(15))
        #expect(
            receipt.differences == [
                "\(missing) less than expected: others have written meanwhile, or snapshots or shared "
                    + "extents hold the blocks."
            ])
    }
}
#endif
