//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import SystemPackage

/// A volume that protects files, as Apple's do: a level is a file's, whatever its name; one is given by name, handed
/// on by class, and a new file has that of its directory.
final class ProtectingVolume: ProtectionStoring, ProtectionClassKeeping {
    enum Habit: CaseIterable {
        case keeps
        /// As the simulator does.
        case ignores
        case givesAnother
        case lacksTheLevel
        case fails
    }

    /// A file was given a level.
    struct Gift: Equatable {
        let level: ProtectionLevel
        /// How much was in it.
        let size: ByteCount?
        /// Whether it had the name of what is still being saved.
        let isHidden: Bool
        /// What was there under its name to be.
        let atName: [UInt8]?
    }

    private struct State {
        var levels: [UInt64: ProtectionLevel] = [:]
        var asked: [Gift] = []
        var handedOn: [Gift] = []
        var refusesClasses = false
    }

    static let ofDirectories = ProtectionLevel.completeUntilFirstUserAuthentication
    let isKept = true
    private let habit: Habit
    /// Looks at what stands at the name to be.
    private let look: @Sendable () -> [UInt8]?
    private let state = Mutex(State())

    init(_ habit: Habit, look: @escaping @Sendable () -> [UInt8]?) {
        self.habit = habit
        self.look = look
    }

    /// The levels that were asked for by name.
    var asked: [Gift] { state.withLock { $0.asked } }

    /// The classes that one file has handed on to another.
    var handedOn: [Gift] { state.withLock { $0.handedOn } }

    /// As while the device is locked.
    func refuseClasses() { state.withLock { $0.refusesClasses = true } }

    func protect(_ path: FilePath, _ level: ProtectionLevel) throws(Errno) {
        let number = try Self.number(path)
        state.withLock { $0.levels[number] = level }
    }

    func level(of path: FilePath) throws(Errno) -> ProtectionLevel {
        let number = try Self.number(path)
        return state.withLock { $0.levels[number] ?? Self.ofDirectories }
    }

    private static func number(_ path: FilePath) throws(Errno) -> UInt64 {
        let file = try Descriptor.openFile(path)
        return try ResolvedDirectory.status(file.rawValue).identity.inode
    }

    private func gift(_ level: ProtectionLevel, _ file: Int32, _ path: FilePath?) -> Gift {
        let name = path?.lastComponent?.string ?? ""
        return Gift(
            level: level, size: try? ResolvedDirectory.status(file).logicalSize,
            isHidden: name.hasPrefix(NewFile.prefix), atName: look())
    }

    // MARK: - By name

    var known: Set<ProtectionLevel> {
        habit == .lacksTheLevel ? [Self.ofDirectories] : Set(ProtectionLevel.allCases)
    }

    func read(_ path: FilePath) throws(Errno) -> String? {
        habit == .ignores ? nil : try level(of: path).systemName
    }

    func write(_ name: String, to path: FilePath) throws(Errno) {
        guard let level = ProtectionLevel(systemName: name) else { throw .invalidArgument }
        let file = try Descriptor.openFile(path)
        let gift = gift(level, file.rawValue, path)
        state.withLock { $0.asked.append(gift) }
        switch habit {
        case .keeps: try protect(path, level)
        case .ignores, .lacksTheLevel: break
        case .givesAnother: try protect(path, .none)
        case .fails: throw .notSupported
        }
    }

    // MARK: - By class

    func classOfFile(_ descriptor: Int32) -> ProtectionClass? {
        guard let number = try? ResolvedDirectory.status(descriptor).identity.inode else {
            return nil
        }
        let level = state.withLock { $0.levels[number] ?? Self.ofDirectories }
        let classes = (1...7).map { ProtectionClass(number: $0) }
        return classes.first { ProtectionLevel(systemClass: $0) == level }
    }

    func give(_ protection: ProtectionClass, to descriptor: Int32) throws(Errno) {
        guard let level = ProtectionLevel(systemClass: protection) else { throw .invalidArgument }
        let number = try ResolvedDirectory.status(descriptor).identity.inode
        let gift = gift(level, descriptor, ResolvedDirectory.path(of: descriptor))
        let isRefused = state.withLock { state in
            state.handedOn.append(gift)
            if !state.refusesClasses { state.levels[number] = level }
            return state.refusesClasses
        }
        if isRefused { throw .notPermitted }
    }
}
