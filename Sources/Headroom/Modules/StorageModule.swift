//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// A part of an app that knows how to measure and clean its own data: messages, map tiles, drafts of
/// a document.
///
///     struct MapTiles: StorageModule {
///         let id = "map-tiles"
///         let displayName = "Map tiles"
///         let quota: ByteCount? = .megabytes(200)
///
///         func usage() async throws -> ByteCount { try await tiles.size }
///
///         func clean(_ request: CleaningRequest) async throws {
///             try await tiles.removeOldest(request.bytesWanted)
///         }
///     }
///
///     storage.register(MapTiles())
///
/// For what is simply files in a directory, a purgeable directory
/// needs no code at all. Modules are called one after another, each on a thread of its own: one that
/// blocks or hangs holds up nobody else.
public protocol StorageModule: Sendable {
    /// Tells it from all others of the app, at every launch.
    var id: String { get }
    /// For people.
    var displayName: String { get }
    /// What it should stay under; nil: no quota.
    var quota: ByteCount? { get }
    /// How long each of its calls may take; nil: as whoever asks says.
    var timeLimit: Duration? { get }

    /// What its data occupy now, in allocated bytes.
    func usage() async throws -> ByteCount

    /// Removes what it can do without.
    ///
    /// At the deadline its task is cancelled, and it is not waited for any longer; it is not called
    /// again before it has returned.
    func clean(_ request: CleaningRequest) async throws
}

extension StorageModule {
    public var displayName: String { id }
    public var quota: ByteCount? { nil }
    public var timeLimit: Duration? { nil }
}

/// What a module is asked for.
public struct CleaningRequest: Hashable, Sendable {
    /// Of the volume that is to be relieved.
    public var level: PressureLevel
    public var trigger: CleaningTrigger
    /// What it should free; more does not hurt, less is reported. At least what it is over its quota, but where
    /// a person has confirmed what goes: no more than that person was shown.
    public var bytesWanted: ByteCount
    /// The last class that may be spent: of what is dearer than that, nothing.
    public var allowedClass: PurgeableClass
    /// When it is no longer waited for.
    public var deadline: ContinuousClock.Instant

    public init(
        level: PressureLevel, trigger: CleaningTrigger, bytesWanted: ByteCount,
        allowedClass: PurgeableClass, deadline: ContinuousClock.Instant
    ) {
        self.level = level
        self.trigger = trigger
        self.bytesWanted = bytesWanted
        self.allowedClass = allowedClass
        self.deadline = deadline
    }
}
