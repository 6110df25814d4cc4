//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
public import SystemPackage

extension Ledger {
    /// The registered areas, up to date, in the order of their registration.
    public var registrations: [Area] {
        registered.map(\.area)
    }

    /// The registered areas with who registered them, up to date, in the order of their registration.
    public var registered: [Registration] {
        refresh()
        return core.withLock { $0.state.registrations }
    }

    /// Records an area; one with the same root is replaced. On disk when it returns.
    ///
    /// Whether the area is acceptable is the caller's to check.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func register(_ area: Area) throws(HeadroomError) {
        try register(Registration(area))
    }

    /// Records an area together with who registers it.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func register(_ registration: Registration) throws(HeadroomError) {
        try write([.registration(registration)], synchronizing: true)
        copyRegistrations(changed: registration.area.root)
    }

    /// Removes the area with this root, if there is one. On disk when it returns.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func unregister(root: FilePath) throws(HeadroomError) {
        try write([.unregistration(root)], synchronizing: true)
        copyRegistrations(changed: root)
    }

    /// What the clocks showed when that was last recorded, by any process; as of the last
    /// ``refresh()``.
    public var lastClockSample: ClockSample? { core.withLock { $0.state.clock } }

    /// The last moves of the wall clock that were found, the oldest first, and what the clocks showed then; as of
    /// the last ``refresh()``.
    public var clockMoves: [ClockMove] { core.withLock { $0.state.clockMoves } }

    /// Records that the wall clock was found to have been moved. Not synced.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordClockMove(_ move: ClockMove) throws(HeadroomError) {
        try write([.clockMoved(move), .clock(move.sample)], synchronizing: false)
    }

    /// The last launch of a program that was recorded, up to date.
    ///
    /// - Parameter place: which of its storages, see ``Launch/place``.
    public func launch(of owner: String, in place: String = "") -> Launch? {
        refresh()
        return core.withLock { $0.state.launches[LaunchKey(owner: owner, place: place)] }
    }

    /// Records a launch. Not synced.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordLaunch(_ launch: Launch) throws(HeadroomError) {
        try write([.launch(launch)], synchronizing: false)
    }

    /// Records what the clocks show. Not synced.
    ///
    /// - Throws: as ``setMark(_:for:path:isDirectory:)``.
    public func recordClock(_ sample: ClockSample) throws(HeadroomError) {
        try write([.clock(sample)], synchronizing: false)
    }
}
