//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Asks volumes again and again; tests put their own in place.
package protocol VolumePolling: Sendable {
    /// All about the volume of a place, or of its nearest existing ancestor.
    ///
    /// - Throws: `ETIMEDOUT` if it does not answer in time.
    func look(at place: FilePath, timeLimit: Duration) async throws(Errno) -> PolledVolume

    /// The figures of a volume as they are now.
    ///
    /// - Throws: `ETIMEDOUT` if it does not answer in time, `ESTALE` if another volume is there now.
    func poll(_ volume: PolledVolume, timeLimit: Duration) async throws(Errno) -> Volume
}

/// A volume, and how it is asked again at least cost.
package struct PolledVolume: Hashable, Sendable {
    package var volume: Volume
    /// What is asked.
    package var target: FilePath
    /// What the target's volume calls itself.
    package var identifier: UInt64
    /// Whether a quota was found: it is asked each time as well.
    package var hasQuota: Bool

    package init(
        volume: Volume, target: FilePath, identifier: UInt64 = 0, hasQuota: Bool = false
    ) {
        self.volume = volume
        self.target = target
        self.identifier = identifier
        self.hasQuota = hasQuota
    }
}

/// Asks the system: one statvfs(3) for each poll, in a thread that may hang.
package struct SystemVolumePolling: VolumePolling {
    private let clock: any Clock<Duration>
    private let figures: @Sendable (FilePath) throws(Errno) -> VolumeFigures
    private let quotas: any QuotaReading
    private let hanging = Hanging<FilePath>()

    package init(
        clock: any Clock<Duration> = ContinuousClock(),
        quotas: any QuotaReading = SystemQuotas(),
        figures: @escaping @Sendable (FilePath) throws(Errno) -> VolumeFigures = {
            path throws(Errno) in try VolumeFigures(at: path)
        }
    ) {
        self.clock = clock
        self.quotas = quotas
        self.figures = figures
    }

    package func look(
        at place: FilePath, timeLimit: Duration
    ) async throws(Errno) -> PolledVolume {
        let (figures, quotas) = (figures, quotas)
        return try await limited(place, timeLimit) { () throws(Errno) -> PolledVolume in
            let volume = try Volume.result(place, quotas).get()
            var target = place
            var identifier: UInt64
            do {
                identifier = try figures(place).fileSystemID
            } catch {
                // It does not exist yet: its volume is asked where that is mounted.
                target = volume.mountPoint
                identifier = try figures(target).fileSystemID
            }
            return PolledVolume(
                volume: volume, target: target, identifier: identifier,
                hasQuota: volume.quotaBytes != nil || volume.quotaInodes != nil)
        }
    }

    package func poll(
        _ polled: PolledVolume, timeLimit: Duration
    ) async throws(Errno) -> Volume {
        let (figures, quotas) = (figures, quotas)
        return try await limited(polled.target, timeLimit) { () throws(Errno) -> Volume in
            let answer = try figures(polled.target)
            guard answer.fileSystemID == polled.identifier else { throw .staleNFSFileHandle }
            var volume = polled.volume
            volume.figures = answer
            volume.isReadOnly = answer.isReadOnly
            volume.error = nil
            if polled.hasQuota, let room = room(at: polled.target, quotas) {
                (volume.quotaBytes, volume.quotaInodes) = (room.bytes, room.inodes)
            }
            return volume
        }
    }

    private func limited<Value: Sendable>(
        _ key: FilePath, _ limit: Duration,
        _ body: @escaping @Sendable () throws(Errno) -> Value
    ) async throws(Errno) -> Value {
        let result = try await hanging.value(of: key, within: limit, by: clock) {
            Result { () throws(Errno) in try body() }
        }
        guard let result else { throw .timedOut }
        return try result.get()
    }

    /// Nil where it cannot be asked: what it left before stands.
    private func room(at place: FilePath, _ quotas: any QuotaReading) -> QuotaRoom? {
        guard
            let opened = try? retrying({
                unsafe place.withPlatformString {
                    unsafe hr_openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
                }
            })
        else { return nil }
        let directory = Descriptor(owning: opened)
        return quotas.room(at: directory.rawValue)
    }
}
