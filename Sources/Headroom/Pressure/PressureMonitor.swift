//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

/// Watches how short of space volumes are, for as long as somebody listens.
///
///     for await change in storage.pressure {
///         if change.isWorse { player.dropPrefetched() }
///     }
///
/// The first change of each volume tells its level as it is; all further ones come when the level changes,
/// when the volume stops answering, and when it answers again. Volumes are read by themselves, each in its
/// own time (``HeadroomCore/PressureSettings``), and no oftener for several listeners; a volume that
/// hangs delays no other and blocks no thread of the pool that tasks share. The loop ends when its task is
/// cancelled. One who is slow gets the last 64 changes.
///
/// A copy watches the same volumes, with the same readings.
public struct PressureMonitor: AsyncSequence, Sendable {
    public typealias Element = PressureChange
    public typealias Failure = Never

    let watch: PressureWatch

    /// A directory whose volume is watched.
    public struct Place: Hashable, Sendable {
        /// It need not exist yet.
        public var path: FilePath
        public var settings: PressureSettings

        public init(_ path: FilePath, settings: PressureSettings = .standard) {
            self.path = path
            self.settings = settings
        }
    }

    /// Watches the volumes of some places, each volume once. Asks nothing yet.
    ///
    /// - Parameter places: of several on one volume, the settings of the one that answers first hold:
    ///   give them the same.
    public init(of places: [Place]) {
        watch = PressureWatch(places)
    }

    /// With another clock, and without a file system; for tests.
    package init(
        of places: [Place], polling: any VolumePolling, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        watch = PressureWatch(places, polling: polling, clock: clock, now: now)
    }

    /// What is known of each volume; asks nothing. Empty before the first reading.
    public var volumes: [VolumePressure] { watch.volumes }

    /// Reads every volume now, and gives what they say. Listeners are told of what it changes.
    ///
    /// For moments that tell of a change by themselves: a write that failed, a purge that has ended.
    /// Takes no longer than the longest time limit of the volumes.
    @discardableResult
    public func read() async -> [VolumePressure] { await watch.readNow() }

    /// Takes how soon a forecast expects the next threshold of a volume: it is read more often then, as
    /// ``HeadroomCore/PressureGauge/expect(_:)`` says, and never less often.
    ///
    /// To be given again after a reading, as the forecast changes. A volume that was not read yet is left as it
    /// is.
    ///
    /// - Parameters:
    ///   - earliest: the early end of what is expected, from now on; nil: nothing is.
    ///   - volume: where it is mounted.
    public func expect(_ earliest: Duration?, of volume: FilePath) {
        watch.expect(earliest, of: volume)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(changes: watch.subscribe()) }

    /// Ends when its task is cancelled. When it goes away, and no other is left, nothing is read any more.
    public struct Iterator: AsyncIteratorProtocol {
        private var changes: AsyncStream<PressureChange>.Iterator

        fileprivate init(changes: AsyncStream<PressureChange>) {
            self.changes = changes.makeAsyncIterator()
        }

        public mutating func next() async -> PressureChange? {
            await next(isolation: #isolation)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> PressureChange? {
            await changes.next(isolation: actor)
        }
    }
}
