//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPlatform
import SystemPackage

/// The two files of a key bag in their directory.
struct KeyBagFiles: Sendable {
    static let name = "protection.keys"
    static let copyName = "protection.keys.copy"

    let directory: FilePath
    /// Called before each step of writing; for tests that end the process there.
    var atStep: @Sendable (Int) -> Void = { _ in }

    var path: FilePath { directory.appending(Self.name) }

    /// What was found.
    struct Found {
        var record: KeyBagRecord
        /// Whether the other file is missing, damaged or older.
        var needsRepair: Bool
    }

    /// Reads both.
    ///
    /// - Throws: ``ProtectionError`` `noKeyBag`, `damagedKeyBag`, `unsupported`, `io`.
    func read() throws(ProtectionError) -> Found {
        let main = try read(Self.name)
        let copy = try read(Self.copyName)
        guard let best = Self.best(main, copy) else {
            switch (main, copy) {
            case (.missing, .missing):
                throw ProtectionError(
                    .noKeyBag,
                    "There is no key bag in \(directory.displayText). Make one first; if there was "
                        + "one, restore it from a backup: without it nothing can be decrypted.")
            case (.failed(.unsupported), _), (_, .failed(.unsupported)):
                throw ProtectionError(
                    .unsupported,
                    "The key bag \(path.displayText) was written by a later version. Use that.")
            default:
                throw ProtectionError(
                    .damagedKeyBag,
                    "The key bag \(path.displayText) and its copy are damaged. Nothing was changed: "
                        + "restore one of them from a backup; without it nothing can be decrypted.")
            }
        }
        return Found(record: best, needsRepair: main.record != copy.record)
    }

    /// Of two that are whole the later counts; of two bags, that in the right place.
    private static func best(_ main: Content, _ copy: Content) -> KeyBagRecord? {
        guard let first = main.record else { return copy.record }
        guard let second = copy.record, second.bagID == first.bagID,
            second.generation > first.generation
        else { return first }
        return second
    }

    private enum Content {
        case missing
        case failed(KeyBagRecord.Failure)
        case whole(KeyBagRecord)

        var record: KeyBagRecord? {
            if case .whole(let record) = self { return record }
            return nil
        }
    }

    private func read(_ name: String) throws(ProtectionError) -> Content {
        let path = directory.appending(name)
        let bytes: [UInt8]
        do throws(Errno) {
            // A byte more shows that it is longer than it may be.
            bytes = try RegularFile(opening: path).read(KeyBagRecord.size + 1, at: 0)
        } catch .noSuchFileOrDirectory {
            return .missing
        } catch {
            throw ProtectionError("read", path, error)
        }
        do throws(KeyBagRecord.Failure) {
            return .whole(try KeyBagRecord.decode(bytes))
        } catch {
            return .failed(error)
        }
    }

    // MARK: - Writing

    /// Replaces the bag, then its copy; each is on disk before the next begins.
    func write(_ record: KeyBagRecord) throws(ProtectionError) {
        try write(record, Self.name, firstStep: 0)
        try write(record, Self.copyName, firstStep: 5)
        atStep(10)
    }

    private func write(
        _ record: KeyBagRecord, _ name: String, firstStep step: Int
    ) throws(ProtectionError) {
        do throws(Errno) {
            atStep(step)
            let file = try NewFile(
                in: FilePlace(try DirectoryCreation.open(directory)), permissions: 0o600)
            do throws(Errno) {
                atStep(step + 1)
                try file.write(record.encoded)
                atStep(step + 2)
                try file.synchronize()
                atStep(step + 3)
                guard let entry = FileName(name) else { throw Errno.invalidArgument }
                try file.publish(as: entry)
                atStep(step + 4)
                try file.synchronizeDirectory()
            } catch {
                file.discard()
                throw error
            }
        } catch {
            throw ProtectionError("write", directory.appending(name), error)
        }
    }

    /// Does something while no other process changes the bag.
    func exclusively<Result>(
        _ body: () throws(ProtectionError) -> Result
    ) throws(ProtectionError) -> Result {
        let lock: StateDirectory
        do throws(Errno) {
            lock = try StateDirectory(creating: directory)
            try lock.lock(limit: .seconds(5))
        } catch .resourceTemporarilyUnavailable {
            throw ProtectionError(
                .busy,
                "Another process is at work in \(directory.displayText). Try again in a moment.")
        } catch {
            throw ProtectionError("lock", directory, error)
        }
        defer { lock.unlock() }
        return try body()
    }
}
#endif
