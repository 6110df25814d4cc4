//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

/// What the service knows of the areas on each volume, from one plan to the next.
///
/// A volume has one of its own: what is done for one waits for no other, and files with several links lie
/// on one. It is made when something is planned there for the first time.
public final class VolumeInventories: Sendable {
    private let keepers = Mutex<[FilePath: InventoryKeeper]>([:])
    private let tell: @Sendable (AutomationEvent) -> Void

    /// - Parameter tell: told what each look has cost, from any thread.
    public init(tell: @escaping @Sendable (AutomationEvent) -> Void) { self.tell = tell }

    /// What plans for the volume that is mounted there are made from.
    func source(for volume: FilePath) -> InventoryKeeper {
        keepers.withLock { keepers in
            if let known = keepers[volume] { return known }
            let tell = tell
            let keeper = InventoryKeeper { tell(.looked(volume: volume, $0)) }
            keepers[volume] = keeper
            return keeper
        }
    }

    /// Gives back what is kept of areas that are no more. May wait for a look that is under way.
    ///
    /// - Parameter volumes: those on which there are areas now.
    func review(_ scope: Scope, on volumes: [Volume]) {
        for (name, keeper) in keepers.withLock({ $0 }) {
            if let volume = volumes.first(where: { $0.mountPoint == name }) {
                keeper.release(unlessOf: scope.on(volume))
            } else {
                keeper.release()
                keepers.withLock { $0[name] = nil }
            }
        }
    }

    /// Gives everything back. Blocks for a moment.
    func close() {
        let all = keepers.withLock { keepers in
            defer { keepers = [:] }
            return keepers.values
        }
        for keeper in all { keeper.release() }
    }
}
