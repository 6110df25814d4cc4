//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
package import SystemPackage

/// Tells what other processes have reserved, again and again, at the cost of one read now and then.
///
/// For whoever is about to write without having reserved. Nobody is waited for: what was reserved in
/// the last moment (20 ms) may be missed.
package final class ReservationWatch: Sendable {
    private let table: ReservationTable
    private let file = Mutex<RegularFile?>(nil)
    /// Until when nobody is taken to have reserved anything, in nanoseconds of the monotonic clock.
    private let quietUntil = Atomic<Int64>(0)

    /// For so long "nobody has reserved" is believed: reading costs as much as a small save.
    private static let quiet: Duration = .milliseconds(20)
    private static let start = ContinuousClock.now

    package init(_ table: ReservationTable) {
        self.table = table
    }

    /// What other processes have reserved on the file system of an open file.
    package func reservedByOthers(onVolumeOf descriptor: Int32) throws(Errno) -> ByteCount {
        let now = Self.start.duration(to: .now)
        guard now >= .nanoseconds(quietUntil.load(ordering: .relaxed)) else { return .zero }
        let others = try read(descriptor)
        if others == .zero {
            let end = now + Self.quiet
            quietUntil.store(Int64(end / .nanoseconds(1)), ordering: .relaxed)
        }
        return others
    }

    private func read(_ descriptor: Int32) throws(Errno) -> ByteCount {
        let result: Result<ByteCount, Errno> = file.withLock { file in
            do throws(Errno) {
                if file == nil { file = try table.openForReading() }
                return .success(try sum(&file, descriptor))
            } catch .noSuchFileOrDirectory {
                return .success(.zero)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func sum(
        _ file: inout RegularFile?, _ descriptor: Int32
    ) throws(Errno) -> ByteCount {
        let own = OwnSlots.offsets(in: table.directory)
        guard try file?.mayHoldReservation(leavingOut: own) == true else { return .zero }
        let fileSystem = try VolumeFigures.fileSystemID(of: descriptor)
        return try file?.liveSum(fileSystem, leavingOut: own) ?? .zero
    }
}

extension RegularFile {
    /// Whether there is anything in the slots, be it of a process that has died.
    func mayHoldReservation(leavingOut own: Set<UInt64>) throws(Errno) -> Bool {
        let slot = Int(ReservationTable.slotSize)
        let bytes = try read(Int(ReservationTable.slotCount) * slot, at: 0)
        for offset in stride(from: 0, to: bytes.count - slot + 1, by: slot) {
            // Magic and checksum stay when a slot is given up; the amount is what counts.
            var index = offset + 16
            while index < offset + 24, bytes[index] == 0 { index += 1 }
            if index < offset + 24, !own.contains(UInt64(offset)) { return true }
        }
        return false
    }

    func liveSum(
        _ fileSystem: UInt64, leavingOut own: Set<UInt64>
    ) throws(Errno) -> ByteCount {
        try ReservationTable.sum(self, fileSystem, leavingOut: own)
    }
}
