//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

// Why a volume has gained less than what went occupied (safety invariant S9).
extension ReceiptRecorder {
    /// How many open files are told of one by one.
    private static let listedFiles = 5

    /// - Parameters:
    ///   - gained: what the volumes say; nil: nothing.
    ///   - roots: of the purge, with their devices.
    ///   - isCut: whether volumes that free blocks later were not waited for.
    ///   - look: finds what is open now; asked only if something is missing.
    mutating func explain(
        _ gained: Int64?, of roots: [(path: FilePath, device: UInt64)], links: LinkLedger,
        isCut: Bool, look: () -> OpenFileSnapshot
    ) {
        let least: Int64 = 1 << 20
        let linked = links.remaining
        if linked.bytes > least {
            addDifference(
                "\(ByteCount(linked.bytes)) stay in \(linked.files == 1 ? "a file" : "\(linked.files) files") "
                    + "that still \(linked.files == 1 ? "has" : "have") another name elsewhere.")
        }
        guard let gained else {
            return addDifference("The volume did not say what it has gained.")
        }
        let missing = receipt.expected.bytes - gained
        guard missing > max(least, receipt.expected.bytes / 50) else { return }
        let rest = missing - explainOpenFiles(look(), roots)
        // mutation: s9c-1
        guard rest > max(least, receipt.expected.bytes / 50) else { return }
        addDifference(
            "\(ByteCount(rest)) less than expected: others have written meanwhile, "
                + (isCut
                    ? "or the volume frees the blocks later: it was not waited for."
                    : "or snapshots or shared extents hold the blocks."))
    }

    /// - Returns: what files occupy that lay there, and are open though deleted.
    private mutating func explainOpenFiles(
        _ snapshot: OpenFileSnapshot, _ roots: [(path: FilePath, device: UInt64)]
    ) -> Int64 {
        var files: [OpenFileSnapshot.DeletedFile] = []
        for device in Set(roots.map(\.device)) {
            let places = roots.filter { $0.device == device }.map { "\($0.path.string)/" }
            files += snapshot.deletedButOpen(on: device).filter { file in
                places.contains { file.path.hasPrefix($0) }
            }
        }
        for file in files.prefix(Self.listedFiles) {
            addDifference(
                "\(file.allocatedSize) are held by a process that still has the deleted file "
                    + "\(file.path) open: \(file.command) \(file.process).")
        }
        let others = files.dropFirst(Self.listedFiles).reduce(Int64(0)) {
            $0 + $1.allocatedSize.bytes
        }
        if others > 0 {
            addDifference(
                "\(ByteCount(others)) are held by \(files.count - Self.listedFiles) more deleted files that "
                    + "are still open.")
        }
        return files.reduce(0) { $0 + $1.allocatedSize.bytes }
    }
}
