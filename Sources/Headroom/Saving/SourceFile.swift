//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// A file that is copied from.
struct SourceFile: ~Copyable {
    let descriptor: Descriptor
    let size: Int64

    init(_ path: FilePath) throws(StorageError) {
        do {
            try self.init(opening: path)
        } catch {
            throw StorageError(HeadroomError("read", path, error))
        }
    }

    private init(opening path: FilePath) throws(Errno) {
        let file = try Descriptor.openFile(path)
        size = try ResolvedDirectory.status(file.rawValue).logicalSize.bytes
        descriptor = file
    }
}
