//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
public import HeadroomCore
import HeadroomPlatform

extension Cleaner {
    /// The entry of the catalogue that an item is from, whose cache only its own tool empties; nil for
    /// all others.
    public func entry(of item: Cleanable) -> CatalogueEntry? {
        guard case .command = item.action, let path = item.path else { return nil }
        return workspace.wellKnownCache(at: path)?.entry
    }

    /// The command that would empty such an item: ``Workspace/cleaningCommand(of:environment:)``.
    ///
    /// - Throws: as that, and `invalid` for an item that is cleaned otherwise.
    public func command(
        of item: Cleanable, environment: [String: String]
    ) throws(HeadroomError) -> CleaningCommand {
        try workspace.cleaningCommand(of: entryWithCommand(of: item), environment: environment)
    }

    /// Runs it: ``Workspace/clean(_:environment:limit:isCancelled:)``. Blocks.
    ///
    /// - Throws: as that, and `invalid` for an item that is cleaned otherwise.
    public func run(
        commandOf item: Cleanable, environment: [String: String],
        limit: Duration = .seconds(300), isCancelled: () -> Bool = { false }
    ) throws(HeadroomError) -> CatalogueCleaning {
        try workspace.clean(
            entryWithCommand(of: item), environment: environment, limit: limit,
            isCancelled: isCancelled)
    }

    private func entryWithCommand(of item: Cleanable) throws(HeadroomError) -> CatalogueEntry {
        guard let entry = entry(of: item) else {
            throw HeadroomError(
                .invalid, "\(item.name) is not cleaned by a command. headroom clean cleans it.")
        }
        return entry
    }
}
