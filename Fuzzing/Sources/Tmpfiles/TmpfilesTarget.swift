//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Up to three files of `tmpfiles.d`, parted by NUL, for a system of its own: no rule leads out of that.
struct TmpfilesTarget: FuzzTarget {
    static let name = "tmpfiles"
    /// Lines are compared with each other: more of them take long, and say nothing new.
    private static let longest = 8_192
    private static let files = 3

    private let scratch: Scratch
    private let root: FilePath
    private let context: TmpfilesContext

    init() throws {
        scratch = try Scratch(Self.name)
        for directory in ["root", "root/var", "root/var/a", "root/var/b.c", "root/tmp"] {
            scratch.makeDirectory(directory)
        }
        root = scratch.path.appending("root")
        context = TmpfilesContext(
            directories: [scratch.path],
            specifiers: ["h": "/root", "u": "someone", "C": "/var", "T": "/tmp"], root: root)
    }

    func run(_ bytes: [UInt8]) {
        let parts = bytes.prefix(Self.longest).split(
            separator: 0, maxSplits: Self.files - 1, omittingEmptySubsequences: false)
        do {
            for index in 0..<Self.files {
                let content = index < parts.count ? Array(parts[index]) : []
                try scratch.write(content, to: "\(index).conf")
            }
        } catch {
            require(false, "the scratch directory: \(error)")
        }
        check(TmpfilesRules(context))
    }

    private func check(_ rules: TmpfilesRules) {
        for rule in rules.rules {
            let path = rule.area.root
            require(path.lies(in: root), "\(path) is elsewhere")
            require(
                !path.components.contains { $0.kind == .parentDirectory },
                "\(path) leads upwards")
            require(rule.area.purgeClass == .temporary, "\(path) is \(rule.area.purgeClass)")
            require(
                rule.area.retention.map { $0 >= .zero } == true, "\(path) has no age")
            check(rule.source)
        }
        require(
            Set(rules.rules.map(\.area.root)).count == rules.rules.count,
            "two rules are for one directory")
        for exclusion in rules.exclusions {
            require(!exclusion.pattern.isEmpty, "nothing is kept by \(exclusion.source)")
            check(exclusion.source)
        }
        for finding in rules.findings {
            require(
                finding.text.hasPrefix(finding.source.description),
                "a finding does not say where: \(finding.text)")
            check(finding.source)
        }
    }

    private func check(_ source: TmpfilesLine.Source) {
        require(
            (1...Self.longest + 1).contains(source.line), "there is no line \(source.line)")
    }
}
