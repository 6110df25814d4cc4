//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
public import HeadroomEngine
package import HeadroomPlatform
import Synchronization
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys under which files are protected, in a file that a passphrase opens.
///
///     let keys = try KeyBag.create(in: directory, passphrase: Passphrase(words))
///     try storage.save(diary, as: .essential(.userContent), named: "diary", protection: .complete, keys: keys)
///     keys.lock()                       // reading it now throws `locked`
///     try keys.unlock(Passphrase(words))
///
/// A bag that is opened is locked: only `completeUnlessOpen` can be written, and nothing read. Whoever
/// loses the bag or the passphrase loses what was protected; a copy of the bag belongs in every
/// backup. Safe to use from several threads; calls block, ``unlock(_:)`` for most of a second.
public final class KeyBag: Sendable {
    let files: KeyBagFiles
    private let state: Mutex<State>

    private struct State {
        var record: KeyBagRecord
        var keys = ClassKeys()
        var openFiles: [OpenFile] = []
        var listeners: [Int: AsyncStream<Set<ProtectionLevel>>.Continuation] = [:]
        var nextListener = 0
    }

    private struct OpenFile {
        weak var key: FileKeySlot?
        let level: ProtectionLevel
    }

    /// Opens a bag, locked.
    ///
    /// - Throws: ``ProtectionError`` `noKeyBag`; `damagedKeyBag`; `unsupported` if it is of a later
    ///   version; `io`.
    public convenience init(in directory: URL) throws(ProtectionError) {
        try self.init(directory: FilePath(directory.path))
    }

    /// The same by a path, whose bytes may be any.
    public convenience init(directory: FilePath) throws(ProtectionError) {
        try self.init(directory: directory) { _ in }
    }

    /// - Parameter atStep: called before each step of writing, with its number.
    package convenience init(
        directory: FilePath, atStep: @escaping @Sendable (Int) -> Void
    ) throws(ProtectionError) {
        let files = KeyBagFiles(directory: directory, atStep: atStep)
        self.init(files, try files.read().record)
    }

    /// A bag of keys that are known; nothing of it is on disk.
    package convenience init(
        directory: FilePath, _ record: KeyBagRecord, keys: ClassKeys
    ) {
        self.init(KeyBagFiles(directory: directory), record, keys: keys)
    }

    init(_ files: KeyBagFiles, _ record: KeyBagRecord, keys: ClassKeys = ClassKeys()) {
        self.files = files
        state = Mutex(State(record: record, keys: keys))
    }

