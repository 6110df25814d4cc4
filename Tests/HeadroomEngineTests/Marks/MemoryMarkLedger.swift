//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Synchronization

/// A ledger of marks that lasts as long as the test.
final class MemoryMarkLedger: MarkLedger {
    private let marks = Mutex<[FileKey: MarkedFile]>([:])

    var all: [MarkedFile] { marks.withLock { Array($0.values) } }

    func recordMark(_ file: MarkedFile) { marks.withLock { $0[file.key] = file } }

    func recordedMark(for file: FileKey) -> MarkedFile? { marks.withLock { $0[file] } }

    func removeMark(for file: FileKey) { _ = marks.withLock { $0.removeValue(forKey: file) } }
}
