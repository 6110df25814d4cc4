//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// Which directories a command is about, and what they are for.
struct AreaOptions: ParsableArguments {
    @Argument(help: "Directories; the areas of this user if none is named.")
    var paths: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the directories that are named are for: temporary, cache or last-resort.",
            valueName: "class"),
        transform: Values.purgeClass)
    var purgeClass: PurgeClass?

    @Option(
        help: ArgumentHelp(
            "With --as: purge each file, each entry of the directory, or each directory in it as a whole.",
            valueName: "file|entry|directory"),
        transform: Values.unit)
    var unit: PurgeUnit?

    @Option(help: "What the directories are, where that cannot be seen: group (an app group).")
    var layout: LayoutChoice?

    @Option(
        help: ArgumentHelp(
            "The directories of tmpfiles.d instead, of which only what has expired may go.",
            valueName: "system|user|directory"),
        transform: Values.tmpfiles)
    var tmpfiles: TmpfilesChoice?

    /// Nothing named: the user's areas.
    static var none: AreaOptions {
        var options = AreaOptions()
        options.paths = []
        options.purgeClass = nil
        options.unit = nil
        options.layout = nil
        options.tmpfiles = nil
        return options
    }

    /// The options as they can be typed again.
    var words: [String] {
        var words = paths.map { ShellWord($0).description }
        if let purgeClass {
            words += ["--as", purgeClass == .lastResort ? "last-resort" : purgeClass.name]
        }
        if unit == .entry { words += ["--unit", "entry"] }
        if let layout { words += ["--layout", layout.rawValue] }
        if let tmpfiles { words += ["--tmpfiles", tmpfiles.word] }
        return words
    }

    func validate() throws {
        guard purgeClass == nil || !paths.isEmpty else {
            throw ValidationError("--as says what a directory is for: name the directory too.")
        }
        guard layout == nil || !paths.isEmpty && purgeClass == nil else {
            throw ValidationError("--layout says what a directory is: name it, without --as.")
        }
        guard unit == nil || purgeClass != nil else {
            throw ValidationError("--unit belongs to --as.")
        }
        guard tmpfiles == nil || paths.isEmpty else {
            throw ValidationError("--tmpfiles names the directories itself: leave out the others.")
        }
    }

    /// Age rules say what is too old, and nothing of what may go when space is short.
    func validate(with target: TargetOptions) throws {
        guard tmpfiles == nil || target.targets == [.expired] else {
            throw ValidationError("--tmpfiles is about what has expired: write --expired alone.")
        }
    }
}

/// A layout that a person names.
enum LayoutChoice: String, ExpressibleByArgument, CaseIterable {
    case group
}

extension Values {
    @Sendable static func purgeClass(_ text: String) throws -> PurgeClass {
        guard let named = PurgeClass(name: text), named != .essential else {
            throw InvalidValue("write temporary, cache or last-resort. Essential never goes.")
        }
        return named
    }

    @Sendable static func unit(_ text: String) throws -> PurgeUnit {
        switch text {
        case "file": return .file
        case "entry": return .entry
        case "directory": return .directory
        default: throw InvalidValue("write file, entry or directory.")
        }
    }
}