    deinit {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    /// Makes a bag with new keys, unlocked. On disk when it returns.
    ///
    /// - Throws: ``ProtectionError`` `keyBagExists` if there is one, whole or damaged; `io`.
    public static func create(
        in directory: URL, passphrase: Passphrase, parameters: ScryptParameters = .standard
    ) throws(ProtectionError) -> KeyBag {
        try create(
            KeyBagFiles(directory: FilePath(directory.path)), passphrase, parameters)
    }

    /// The same by a path, whose bytes may be any.
    public static func create(
        directory: FilePath, passphrase: Passphrase, parameters: ScryptParameters = .standard
    ) throws(ProtectionError) -> KeyBag {
        try create(KeyBagFiles(directory: directory), passphrase, parameters)
    }

    private static func create(
        _ files: KeyBagFiles, _ passphrase: Passphrase, _ parameters: ScryptParameters
    ) throws(ProtectionError) -> KeyBag {
        // Before the work, and again when nobody else can make one.
        try refuseExisting(files)
        let keys = try ClassKeys.make()
        var record = KeyBagRecord(
            parameters: parameters, bagID: Random.bytes(16), salt: Random.bytes(32),
            publicKey: try keys.publicKey(), generation: 1)
        try keys.seal(into: &record, with: try parameters.key(from: passphrase, salt: record.salt))
        let made = record
        try files.exclusively { () throws(ProtectionError) in
            try refuseExisting(files)
            try files.write(made)
        }
        return KeyBag(files, made, keys: keys)
    }

    private static func refuseExisting(_ files: KeyBagFiles) throws(ProtectionError) {
        do throws(ProtectionError) {
            _ = try files.read()
        } catch {
            if error.code == .noKeyBag { return }
            guard [.damagedKeyBag, .unsupported].contains(error.code) else { throw error }
        }
        throw ProtectionError(
            .keyBagExists,
            "There is a key bag already: \(files.path.displayText). Open it; another one in its "
                + "place would lose what was protected with it.")
    }

    // MARK: - Locking

    /// The levels whose files can be read now.
    public var readableLevels: Set<ProtectionLevel> {
        state.withLock { $0.keys.available.union([.none]) }
    }

    /// The levels that new files can be made under now: those that can be read, and
    /// `completeUnlessOpen`.
    public var writableLevels: Set<ProtectionLevel> { readableLevels.union([.completeUnlessOpen]) }

    /// Whether the keys that are at hand cannot be swapped; false where the limit on locked memory is
    /// used up.
    public var areKeysLockedInMemory: Bool {
        state.withLock { $0.keys.secrets.values.allSatisfy(\.isLocked) }
    }

    /// ``readableLevels`` now and whenever they change; who is late sees only the latest.
    public var readableLevelChanges: AsyncStream<Set<ProtectionLevel>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Set<ProtectionLevel>.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            continuation.yield(state.keys.available.union([.none]))
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            // The bag ends the streams when it goes, and needs no word of that.
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// Brings the keys into memory.
    ///
    /// The bag is read anew, so that a passphrase that another process has changed counts.
    ///
    /// - Throws: ``ProtectionError`` `wrongPassphrase`; `otherKeyBag` if there is another one in its
    ///   place now; `noKeyBag`, `damagedKeyBag`, `unsupported`, `io`.
    public func unlock(_ passphrase: Passphrase) throws(ProtectionError) {
        let found = try files.read()
        try checkSame(found.record)
        let keys = try opened(found.record, passphrase)
        // It opens: whatever is wrong with the other file is mended from it. If that cannot be, the
        // next unlocking tries again; what was asked for has been done.
        if found.needsRepair { try? replace(found.record, with: found.record) }
        adopt(keys, found.record)
    }

    /// Drops keys, and wipes them from memory.
    ///
    /// Open files of the levels that it ends give `locked` from now on, but for `completeUnlessOpen`;
    /// a read that has begun goes on to its end.
    public func lock(_ reason: LockReason = .locked) {
        state.withLock { state in
            // mutation: r36b-1
            state.keys.remove(reason.ended)
            for file in state.openFiles {
                let isKept = file.level == .completeUnlessOpen && reason != .end
                // mutation: r36b-2
                if reason.ended.contains(file.level), !isKept { file.key?.clear() }
            }
            state.openFiles.removeAll { $0.key == nil }
            Self.tell(state)
        }
    }

    /// What has happened.
    public enum LockReason: Hashable, Sendable {
        /// Things were locked: `complete` and `completeUnlessOpen` end.
        case locked
        /// They are locked and the user has been away for a while: `completeWhenUserInactive` ends as
        /// well.
        case userInactive
        /// As if the process began anew: all end, open files too.
        case end

        var ended: Set<ProtectionLevel> {
            switch self {
            case .locked: [.complete, .completeUnlessOpen]
            case .userInactive: [.complete, .completeUnlessOpen, .completeWhenUserInactive]
            case .end: Set(ClassKeys.levels)
            }
        }
    }

    private func adopt(_ keys: ClassKeys, _ record: KeyBagRecord) {
        state.withLock { state in
            state.keys = keys
            state.record = record
            Self.tell(state)
        }
    }

    private static func tell(_ state: State) {
        let readable = state.keys.available.union([.none])
        for listener in state.listeners.values { listener.yield(readable) }
    }

    /// Writes a record, if the one that it was made of is still the one that counts.
    func replace(
        _ old: KeyBagRecord, with new: KeyBagRecord
    ) throws(ProtectionError) {
        try files.exclusively { () throws(ProtectionError) in
            guard try files.read().record == old else {
                throw ProtectionError(
                    .busy, "Another process has just changed \(files.path.displayText). Try again.")
            }
            try files.write(new)
        }
    }

    func checkSame(_ record: KeyBagRecord) throws(ProtectionError) {
        guard record.bagID == bagID else {
            throw ProtectionError(
                .otherKeyBag,
                "There is another key bag in \(files.directory.displayText) than when it was "
                    + "opened. Open it anew.")
        }
    }

    /// The keys of a record.
    func opened(
        _ record: KeyBagRecord, _ passphrase: Passphrase
    ) throws(ProtectionError) -> ClassKeys {
        let key = try record.parameters.key(from: passphrase, salt: record.salt)
        guard let keys = try ClassKeys.open(record, with: key) else {
            throw ProtectionError(
                .wrongPassphrase,
                "This is not the passphrase of \(files.path.displayText). Nothing was changed.")
        }
        return keys
    }

    // MARK: - For files

    var bagID: [UInt8] { state.withLock { $0.record.bagID } }
    var publicKey: [UInt8] { state.withLock { $0.record.publicKey } }

    package func secret(for level: ProtectionLevel) -> SecretBytes? {
        state.withLock { $0.keys[level] }
    }

    /// Puts in a key that was kept elsewhere.
    package func adopt(_ secret: SecretBytes, for level: ProtectionLevel) {
        state.withLock { state in
            state.keys.set(secret, for: level)
            Self.tell(state)
        }
    }

    /// Gives an open file its key, if the level's is at hand; in one step with what ``lock(_:)``
    /// does, so that no file misses it.
    func fill(
        _ slot: FileKeySlot, _ level: ProtectionLevel,
        _ unwrap: (SecretBytes) throws(ProtectionError) -> FileKeys
    ) throws(ProtectionError) -> FileKeys? {
        try state.withLock { (state) throws(ProtectionError) in
            guard let secret = state.keys[level] else { return nil }
            let keys = try unwrap(secret)
            slot.set(keys)
            state.openFiles.removeAll { $0.key == nil || $0.key === slot }
            state.openFiles.append(OpenFile(key: slot, level: level))
            return keys
        }
    }
}
#endif
