//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// What one path is to Headroom, when it would go, or why it never would (R18).
public struct Explanation: Sendable {
    public let path: FilePath
    public let subject: Subject
    /// The nearest area at or above it.
    public let area: Area?
    public let purgeClass: PurgeClass
    public let classOrigin: ClassOrigin
    /// What goes whole, if that is more than the path itself: the database of a sidecar, the unit of
    /// a file in it.
    public let goesWith: FilePath?
    /// What it occupies; of a directory with all below.
    public let allocated: ByteCount
    public let logical: ByteCount
    /// What the volume would gain if just this were deleted: nothing for one of several links.
    public let frees: ByteCount
    /// Nil for what no scan has seen, and for directories that are no unit.
    public let lastUse: Timestamp?
    public let lastUseOrigin: LastUseOrigin?
    /// Its own mark and those of the directories around.
    public let mark: Mark
    /// Why it is in use now; nil: it is not, or nobody looked.
    public let inUse: Reason?
    /// Its place in the purge order; nil: it has none.
    public let place: Place?
    public let outlook: Outlook
    /// Whether it is encrypted, and when it can be read; nil: nobody looked.
    public package(set) var protection: Protection?
    /// The system's own word on whether it may purge it by itself, beside whatever is marked; nil: it says
    /// nothing, or nobody asked.
    public package(set) var isPurgeableBySystem: Bool?
    /// Its class is by a mark that no record leads to: it counts in a plan that names its directory, or comes
    /// there for another reason, and in no other.
    public package(set) var isUnrecorded = false

    /// The rule by which a file is purged as a last resort although its area or mark says less; nil: no rule does.
    public package(set) var classReason: Reason?

    public enum Subject: String, Hashable, Sendable {
        case file
        /// A database with its sidecars, or the parts of a model or data set, or one of these files.
        case fileSet
        /// A directory that goes whole.
        case directoryUnit
        /// Something inside a directory that goes whole.
        case memberOfUnit
        /// A directory whose files go one by one.
        case directory
        /// A cache store, whose values go one by one, least worth first.
        case cacheStore
        /// A file of a cache store, which alone knows what of it may go.
        case memberOfStore
        /// Not seen by the scan.
        case unknown
    }

    /// Whether a person has thrown it away.
    public var isTrash: Bool { area?.isTrash ?? false }

    /// The class in JSON; `trash` for what was thrown away.
    public var className: String { isTrash ? PlannedClass.trash.name : purgeClass.name }

    /// The class within a sentence.
    public var spokenClass: String {
        isTrash ? PlannedClass.trash.spokenName : purgeClass.spokenName
    }

    /// Where the class comes from.
    public enum ClassOrigin: Hashable, Sendable {
        /// From the declaration of its area; `Area.origin` says who made it.
        case area
        /// From its own mark or that of a directory around.
        case mark
        /// From the values of a cache store; it is that of the first to go.
        case values
        /// From the shape of its content, such as the weights of a model: ``Explanation/classReason`` names it.
        case shape
        /// It lies outside of all areas.
        case nothing
    }

    /// How the last use is known.
    public enum LastUseOrigin: String, Hashable, Sendable {
        case modified, created, read
        /// From the ledger.
        case recorded
    }

    /// A place in the purge order.
    public struct Place: Hashable, Sendable {
        /// 1 is the first to go of its class.
        public var position: Int
        /// How many there are of its class.
        public var count: Int
        /// What goes before it, in all classes.
        public var bytesBefore: ByteCount
    }

    /// When it would go.
    public enum Outlook: Hashable, Sendable {
        case never(Reason)
        /// Kept as long as the reason holds: a recent use, a process, a lock.
        case notNow(Reason)
        /// Its retention has ended: it goes with the next purge of what has expired.
        case expired
        /// When it expires, unless it is needed earlier.
        case expires(in: Duration)
        /// Its area is over its limit and it is next when that is enforced.
        case overLimit
        /// When the volume is at this level and it is its turn.
        case pressure(PressureLevel)
        /// Its contents are judged one by one.
        case itemByItem
    }

    /// The explanation in a sentence or two: `cache, 3rd of 12; would go after 1.4 GB, when the level
    /// is warning`.
    public var summary: String {
        var text = spokenClass
        if let place {
            text += ", \(Self.ordinal(place.position)) of \(place.count)"
            text += place.bytesBefore > .zero ? "; would go after \(place.bytesBefore)" : ""
        }
        switch outlook {
        case .never(let reason): text += "; never goes: \(reason.text)"
        case .notNow(let reason): text += "; kept for now: \(reason.text)"
        case .expired: text += "; has expired and goes with the next purge"
        case .expires(let time): text += "; expires in \(time.inWords)"
        case .overLimit: text += "; its area is over its limit"
        case .pressure(let level): text += "; goes when the level is \(level.name)"
        case .itemByItem: text += "; what is in it goes file by file"
        }
        if let classReason { text += "; \(classReason.text)" }
        if isUnrecorded {
            text += "; counts only where a plan comes there: its mark is not recorded"
        }
        if let inUse { text += "; in use now: \(inUse.text)" }
        if isPurgeableBySystem == true { text += "; the system may purge it by itself" }
        return text
    }

    private static func ordinal(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (1, let tens) where tens != 11: "\(number)st"
        case (2, let tens) where tens != 12: "\(number)nd"
        case (3, let tens) where tens != 13: "\(number)rd"
        default: "\(number)th"
        }
    }
}

extension PurgeClass {
    /// The class within a sentence.
    public var spokenName: String { PurgeableClass(self)?.spokenName ?? "essential" }
}
