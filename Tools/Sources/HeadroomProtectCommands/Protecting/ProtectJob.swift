//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection
import SystemPackage

/// The work of `headroom protect`, and the keys for it.
struct ProtectJob {
    var passphrase: PassphraseOptions

    /// Where the key bag is: beside the ledger.
    static func directory() throws(HeadroomError) -> FilePath {
        guard let directory = Ledger.defaultDirectory else {
            throw HeadroomError(
                .notFound, "There is no home directory. Set HOME to the path of one.")
        }
        return directory
    }

    /// Opens the key bag, with the keys that the keyring has.
    static func bag() throws -> KeyBag {
        let place = try directory()
        let bag: KeyBag
        do throws(ProtectionError) {
            bag = try KeyBag(directory: place)
        } catch let error where error.code == .noKeyBag {
            throw ProtectionError(
                .noKeyBag, error.message + " To make one: headroom protect --new-keys")
        }
        do throws(ProtectionError) {
            try bag.unlockFromKeyring()
        } catch {
            // Without a keyring, the passphrase is asked for.
            guard error.code == .unsupported else { throw error }
        }
        return bag
    }

    /// Opens the key bag so that files of some levels can be read and written.
    func bag(
        reading: Set<ProtectionLevel>, writing: Set<ProtectionLevel> = []
    ) throws -> KeyBag {
        let bag = try Self.bag()
        if !reading.isSubset(of: bag.readableLevels) || !writing.isSubset(of: bag.writableLevels) {
            try bag.unlock(try passphrase.read())
        }
        return bag
    }

    // MARK: - Files

    /// Protects files under a level, or takes their protection away.
    func protect(_ paths: [FilePath], _ level: ProtectionLevel) throws -> ProtectReport {
        let before = paths.map { Protection.byHeadroom($0) }
        var reading: Set<ProtectionLevel> = []
        for case .level(let old) in before where old != level { reading.insert(old) }
        let bag = try bag(reading: reading, writing: [level])
        // Marks that the ledger alone holds go along with what has them.
        let marks = try Session.open(forWriting: true).marks
        // What a crash has left is removed by the next run in the same directory.
        for place in Set(paths.map { $0.removingLastComponent() }) {
            ProtectedFile.removeLeftovers(in: place)
        }
        var report = ProtectReport()
        for (path, old) in zip(paths, before) {
            guard !Interruption.isRequested else { throw ExitStatus.interrupted.code }
            var entry = ProtectReport.Entry(path: path, before: old, after: old)
            do throws(ProtectionError) {
                try change(path, from: old, to: level, bag, marks)
                entry.after = .level(level)
            } catch {
                entry.failure = error.message
            }
            report.entries.append(entry)
        }
        return report
    }

    private func change(
        _ path: FilePath, from old: Protection, to level: ProtectionLevel, _ bag: KeyBag,
        _ marks: MarkStore
    ) throws(ProtectionError) {
        switch (old, level) {
        case (.level(level), .none): return
        case (.level(.none), _):
            // mutation: r36e-2
            try ProtectedFile.protect(path, level: level, keys: bag, marks: marks)
        case (.level, .none): try ProtectedFile.unprotect(path, keys: bag, marks: marks)
        case (.level, _): try ProtectedFile.changeLevel(of: path, to: level, keys: bag)
        case (.unknown, _):
            throw ProtectionError(
                .damaged,
                "Could not protect \(path.displayText): it cannot be read, or its header is "
                    + "damaged. It stays as it is.")
        }
    }

    // MARK: - Directories

    /// Says under which level new files in directories are saved; nil: nothing more.
    func setNewFiles(_ paths: [FilePath], _ level: ProtectionLevel?) throws -> ProtectReport {
        var report = ProtectReport()
        for path in paths {
            let old = try DirectoryProtection.read(path) ?? .level(.none)
            try DirectoryProtection.set(level, on: path)
            report.entries.append(
                .init(
                    path: path, before: old, after: .level(level ?? .none), isForNewFiles: true))
        }
        return report
    }

    /// What paths are protected as.
    static func look(_ paths: [FilePath]) throws -> ProtectReport {
        var report = ProtectReport()
        for path in paths {
            let isDirectory = try Paths.status(path).isDirectory
            let found =
                isDirectory
                ? try DirectoryProtection.read(path) ?? .level(.none) : Protection.of(path)
            report.entries.append(
                .init(path: path, before: found, after: found, isForNewFiles: isDirectory))
        }
        return report
    }
}
