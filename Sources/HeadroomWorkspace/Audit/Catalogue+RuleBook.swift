//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog

extension Catalogue {
    /// The rules by which an audit knows the caches of the catalogue that lie outside of the directories
    /// for caches: those may be left out of backups.
    ///
    /// A cache that only its tool may empty makes none: containers and what was built here are among them.
    public var ruleBook: RuleBook {
        var rules: [RecreatableRule] = []
        for entry in entries where entry.isPurgeable && entry.scope == .user {
            for place in entry.places {
                guard let pattern = place.homePattern,
                    let rule = RecreatableRule(
                        topic: entry.id, scope: .home, pattern: pattern, description: entry.summary),
                    !rules.contains(rule)
                else { continue }
                rules.append(rule)
            }
        }
        return RuleBook(rules)
    }
}

extension CataloguePlace {
    /// The place as a pattern of directories in a home, without patterns at its end; nil if it lies
    /// elsewhere, or among the caches.
    fileprivate var homePattern: String? {
        let start: String
        switch base {
        case .home: start = ""
        case .variable("XDG_CONFIG_HOME"): start = ".config/"
        case .variable("XDG_DATA_HOME"): start = ".local/share/"
        case .root, .variable: return nil
        }
        var parts = text.split(separator: "/").dropFirst()
        while let last = parts.last, last.contains(where: "*?[".contains) { parts.removeLast() }
        // Rules know the asterisk alone.
        guard !parts.isEmpty, !parts.contains(where: { $0.contains(where: "?[\\".contains) }) else {
            return nil
        }
        return start + parts.joined(separator: "/") + "/"
    }
}
