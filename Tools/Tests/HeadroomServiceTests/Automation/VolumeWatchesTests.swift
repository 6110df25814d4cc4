//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// What is known of levels outlives a reload of the configuration.
struct VolumeWatchesTests {
    private func work(_ watches: VolumeWatches, _ directory: TemporaryDirectory) -> WorkspaceWork {
        WorkspaceWork(
            Workspace.open(
                environment: [:], home: directory.path,
                ledgerDirectory: directory.path.appending("ledger"), minIdle: .none
            ) { .now() }, watches: watches)
    }

    @Test func aLevelIsKnownToTheNextOne() async throws {
        let directory = try TemporaryDirectory(on: .disk)
        let watches = VolumeWatches()
        let volume = WatchedVolume(
            mountPoint: try Volume.containing(directory.path).mountPoint, place: directory.path)
        // Nothing is as empty as that: the level is critical.
        var settings = PressureSettings.standard
        settings.thresholds.warning = .init(share: 1, limit: nil)
        settings.thresholds.critical = .init(share: 1, limit: nil)
        let first = work(watches, directory).watch(volume, settings)
        #expect(first.pressure == nil)
        await first.read()
        let next = work(watches, directory).watch(volume, settings)
        #expect(next.pressure?.level == .critical)
        // With other thresholds it says nothing of now.
        #expect(work(watches, directory).watch(volume, .standard).pressure == nil)
        #expect(work(VolumeWatches(), directory).watch(volume, settings).pressure == nil)
    }

    /// R28: what the history expects reaches the gauge of the volume.
    @Test(.tags(.r28d)) func whatIsExpectedShortensTheIntervalOfTheVolume() async throws {
        let directory = try TemporaryDirectory(on: .disk)
        let volume = WatchedVolume(
            mountPoint: try Volume.containing(directory.path).mountPoint, place: directory.path)
        // Normal as long as there is anything left, and never expected to fill by itself.
        var settings = PressureSettings.standard
        settings.thresholds.warning = .init(share: 0, limit: nil)
        settings.thresholds.critical = .init(share: 0, limit: nil)
        settings.thresholds.inodeWarning = 0
        settings.thresholds.inodeCritical = 0
        settings.possibleRate = .zero
        settings.possibleInodeRate = 0
        let source = work(VolumeWatches(), directory).watch(volume, settings)
        await source.read()
        #expect(source.pressure?.interval == .seconds(60))
        source.expect(.seconds(50))
        #expect(source.pressure?.interval == .seconds(25))
        source.expect(nil)
        #expect(source.pressure?.interval == .seconds(60))
    }
}
