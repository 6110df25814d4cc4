//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Whether a directory may be made a store, or is one that has lost the file `store`.
///
/// A store replaces and removes files by their names; in a directory of somebody else's these may be
/// theirs.
package enum StoreDirectory {
    /// Names of more files than this are not told.
    private static let told = 3

    /// - Throws: `invalid` if there is anything in the directory that no store has made.
    static func check(_ directory: StateDirectory, _ path: FilePath) throws(HeadroomError) {
        let foreign: [String]
        do throws(Errno) {
            if try StoreIdentity.read(in: directory) != nil { return }
            foreign = try foreignNames(in: directory)
            if foreign.isEmpty { return }
            // Somebody else may have made it meanwhile.
            if try StoreIdentity.read(in: directory) != nil { return }
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
        let names = foreign.prefix(told).map { FilePath($0).displayText }.joined(separator: ", ")
        let others = foreign.count > told ? " and \(foreign.count - told) more" : ""
        throw HeadroomError(
            .invalid,
            "\(path.displayText) is not a cache store: \(names)\(others) in it "
                + "\(foreign.count == 1 ? "is" : "are") not of one. Give the store a directory of its own."
        )
    }

    private static func foreignNames(in directory: StateDirectory) throws(Errno) -> [String] {
        // What begins with a dot says something of the directory, and is never touched.
        let names = try directory.names().filter { !$0.hasPrefix(".") && $0 != "CACHEDIR.TAG" }
        let foreign = names.filter { !StoreNames.isOurs($0) }
        if !foreign.isEmpty { return foreign.sorted() }
        var unfinished: [String] = []
        for name in names {
            // A name alone may be anybody's.
            if StoreNames.isContent(name) {
                if try hasRecord(name, in: directory) { return [] }
                continue
            }
            switch try beginning(of: name, in: directory) {
            case .written: return []
            case .unwritten where name.hasSuffix(".new"): unfinished.append(name)
            default: break
            }
        }
        // These names others use, too; but for what a process left that was killed while it made the store.
        return names.filter { !unfinished.contains($0) }.sorted()
    }

    /// Whether a record begins where the first of a segment does, or near the end of a value's own file.
    private static func hasRecord(
        _ name: String, in directory: StateDirectory
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            let file = try SharedFile.open(name, in: directory)
            if try file.bytes(4, at: 0) == RecordHeader.markerBytes { return true }
            let size = try UInt64(clamping: file.status().logicalSize.bytes)
            let tail = try file.contents(from: (size - min(size, RecordHeader.tailSize)) & ~7)
            return tail.firstRange(of: RecordHeader.markerBytes) != nil
        } catch {
            guard error.isNoSuchFile else { throw error }
            return false
        }
    }

    private enum Beginning {
        /// As that of `store`, or of a log.
        case written
        /// Nothing, or the gap in front of a log whose header is written last.
        case unwritten
    }

    private static func beginning(
        of name: String, in directory: StateDirectory
    ) throws(Errno) -> Beginning? {
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try RegularFile(name, in: directory, .reading).read(LogHeader.size, at: 0)
        } catch {
            guard error.isNoSuchFile else { throw error }
            return nil
        }
        if bytes.starts(with: StoreIdentity.marker.prefix(4))
            || LogHeader.begins(bytes, kind: StoreCore.logKind)
        {
            return .written
        }
        return bytes.allSatisfy { $0 == 0 } ? .unwritten : nil
    }
}
