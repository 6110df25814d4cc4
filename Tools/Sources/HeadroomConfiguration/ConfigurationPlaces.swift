//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a configuration is read from, on whose behalf, and what `~` and variables in it mean.
public struct ConfigurationPlaces: Hashable, Sendable {
    /// The directory with `headroom.yaml` and `conf.d`.
    public var directory: FilePath
    public var home: FilePath
    /// The XDG variables that are set.
    public var environment: [String: String]
    /// Who reads: root reads nothing that another could have written.
    public var userID: UInt32
    public var groupID: UInt32

    /// The directory of the machine's configuration.
    public static let systemDirectory: FilePath = "/etc/headroom"

    /// - Parameter directory: nil: `/etc/headroom` for root, else `headroom` in `XDG_CONFIG_HOME`.
    public init(
        directory: FilePath? = nil, home: FilePath, environment: [String: String],
        userID: UInt32 = User.effective, groupID: UInt32? = nil
    ) {
        self.home = home
        self.environment = environment
        self.userID = userID
        self.groupID = groupID ?? UInt32(getegid())
        self.directory = Self.systemDirectory
        if let directory {
            self.directory = directory
        } else if userID != 0 {
            self.directory = (variable("XDG_CONFIG_HOME") ?? home.appending(".config"))
                .appending("headroom")
        }
    }

    /// Whether it is the machine's, and not one user's.
    public var isSystem: Bool { userID == 0 }

    public var mainFile: FilePath { directory.appending("headroom.yaml") }
    public var dropInDirectory: FilePath { directory.appending("conf.d") }

    /// What an XDG variable stands for, or the place that holds where it is not set.
    ///
    /// - Returns: nil for variables that are not honoured, and for those that are not set and have no
    ///   such place.
    func variable(_ name: String) -> FilePath? {
        // The specification says that what is not absolute is to be ignored.
        if Self.variables.contains(name), let text = environment[name], text.hasPrefix("/") {
            return FilePath(text)
        }
        return switch name {
        case "XDG_CACHE_HOME": home.appending(".cache")
        case "XDG_CONFIG_HOME": home.appending(".config")
        case "XDG_DATA_HOME": home.appending(".local/share")
        case "XDG_STATE_HOME": home.appending(".local/state")
        default: nil
        }
    }

    /// The variables that paths may begin with.
    static let variables = [
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
    ]

    /// Reads a path: absolute, or beginning with `~/` or one of the XDG variables.
    ///
    /// - Throws: ``ConfigurationValueError`` if it is none of these, or has `.` or `..` in it.
    func path(_ text: String) throws(ConfigurationValueError) -> FilePath {
        guard !text.isEmpty else {
            throw .init("the path is empty", "Write the directory's path from / on.")
        }
        var path: FilePath
        var rest = text[...]
        if rest.first == "~" {
            rest = rest.dropFirst()
            guard rest.isEmpty || rest.first == "/" else {
                throw .init(
                    "“\(text)” begins with the name of a user",
                    "Only ~/ for the own home is read. Write the path from / on.")
            }
            path = home
        } else if rest.first == "$" {
            rest = rest.dropFirst()
            let isBraced = rest.first == "{"
            if isBraced { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            rest = rest.dropFirst(name.count)
            if isBraced, rest.first == "}" { rest = rest.dropFirst() }
            guard let place = variable(String(name)) else {
                let isKnown = Self.variables.contains(String(name))
                throw .init(
                    isKnown
                        ? "$\(name) is not set"
                        : "$\(name) is not one of the variables that are read",
                    isKnown
                        ? "Set it for the service, or write the path from / on."
                        : "Use \(Self.variables.joined(separator: ", ")), or write the path "
                            + "from / on.")
            }
            guard rest.isEmpty || rest.first == "/" else {
                throw .init(
                    "“\(text)” goes on behind $\(name) without a /", "Write $\(name)/… instead.")
            }
            path = place
        } else {
            path = "/"
            guard rest.first == "/" else {
                throw .init(
                    "“\(text)” is not an absolute path",
                    "Write it from / on, or beginning with ~/ or $XDG_CACHE_HOME/.")
            }
        }
        if rest.contains("$") {
            throw .init(
                "“\(text)” has a variable inside", "A variable is read only at the beginning.")
        }
        for component in FilePath(String(rest)).components {
            guard component.kind == .regular else {
                throw .init("“\(text)” has “\(component)” in it", "Write the path without it.")
            }
            path.append(component)
        }
        return path
    }
}

/// Why the text of a value is not taken.
struct ConfigurationValueError: Error, Hashable {
    /// A clause without a full stop.
    var what: String
    /// Whole sentences.
    var advice: String

    init(_ what: String, _ advice: String) {
        self.what = what
        self.advice = advice
    }

    /// - Parameter error: “x” is not a size: write …
    init(_ error: InvalidValue) {
        guard let colon = error.message.firstRange(of: ": ") else {
            what = error.message
            advice = "Write another value."
            return
        }
        what = String(error.message[..<colon.lowerBound])
        let rest = error.message[colon.upperBound...]
        advice = rest.prefix(1).uppercased() + rest.dropFirst()
    }
}
