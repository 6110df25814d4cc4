//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import Synchronization
public import SystemPackage

/// The level that new files in a directory get: an attribute of the directory.
///
/// Not a part of its mark (`MarkAttribute`): a word that an older version does not know is damage
/// there. Blocks.
public enum DirectoryProtection {
    #if canImport(Darwin)
    package static let name: AttributeName = "headroom.protection"
    #else
    package static let name: AttributeName = "user.headroom.protection"
    #endif

    /// The value: the version, and the level's name.
    private static func value(_ level: ProtectionLevel) -> [UInt8] { Array("1 \(level.name)".utf8) }

    /// What a directory itself says.
    ///
    /// - Returns: nil if it says nothing; `unknown` if it cannot be understood: whatever it is, it is
    ///   not nothing.
    public static func read(_ path: FilePath) throws(HeadroomError) -> Protection? {
        do throws(Errno) {
            let directory = try DirectoryCreation.existing(path)
            return try read(directory.rawValue, NativeCalls.make())
        } catch {
            throw HeadroomError("read the protection of", path, error)
        }
    }

    private static func read(
        _ directory: Int32, _ calls: any FileSystemCalls
    ) throws(Errno) -> Protection? {
        try calls.attribute(name, of: directory).map(decode)
    }

    private static func decode(_ bytes: [UInt8]) -> Protection {
        let level = ProtectionLevel.allCases.first { value($0) == bytes }
        return level.map { .level($0) } ?? .unknown
    }

    /// Reads the protection that a directory itself sets, in one system call.
    ///
    /// - Parameter prefix: its absolute path, with a slash at its end.
    /// - Returns: nil also for a directory that is missing or cannot be read.
    package static func read(prefix: [UInt8], _ calls: some FileSystemCalls) -> Protection? {
        let place = FilePlace(prefix: prefix)
        // The dot: a link to the directory is followed.
        let bytes = place.entry([UInt8(ascii: ".")]).withEntryName { name in
            // An error that prevents reading it also prevents the save from writing there.
            try? calls.attribute(Self.name, of: name, at: place.anchor)
        }
        return bytes.map(decode)
    }

    /// Changes whenever this process sets the protection of a directory.
    package static var changes: Int { changeCount.load(ordering: .acquiring) }
    private static let changeCount = Atomic<Int>(0)

    /// What the nearest directory says, from a path outwards; directories that are not there yet say
    /// nothing.
    ///
    /// - Parameter root: the last that is asked.
    public static func nearest(
        _ path: FilePath, upTo root: FilePath
    ) throws(HeadroomError) -> Protection? {
        var current = path.lexicallyNormalized()
        let root = root.lexicallyNormalized()
        while true {
            do throws(HeadroomError) {
                if let found = try read(current) { return found }
            } catch {
                guard error.cause == .noSuchFileOrDirectory else { throw error }
            }
            guard current != root, current.starts(with: root), current.removeLastComponent() else {
                return nil
            }
        }
    }

    /// Sets what a directory says; nil: nothing. On disk when it returns.
    ///
    /// - Throws: `unsupported` where the file system has no extended attributes: nothing else would
    ///   remember it.
    public static func set(
        _ level: ProtectionLevel?, on path: FilePath
    ) throws(HeadroomError) {
        do throws(Errno) {
            let calls = NativeCalls.make()
            let directory = try DirectoryCreation.existing(path)
            if let level {
                try calls.setAttribute(name, to: value(level), of: directory.rawValue)
            } else {
                _ = try calls.removeAttribute(name, of: directory.rawValue)
            }
            changeCount.add(1, ordering: .acquiringAndReleasing)
            try calls.synchronize(directory.rawValue)
        } catch .notSupported {
            throw HeadroomError(
                .unsupported,
                "Could not set the protection of new files in \(path.displayText): its file system "
                    + "keeps no attributes. Name the level with each file instead.",
                cause: .notSupported)
        } catch {
            throw HeadroomError("set the protection of", path, error)
        }
    }
}
