//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
public import SystemPackage

/// What was found out about the protection of a file.
public enum Protection: Hashable, Sendable {
    /// This level.
    case level(ProtectionLevel)
    /// It cannot be told: the file cannot be read, its header is damaged or of a later version, or the
    /// system, which protects files, does not say.
    case unknown

    /// The name in JSON: that of the level, or `unknown`.
    public var name: String {
        switch self {
        case .level(let level): level.name
        case .unknown: "unknown"
        }
    }

    /// Reads it of a file; needs no key. A link is followed. Blocks.
    ///
    /// Headroom's own protection, if the file has it; else the system's, where the system has one
    /// (Apple's). What cannot be opened, as while a device is locked, is `unknown`.
    ///
    /// - Returns: `none` for what has no content to protect, such as a directory.
    public static func of(_ path: FilePath) -> Protection {
        of(path, asking: SystemProtectionClasses())
    }

    package static func of(
        _ path: FilePath, asking system: some ProtectionClassReading
    ) -> Protection {
        ofExisting(path, asking: system) ?? .unknown
    }

    /// The protection by which Headroom has encrypted a file, whatever the system does besides: a key bag
    /// reads what has it. Otherwise as ``of(_:)``.
    public static func byHeadroom(_ path: FilePath) -> Protection { ofExisting(path) ?? .unknown }

    /// Headroom's own.
    ///
    /// - Returns: nil if there is nothing of that name.
    package static func ofExisting(_ path: FilePath) -> Protection? {
        ofExisting(path, asking: NoProtectionClasses())
    }

    private static func ofExisting(
        _ path: FilePath, asking system: some ProtectionClassReading
    ) -> Protection? {
        do throws(Errno) {
            // Nothing but a regular file is opened, and nothing that a cloud would have to fetch.
            let status = try FileStatus.ofTarget(path)
            guard status.type == .regular else { return .level(.none) }
            guard !status.isDataless else { return .unknown }
            let file = try RegularFile(opening: path, isLook: true)
            let header = try file.read(ProtectionHeaderArea.size, at: 0)
            return of(header: header, of: file.descriptor.rawValue, asking: system)
        } catch .invalidArgument {
            // No regular file.
            return .level(.none)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            return .unknown
        }
    }

    /// The protection of an open file whose beginning has been read.
    package static func of(
        header bytes: [UInt8], of descriptor: Int32, asking system: some ProtectionClassReading
    ) -> Protection {
        // mutation: r35c-2
        guard !ProtectionHeaderArea.isProtected(bytes), system.isKept else {
            return of(header: bytes)
        }
        guard let found = system.classOfFile(descriptor),
            // mutation: r35c-1 (2 lines)
            let level = ProtectionLevel(systemClass: found)
        else { return .unknown }
        return .level(level)
    }

    /// The protection that the beginning of a file tells of: at least
    /// ``ProtectionHeaderArea/size`` bytes, or all of the file.
    package static func of(header bytes: [UInt8]) -> Protection {
        guard ProtectionHeaderArea.isProtected(bytes) else { return .level(.none) }
        guard let area = try? ProtectionHeaderArea(decoding: bytes) else { return .unknown }
        return .level(area.current.level)
    }
}

/// A system that protects no files.
private struct NoProtectionClasses: ProtectionClassReading {
    var isKept: Bool { false }

    func classOfFile(_ descriptor: Int32) -> ProtectionClass? { nil }
}
