//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
public import Headroom

extension Storage {
    /// The storage that an app shares with its extensions: the container of an app group.
    ///
    ///     let shared = try Storage.appGroup("group.org.example.podcasts", owner: "Podcasts")
    ///
    /// What lies at its root is backed up; caches belong into its Library/Caches, where `save(_:as:named:)`
    /// puts them.
    ///
    /// - Parameter identifier: as in the entitlements.
    /// - Throws: ``StorageError`` `noContainer` if the app is not of that group.
    public static func appGroup(
        _ identifier: String, owner: String
    ) throws(StorageError) -> Storage {
        guard
            let url = FileManager.default.containerURL(
                forSecurityApplicationGroupIdentifier: identifier)
        else {
            throw StorageError(
                .noContainer,
                "There is no container of the group \(identifier): it is not among the app groups in "
                    + "the entitlements of this program. Add it in Signing & Capabilities.")
        }
        return try Storage(container: url, owner: owner, isGroup: true)
    }
}
#endif
