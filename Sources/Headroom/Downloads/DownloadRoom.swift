//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import HeadroomWorkspace
package import SystemPackage

/// The room that a download needs at its place. All calls block; all but the quick ones may purge.
package struct DownloadRoom: Sendable {
    private let storage: Storage
    private let place: DownloadPlace

    package init(_ storage: Storage, _ place: DownloadPlace) {
        self.storage = storage
        self.place = place
    }

    package enum Verdict: Sendable {
        case reserved(Reservation)
        /// There is none, and the intent does not allow to try all the same.
        case declined(Advice)
        /// There is none, and it is tried all the same: what is essential always is.
        case unreserved
    }

    private var request: RoomRequest { storage.core.room(for: place.content, place.intent) }

    /// Whether it need not even be asked for: the reserve of the intent cannot be kept free. Deletes
    /// nothing.
    ///
    /// - Returns: nil if it may be asked for.
    package func refusal() -> Advice? {
        // A volume that cannot be asked says itself when it is full.
        guard place.intent != .essential,
            var advice = try? storage.advise(.zero, for: place.intent, as: place.content),
            case .doesNotFit = advice.verdict
        else { return nil }
        advice.content = place.intent == .optional ? .cache : .lastResort
        advice.mayProceed = false
        return advice
    }

    /// Makes room and keeps it.
    ///
    /// - Parameter bytes: 0 where the size is not known: then only the reserve of the intent counts.
    package func make(for bytes: ByteCount) throws(StorageError) -> Verdict {
        do {
            return .reserved(
                try storage.makeRoom(for: bytes, intent: place.intent, as: place.content))
        } catch  where error.code == .insufficientSpace {
            if place.intent == .essential { return .unreserved }
            var advice = try storage.advise(bytes, for: place.intent, as: place.content)
            if case .doesNotFit = advice.verdict {
            } else {
                // It would fit now: what was freed is others' already.
                advice.verdict = .doesNotFit(shortBy: error.shortBy ?? ByteCount(1))
            }
            advice.content = place.intent == .optional ? .cache : .lastResort
            advice.mayProceed = false
            return .declined(advice)
        } catch {
            // Where nothing can be reserved, the volume itself says when it is full.
            return .unreserved
        }
    }

    /// Keeps room if there is enough without making any. Quick.
    ///
    /// - Returns: nil if there is not.
    package func keepFree(_ bytes: ByteCount) throws(StorageError) -> Reservation? {
        do {
            return try request.keepFree(bytes)
        } catch {
            throw StorageError(error)
        }
    }

    /// Whether what is still to be written and the reserve fit. Quick.
    ///
    /// - Parameter own: what is reserved for it already.
    package func suffices(for bytes: ByteCount, own: ByteCount) throws(StorageError) -> Bool {
        do {
            return try request.fits(bytes, own: own)
        } catch {
            throw StorageError(error)
        }
    }

    /// Makes room after the volume was found to be full, and keeps it.
    ///
    /// - Parameters:
    ///   - bytes: what is still to be written.
    ///   - cause: `ENOSPC` or `EDQUOT`.
    /// - Returns: nil if others have been faster: then the volume says whether it is full.
    /// - Throws: `insufficientSpace`.
    package func free(
        forWriting bytes: ByteCount, after cause: Errno
    ) throws(StorageError) -> Reservation? {
        do {
            return try request.free(
                forWriting: bytes, desired: bytes, after: cause, to: "download \(place.shown)")
        } catch {
            throw StorageError(error)
        }
    }

    /// Says that the volume is full and that nothing more can be done about it.
    package func exhausted(_ cause: Errno, missing: ByteCount?) -> StorageError {
        let volume = try? storage.core.volume(of: storage.core.places.directory(for: place.content))
        let shortBy = max(ByteCount(1), (missing ?? .zero) - (volume?.available ?? .zero))
        return StorageError(
            .insufficientSpace,
            "Could not download \(place.shown): the volume "
                + "\(volume?.mountPoint.displayText ?? "") is full even after making room. "
                + "Free \(shortBy); what is there already will be gone on with.", cause: cause,
            shortBy: shortBy)
    }
}
