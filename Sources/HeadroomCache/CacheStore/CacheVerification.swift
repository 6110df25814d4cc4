//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Reads the values of a store, in which somebody may be at work, and compares them with what was put.
struct CacheVerification {
    let identity: StoreIdentity
    let directory: StateDirectory
    /// Somebody had it open when its index was read.
    let wasOpen: Bool

    /// What became of a value.
    enum State {
        /// It is as it was put, or out of use.
        case whole
        /// There is no file of that name any more.
        case gone
        /// The same, and somebody has the store open: files are removed before the log is told, which hears of
        /// many puts at once.
        case unsettled
        case unreadable
        case damaged
    }

    typealias Finding = (entry: StoreEntry, state: State)

    /// So often the index is read anew for what has been put elsewhere meanwhile.
    private static let rounds = 8
    /// A value is read in pieces: it may be larger than what memory there is.
    private static let pieceSize = 1 << 18

    static func fileName(of entry: StoreEntry) -> String {
        entry.isFile ? StoreNames.value(entry.place) : StoreNames.segment(entry.segment)
    }

    /// Reads all values.
    ///
    /// - Returns: those that are not whole where the index still says that they are; nil if it was ended.
    func findings(
        _ index: borrowing CacheIndex, _ progress: (Int, Int64, Int64) -> Bool
    ) -> [Finding]? {
        var place = 0
        let entries = index.entries(from: &place, count: .max)
        let total = entries.reduce(Int64(0)) { $0 + Int64($1.length) }
        guard var suspects = failing(entries, { progress($0, $1, total) }) else { return nil }
        var findings: [Finding] = []
        var isOpen = wasOpen
        for _ in 0..<Self.rounds where !suspects.isEmpty {
            // Asked first: who lets go of it has told the index all by then.
            isOpen = isOpen || Self.isOpen(directory)
            // Replaced, moved or removed since: what is under the key now has not been read.
            guard let known = indexAnew() else { break }
            var others: [StoreEntry] = []
            for suspect in suspects {
                guard let entry = known.entry(suspect.entry.hash) else { continue }
                if entry.recordPlace == suspect.entry.recordPlace {
                    findings.append(suspect)
                } else {
                    others.append(entry)
                }
            }
            suspects = failing(others) { _, _ in true } ?? []
        }
        _ = progress(entries.count, total, total)
        return (findings + suspects).map { finding in
            let isUnsettled = finding.state == .gone && isOpen
            return (finding.entry, isUnsettled ? .unsettled : finding.state)
        }
    }

    /// Whether anybody has a store open.
    static func isOpen(_ directory: StateDirectory) -> Bool {
        // Without the file nobody can be asked about.
        guard let file = try? SharedFile.open(StoreNames.identity, in: directory)
        else { return false }
        return StoreSession.isOpen(file)
    }

    /// - Returns: nil if the index cannot be read, or is another store's: then what is known has to do.
    private func indexAnew() -> CacheIndex? {
        var index = CacheIndex(policy: .leastRecentlyUsed)
        do throws(Errno) {
            var log = try CheckedLog(
                StoreNames.log, in: directory, kind: StoreCore.logKind, access: .reading)
            try log.update(&index)
        } catch {
            return nil
        }
        guard index.fingerprint == identity.fingerprint else { return nil }
        return index
    }

    /// - Returns: those that are not whole; nil if it was ended.
    private func failing(
        _ entries: [StoreEntry], _ progress: (Int, Int64) -> Bool
    ) -> [Finding]? {
        // As they lie on disk.
        let entries = entries.sorted {
            ($0.isFile ? 1 : 0, $0.place) < ($1.isFile ? 1 : 0, $1.place)
        }
        var findings: [Finding] = []
        var open: (name: String, file: Result<SharedFile, Errno>)?
        var bytes: Int64 = 0
        for (done, entry) in entries.enumerated() {
            if done % 64 == 0, !progress(done, bytes) { return nil }
            bytes += Int64(entry.length)
            let name = Self.fileName(of: entry)
            let file = open?.name == name ? open?.file : nil
            let current = file ?? opened(name)
            open = (name, current)
            let state =
                switch current {
                case .success(let file): state(of: entry, in: file)
                case .failure(.noSuchFileOrDirectory): State.gone
                case .failure: State.unreadable
                }
            if state != .whole { findings.append((entry, state)) }
        }
        return findings
    }

    private func opened(_ name: String) -> Result<SharedFile, Errno> {
        do throws(Errno) {
            return .success(try SharedFile.open(name, in: directory))
        } catch {
            return .failure(error)
        }
    }

    private func state(of entry: StoreEntry, in file: SharedFile) -> State {
        do throws(Errno) {
            if try isWhole(entry, file) { return .whole }
            // Segments are emptied before they are removed.
            let status = try file.status()
            return status.linkCount == 0 || status.logicalSize == .zero ? .gone : .damaged
        } catch {
            return .damaged
        }
    }

    private func isWhole(_ entry: StoreEntry, _ file: SharedFile) throws(Errno) -> Bool {
        let front = try file.bytes(entry.frontSize, at: entry.frontOffset)
        let record = unsafe front.span.bytes
        guard let header = RecordHeader(of: entry, in: record) else { return false }
        let key = record.extracting(
            RecordHeader.size..<RecordHeader.size + Int(header.keyCount))
        guard identity.hash(key) == entry.hash else { return false }
        // It may be so though the index has not heard of it.
        if header.isRetired { return true }
        let extent = entry.extent
        let start = extent.offset + UInt64(extent.value.lowerBound)
        var sum = CRC32C()
        var done = 0
        while done < Int(entry.length) {
            let piece = try file.bytes(
                min(Self.pieceSize, Int(entry.length) - done), at: start + UInt64(done))
            if piece.isEmpty { return false }
            unsafe sum.update(piece.span.bytes)
            done += piece.count
        }
        return sum.value == header.valueSum
    }
}
