//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// What a volume said when it was asked once, and when that was.
public struct PressureReading: Hashable, Sendable {
    /// When it was asked, by a clock that nobody sets and that goes on in sleep, from any start.
    public var time: Duration
    public var answer: Answer

    public enum Answer: Hashable, Sendable {
        case figures(Figures)
        /// It has no level, and why.
        case withoutLevel(Exemption)
        /// It did not answer within the time limit.
        case silent
        /// It answered with an error.
        case failed(Errno)
    }

    /// Why a volume has no level.
    public enum Exemption: String, Hashable, Sendable {
        /// It is mounted read-only.
        case readOnly
        /// It stores nothing: it shows the kernel's or a program's data as files.
        case pseudo
    }

    /// The figures that the level is made from.
    public struct Figures: Hashable, Sendable {
        /// What may still be written, by volume and quotas.
        public var available: ByteCount
        public var total: ByteCount
        /// Nil where they are not limited.
        public var availableInodes: UInt64?
        public var inodes: UInt64?

        public init(
            available: ByteCount, total: ByteCount, availableInodes: UInt64? = nil,
            inodes: UInt64? = nil
        ) {
            self.available = available
            self.total = total
            self.availableInodes = availableInodes
            self.inodes = inodes
        }
    }

    public init(time: Duration, answer: Answer) {
        self.time = time
        self.answer = answer
    }

    /// The reading of a volume that was asked.
    public init(time: Duration, of volume: Volume) {
        self.time = time
        if volume.isPseudo {
            answer = .withoutLevel(.pseudo)
            // mutation: r23c-2
        } else if volume.isReadOnly {
            answer = .withoutLevel(.readOnly)
        } else if let figures = volume.figures, let available = volume.available {
            answer = .figures(
                Figures(
                    available: available, total: figures.total,
                    availableInodes: figures.inodes == nil ? nil : volume.availableInodes,
                    inodes: figures.inodes))
        } else if let error = volume.error, error != .timedOut {
            answer = .failed(error)
        } else {
            answer = .silent
        }
    }
}

extension PressureThresholds {
    /// The level of one reading: the worse of bytes and inodes.
    func level(of figures: PressureReading.Figures) -> PressureLevel {
        // mutation: r23b-2
        max(level(ofBytes: figures), level(ofInodes: figures))
    }

    func level(ofBytes figures: PressureReading.Figures) -> PressureLevel {
        level(available: figures.available, total: figures.total)
    }

    /// Normal where inodes are not limited.
    func level(ofInodes figures: PressureReading.Figures) -> PressureLevel {
        guard let inodes = figures.inodes, let available = figures.availableInodes else {
            return .normal
        }
        return level(availableInodes: available, inodes: inodes)
    }

    /// Whether as much is available as it takes to leave a level.
    func allowsLeaving(_ level: PressureLevel, _ figures: PressureReading.Figures) -> Bool {
        guard figures.available >= leaving(level, of: figures.total) else { return false }
        guard let inodes = figures.inodes, let available = figures.availableInodes else {
            return true
        }
        return available >= leaving(level, ofInodes: inodes)
    }
}
