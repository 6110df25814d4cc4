//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform
import Synchronization
package import SystemPackage

/// A ledger of marks that lasts as long as the test.
package final class MemoryMarkLedger: MarkLedger {
    package let records: FilePath? = nil
    private let marks = Mutex<[FileKey: MarkedFile]>([:])

    package init() {}

    package var markedFiles: [MarkedFile] { marks.withLock { Array($0.values) } }

    package func refresh() {}

    package func mark(for key: FileKey) -> Mark? { marks.withLock { $0[key]?.mark } }

    package func setMark(_ mark: Mark, for key: FileKey, path: FilePath, isDirectory: Bool) {
        marks.withLock {
            $0[key] =
                mark.isEmpty
                ? nil : MarkedFile(key: key, mark: mark, path: path, isDirectory: isDirectory)
        }
    }
}
