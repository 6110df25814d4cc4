//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Which `tmpfiles.d` a person means: the machine's, their own, or a directory of such files.
enum TmpfilesChoice: Equatable {
    case system
    case user
    case directory(String)

    init(_ text: String) {
        switch text {
        case "system": self = .system
        case "user": self = .user
        default: self = .directory(text)
        }
    }

    /// As it can be typed again.
    var word: String {
        switch self {
        case .system: "system"
        case .user: "user"
        case .directory(let path): ShellWord(path).description
        }
    }

    /// Reads the rules. Blocks.
    func rules() throws(HeadroomError) -> TmpfilesRules {
        switch self {
        case .system: return TmpfilesRules(TmpfilesContext.system())
        case .user: return TmpfilesRules(try Self.own())
        case .directory(let text):
            let path = try Paths.existing(text)
            guard try Paths.status(path).isDirectory else {
                throw HeadroomError(
                    .invalid,
                    "\(path.displayText) is no directory. Name the one with the *.conf files.")
            }
            let specifiers =
                User.isRoot ? TmpfilesContext.system().specifiers : try Self.own().specifiers
            return TmpfilesRules(TmpfilesContext(directories: [path], specifiers: specifiers))
        }
    }

    private static func own() throws(HeadroomError) -> TmpfilesContext {
        TmpfilesContext.user(environment: Session.environment, home: try Session.home())
    }
}

extension Values {
    @Sendable static func tmpfiles(_ text: String) throws -> TmpfilesChoice {
        guard !text.isEmpty else { throw InvalidValue("write system, user or a directory.") }
        return TmpfilesChoice(text)
    }
}
