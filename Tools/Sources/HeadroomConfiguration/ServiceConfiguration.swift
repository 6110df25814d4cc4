//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

/// What the service does, where, and whom it tells.
///
/// The properties have the values that hold where no file says otherwise.
public struct ServiceConfiguration: Hashable, Sendable {
    // mutation: r29a-1
    /// How much is done by itself; `observe`: nothing is deleted.
    public var mode = ServiceMode.observe
    /// What lies under a new declaration is left alone for so long; 24 hours.
    public var grace: Duration = .seconds(86_400)
    /// The declared areas, each root once; ``Area/origin`` names file and line.
    public var areas: [Area] = []
    /// Declared areas that can never be one, such as `/`: people are told, and nothing else comes of them.
    public var leftOut: [Area] = []
    /// How the pressure of single volumes is watched; ``PressureSettings/standard`` elsewhere.
    public var volumes: [VolumeConfiguration] = []
    /// How storage is kept within budget.
    public var policy = Policy.standard
    /// Programs that know how to measure and clean their own data; no two have one id.
    public var modules: [ModuleConfiguration] = []
    /// Whom to tell, and how.
    public var notifications = NotificationConfiguration()
    /// Where samples and events are kept.
    public var history = HistoryConfiguration()
    /// Where metrics, the dashboard and the HTTP API are served; empty: nowhere.
    public var listen: [ListenAddress] = []

    public init() {}
}

/// How the pressure of one volume is watched.
public struct VolumeConfiguration: Hashable, Sendable {
    /// A place on the volume, best the one where it is mounted. While nothing is mounted or lies there,
    /// the settings rest.
    public var path: FilePath
    public var settings: PressureSettings

    public init(path: FilePath, settings: PressureSettings) {
        self.path = path
        self.settings = settings
    }
}

/// A module that consists of commands.
public struct ModuleConfiguration: Hashable, Sendable {
    /// Who it is, for receipts: `com.example.mail`.
    public var id: String
    /// What people call it; the id if nothing else is said.
    public var name: String
    /// What it should stay under; nil: it has no quota, and is asked last.
    public var quota: ByteCount?
    /// Prints how many bytes the module uses. Run without a shell: program and arguments.
    public var usage: [String]
    /// Cleans. Run without a shell; the request is handed to it as JSON on standard input.
    public var clean: [String]
    /// How long each of the two may take; nil: as the policy says.
    public var timeLimit: Duration?
    /// Who wrote the file that declares it: the service runs its own user's commands and root's, as itself, and no others.
    public var owner: UInt32

    public init(
        id: String, name: String? = nil, quota: ByteCount? = nil, usage: [String],
        clean: [String], timeLimit: Duration? = nil, owner: UInt32 = User.effective
    ) {
        self.id = id
        self.name = name ?? id
        self.quota = quota
        self.usage = usage
        self.clean = clean
        self.timeLimit = timeLimit
        self.owner = owner
    }
}

/// Whom to tell what people should know, beside the log.
public struct NotificationConfiguration: Hashable, Sendable {
    /// A program and its arguments, run without a shell with a notice as JSON on standard input; nil: none.
    public var command: [String]?
    /// Who wrote the file that names it: the service runs its own user's and root's, as itself, and no others.
    public var commandOwner: UInt32 = User.effective
    /// An `http` or `https` address to which notices are posted as JSON; nil: none.
    public var webhook: String?
    /// Whether notices appear on the user's desktop, where there is one.
    public var desktop = true
    /// How long the command or the webhook may take; 10 seconds.
    public var timeLimit: Duration = .seconds(10)

    public init() {}

    /// An address without its secrets: chat services put them into the path, other services into the query,
    /// the fragment or the user's part.
    ///
    ///     https://hooks.example.com/…
    public static func withoutSecrets(_ address: String) -> String {
        let hidden = "…"
        guard let colon = address.firstRange(of: "://") else { return hidden }
        let scheme = address[..<colon.lowerBound]
        let rest = address[colon.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        // The host follows the last @.
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let isHidden = host.count < authority.count || authority.count < rest.count
        let hasOnlySlash = host.count == authority.count && rest.dropFirst(authority.count) == "/"
        guard isHidden, !hasOnlySlash else { return address }
        return "\(scheme)://\(host)/\(hidden)"
    }
}

/// Where the history lies.
public struct HistoryConfiguration: Hashable, Sendable {
    /// The file of the database; nil: `history.sqlite` beside the ledger.
    public var path: FilePath?
    /// How long samples and events are kept; 10 years, the longest.
    public var retention: Duration = HistoryConfiguration.longestRetention

    /// Older samples are not kept in any case.
    public static let longestRetention: Duration = .seconds(3_640 * 86_400)

    public init() {}
}
