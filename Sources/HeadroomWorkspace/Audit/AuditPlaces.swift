//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Where the roles of some layouts begin.
struct AuditPlaces: Sendable {
    struct Place: Hashable, Sendable {
        var role: AuditRole
        /// Left out of backups because of where it is; nil: as what is around it.
        var isLeftOut: Bool?
    }

    private(set) var places: [FilePath: Place] = [:]

    init(_ layouts: [Layout]) {
        for layout in layouts {
            switch layout.kind {
            case .appleContainer: addContainer(layout)
            case .appleGroup: addGroup(layout)
            case .xdg: addHome(layout)
            case .system, .custom, .catalogue, .systemCatalogue: break
            }
        }
    }

    private mutating func add(_ path: FilePath, _ role: AuditRole, leftOut: Bool? = nil) {
        places[path] = Place(role: role, isLeftOut: leftOut)
    }

    /// Documents and Library are backed up, but for Caches; nothing else of a container is.
    private mutating func addContainer(_ layout: Layout) {
        let root = layout.root
        addSystem(layout)
        add(root, .container, leftOut: true)
        add(root.appending("Documents"), .documents, leftOut: false)
        add(root.appending("Documents/Inbox"), .inbox)
        add(root.appending("tmp"), .temporary)
        addLibrary(root)
        for area in layout.areas where area.root.extension == "app" { add(area.root, .bundle) }
    }

    /// The root of a group's container is backed up.
    private mutating func addGroup(_ layout: Layout) {
        addSystem(layout)
        add(layout.root, .group, leftOut: false)
        addLibrary(layout.root)
    }

    private mutating func addLibrary(_ root: FilePath) {
        let library = root.appending("Library")
        add(library, .library, leftOut: false)
        add(library.appending("Application Support"), .applicationSupport)
        add(library.appending("Preferences"), .preferences)
        add(library.appending("Caches"), .caches, leftOut: true)
    }

    private mutating func addSystem(_ layout: Layout) {
        for place in layout.guardedPlaces where place.rule == .never { add(place.path, .system) }
    }

    /// Elsewhere all is backed up that nobody excluded.
    private mutating func addHome(_ layout: Layout) {
        for area in layout.areas {
            let role: AuditRole =
                switch area.origin {
                case _ where area.root == layout.root: .home
                case "XDG_CONFIG_HOME": .configuration
                case "XDG_DATA_HOME", "XDG_STATE_HOME": .data
                case let origin where origin.hasSuffix("_DIR") && area.purgeClass == .essential:
                    .userFiles
                default:
                    switch area.purgeClass {
                    case .temporary: .temporary
                    case .cache: .caches
                    case .lastResort, .essential: .data
                    }
                }
            add(area.root, role)
        }
    }

    /// Directories of `Library` that are the operating system's.
    static func isSystem(_ name: FileName) -> Bool {
        let text = name.text
        return text.hasPrefix("com.apple.") || systemNames.contains(text)
    }

    private static let systemNames: Set<String> = [
        "WebKit", "Cookies", "HTTPStorages", "SplashBoard", "Saved Application State",
        "SyncedPreferences", "StoreKit", "Keyboard", "Autosave Information", "CallServices",
        "Assistant", "Calendars", "AddressBook", "SafariShared", "UserNotifications", "Intents",
        "ConfigurationProfiles", "SoundScapes", "DuetExpertCenter", "Metadata", "FrontBoard",
        "PPTDevice", "FileProvider", "Mobile Documents", "CoreFollowUp", "IdentityServices",
        "CloudKit", "GeoServices", "PassKit", "Snapshots", "FamilyCircle",
    ]
}
