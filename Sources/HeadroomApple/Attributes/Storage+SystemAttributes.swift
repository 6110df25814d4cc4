//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
public import Foundation
public import Headroom
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension Storage {
    /// Whether the system itself may purge a file or directory: its own word, which nobody can set.
    ///
    /// Headroom's marks are another thing: see `mark(_:_:)`. Blocks.
    ///
    /// - Returns: nil where the system does not say.
    /// - Throws: ``StorageError`` `notFound`, `notPermitted`, `io`.
    public func isPurgeableBySystem(_ url: URL) throws(StorageError) -> Bool? {
        let path = FilePath(url.path)
        do throws(Errno) {
            return try SystemPurgeability.of(path)
        } catch {
            throw StorageError(HeadroomError("look at", path, error))
        }
    }
}
#endif
