//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Ledger: MarkLedger {
    package func recordMark(_ file: MarkedFile) throws(HeadroomError) {
        try setMark(file.mark, for: file.key, path: file.path, isDirectory: file.isDirectory)
    }

    package func recordedMark(for file: FileKey) throws(HeadroomError) -> MarkedFile? {
        markedFiles(on: file.fileSystemID).first { $0.key == file }
    }

    package func removeMark(for file: FileKey) throws(HeadroomError) {
        // What was never marked needs no record of being unmarked.
        guard mark(for: file) != nil else { return }
        try write([.noMark(file)], synchronizing: true)
    }
}
