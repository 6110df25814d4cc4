//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// What was found out about the protection of a file.
public enum Protection: Hashable, Sendable {
    /// This level.
    case level(ProtectionLevel)
    /// It cannot be told: the file cannot be read, or its header is damaged or of a later version.
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
    /// - Returns: `none` for what has no content to protect, such as a directory.
    public static func of(_ path: FilePath) -> Protection { ofExisting(path) ?? .unknown }

    /// - Returns: nil if there is nothing of that name.
    package static func ofExisting(_ path: FilePath) -> Protection? {
        do throws(Errno) {
            // Nothing but a regular file is opened, and nothing that a cloud would have to fetch.
            let status = try FileStatus.ofTarget(path)
            guard status.type == .regular else { return .level(.none) }
            guard !status.isDataless else { return .unknown }
            return of(header: try RegularFile(opening: path).read(ProtectionHeaderArea.size, at: 0))
        } catch .invalidArgument {
            // No regular file.
            return .level(.none)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            return .unknown
        }
    }

    /// The protection that the beginning of a file tells of: at least
    /// ``ProtectionHeaderArea/size`` bytes, or all of the file.
    package static func of(header bytes: [UInt8]) -> Protection {
        guard ProtectionHeaderArea.isProtected(bytes) else { return .level(.none) }
        guard let area = try? ProtectionHeaderArea(decoding: bytes) else { return .unknown }
        return .level(area.current.level)
    }
}
