//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
package import HeadroomEngine
import HeadroomPlatform

/// What a plan is to reach: the same options for plan, purge and simulate.
package struct TargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Free this much.", valueName: "size"), transform: Values.positiveSize)
    var free: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Free until the level is normal, or until a size or percentage is available.",
            valueName: "normal|size|percent"),
        transform: Values.availability)
    var until: Target?

    @Option(
        help: ArgumentHelp("Shrink each directory that is named to this size.", valueName: "size"),
        transform: Values.size)
    var toLimit: ByteCount?

    @Option(
        help: ArgumentHelp("Everything that was not used for this long.", valueName: "age"),
        transform: Values.age)
    var olderThan: Duration?

    @Option(
        help: ArgumentHelp(
            "What --older-than goes by.", valueName: "used|modified|created"),
        transform: Values.ageBasis)
    var ageBy: AgeBasis?

    @Option(
        help: ArgumentHelp(
            "So many of the most recently used stay, whatever their age and size.",
            valueName: "count"),
        transform: Values.count)
    var keepNewest: Int?

    @Flag(help: "What is hidden stays: names that begin with a dot.")
    var skipHidden = false

    @Flag(help: "Everything that its area keeps no longer.")
    var expired = false

    @Flag(help: "What is over the limit of its area.")
    var overLimit = false

    @Option(
        help: ArgumentHelp("Free this many inodes.", valueName: "count"), transform: Values.count)
    var inodes: Int?

    @Flag(help: "Everything that may go.")
    var all = false

    @Flag(
        help:
            "Include files whose deletion frees nothing, because other hard links to them are kept."
    )
    var includeLinked = false

    @Option(
        help: ArgumentHelp(
            "The last class that may be spent: temporary, cache or last-resort.",
            valueName: "class"),
        transform: Values.purgeableClass)
    // mutation: r16d-1
    package var through = PurgeableClass.cache

    package init() {}

    /// What stays all the same.
    var sparing: Sparing { Sparing(hidden: skipHidden, newest: keepNewest ?? 0) }

    /// All of them must hold.
    package var targets: [Target] {
        let optional: [Target?] = [
            free.map(Target.free), until, toLimit.map(Target.toLimit),
            olderThan.map { .olderThan($0, by: ageBy ?? .used) },
            expired ? .expired : nil, overLimit ? .overLimit : nil, inodes.map(Target.inodes),
            all ? .all : nil,
        ]
        return optional.compactMap { $0 }
    }

    package func validate() throws {
        guard ageBy == nil || olderThan != nil else {
            throw ValidationError("--age-by says what --older-than goes by: give an age too.")
        }
    }

    /// - Throws: a sentence if no target was given.
    func requireTarget() throws {
        guard targets.isEmpty else { return }
        throw ValidationError(
            """
            Say what is to be reached: --free SIZE, --until normal|SIZE|PERCENT, --to-limit SIZE, \
            --older-than AGE, --expired, --over-limit, --inodes N or --all.
            """)
    }
}

extension Values {
    /// `normal`, a size or a percentage.
    @Sendable static func availability(_ text: String) throws -> Target {
        if text.lowercased() == "normal" { return .normalLevel }
        if text.contains("%") {
            return .availableShare(basisPoints: try Percentage(parsing: text).basisPoints)
        }
        do {
            return .available(try ByteCount(parsing: text))
        } catch {
            throw InvalidValue("write normal, a size such as 20GB, or a percentage such as 10%.")
        }
    }

    @Sendable static func purgeableClass(_ text: String) throws -> PurgeableClass {
        guard let named = PurgeClass(name: text), let purgeable = PurgeableClass(named) else {
            throw InvalidValue("write temporary, cache or last-resort. Essential never goes.")
        }
        return purgeable
    }

    @Sendable static func ageBasis(_ text: String) throws -> AgeBasis {
        switch text {
        case "used": return .used
        case "modified": return .modified
        case "created": return .created
        default: throw InvalidValue("write used, modified or created.")
        }
    }
}
