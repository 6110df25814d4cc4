//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
public import SystemPackage

/// What is wrong with a configuration, where, and what to do about it.
public struct ConfigurationProblem: Error, Hashable, Sendable {
    public var severity: Severity
    public var file: FilePath
    /// Counted from 1; nil: it is about the file as a whole.
    public var line: Int?
    /// As in ``ConfigurationLocation/key``; nil: it is about the file, or no key could be made out.
    public var key: String?
    /// A clause without a full stop: what is wrong.
    public var what: String
    /// Whole sentences: what to do.
    public var advice: String
    /// Only the area that it is about is left out; all else holds.
    public var isConfined: Bool

    public enum Severity: UInt8, Hashable, Sendable {
        /// Worth knowing; the configuration holds.
        case note
        /// Something is left out as the machine is now.
        case warning
        /// Something is wrong, whatever the machine is like; unless it is confined, nothing of what was
        /// read holds.
        case error
    }

    /// Whether nothing of what was read holds.
    public var stopsAll: Bool { severity == .error && !isConfined }

    public init(
        _ severity: Severity = .error, file: FilePath, line: Int? = nil, key: String? = nil,
        what: String, advice: String, isConfined: Bool = false
    ) {
        self.isConfined = isConfined
        self.severity = severity
        self.file = file
        self.line = line
        self.key = key
        self.what = what
        self.advice = advice
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// `/etc/headroom/headroom.yaml:7: areas[0].limit: “5 apples” is not a size. Write …`, the form that
    /// editors jump to.
    public var description: String {
        var text = file.displayText + ":"
        if let line { text += "\(line):" }
        if let key, !key.isEmpty { text += " \(key):" }
        return "\(text) \(what). \(advice)"
    }
}

/// All that is wrong with a configuration that was therefore not taken.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the order of the files and lines; at least one is an error, others may be notes.
    public var problems: [ConfigurationProblem]

    public init(_ problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// A line for each.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
