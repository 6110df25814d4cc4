//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

extension Layout {
    /// The layout of an Apple app container, recognised by its shape: `Documents`, `Library` and
    /// `tmp`, each a directory and not a link.
    ///
    /// Such a container can be inspected and cleaned on any machine, wherever it was copied to. A
    /// home of a user, or a directory around one, is never taken for a container, nor is one that
    /// looks like a home because it has a `Desktop` or a shell's files. Blocks.
    ///
    /// - Parameter path: an absolute path.
    /// - Returns: nil if the directory has not that shape, or may not be read.
    public static func appleContainer(at path: FilePath) -> Layout? {
        appleContainer(at: path, homes: Homes.ofThisMachine)
    }

    package static func appleContainer(at path: FilePath, homes: Homes) -> Layout? {
        let container = ContainerDirectory(path)
        guard ["Documents", "Library", "tmp"].allSatisfy(container.hasDirectory),
            // mutation: r1d-1
            !container.looksLikeHome, !homes.concern(path)
        else { return nil }
        var builder = AppleBuilder(path, container, "the container's")
        builder.add(
            [
                ("", .essential, .essential, "container"),
                ("Documents", .essential, .essential, "Documents"),
                (AppleBuilder.inbox, .essential, .never, AppleBuilder.inbox),
                ("tmp", .temporary, .itself, "tmp"),
            ])
        builder.addLibrary()
        // com.apple.dyld holds launch closures, live ones among them; the rest is the system's too.
        // mutation: r2c-1
        builder.addChildren(of: "tmp") { $0.hasPrefix("com.apple.") }
        // The bundle lies beside the data in simulators and in backups of old systems.
        builder.addChildren(of: nil) { $0.hasSuffix(".app") }
        return Layout(
            kind: .appleContainer, root: path, areas: builder.areas,
            guardedPlaces: builder.guarded, notes: builder.notes)
    }

    /// The layout of an app-group container: its root is backed up and essential, its
    /// `Library/Caches` is cache.
    ///
    /// Recognised by `Library` beside the container's metadata
    /// (`.com.apple.mobile_container_manager.metadata.plist`). Blocks.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - explicitly: a person says that it is one: the metadata need not be there.
    /// - Returns: nil if it is none, or is an app container or a home.
    public static func appleGroup(at path: FilePath, explicitly: Bool = false) -> Layout? {
        appleGroup(at: path, explicitly: explicitly, homes: Homes.ofThisMachine)
    }

    private static func appleGroup(
        at path: FilePath, explicitly: Bool = false, homes: Homes
    ) -> Layout? {
        let container = ContainerDirectory(path)
        guard container.hasDirectory("Library"),
            explicitly || container.hasFile(metadataName),
            !container.looksLikeHome, !homes.concern(path),
            appleContainer(at: path, homes: homes) == nil
        else { return nil }
        var builder = AppleBuilder(path, container, "the group container's")
        builder.add([("", .essential, .essential, "group container")])
        builder.addLibrary(isOfSystem: isOfSystem(path))
        return Layout(
            kind: .appleGroup, root: path, areas: builder.areas, guardedPlaces: builder.guarded,
            notes: builder.notes)
    }

    private static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

    /// A group of the system's own programs, by its name or by what the metadata say of it: nothing in
    /// it is an app's to purge.
    private static func isOfSystem(_ path: FilePath) -> Bool {
        let prefix = Array("systemgroup.".utf8)
        if path.names.last?.bytes.starts(with: prefix) == true { return true }
        // A property list, binary or not, keeps an identifier of ASCII as it is.
        guard let content = try? SmallFile.read(path.appending(metadataName), limit: 1 << 20) else {
            return false
        }
        return content.indices.contains { content[$0...].starts(with: prefix) }
    }

    /// The container that a path is, or lies in; the innermost if there are several. Blocks.
    ///
    /// - Parameters:
    ///   - path: an absolute path without links, `.` and `..`.
    ///   - homes: directories that are known to be homes, beside those of the local accounts: neither
    ///     they nor what is around them are containers.
    public static func appleContainer(
        around path: FilePath, besides homes: [FilePath] = []
    ) -> Layout? {
        appleContainer(around: path, besides: homes, of: Homes.ofThisMachine)
    }

    /// - Parameter machine: the homes of the local accounts, which whoever asks about many paths reads
    ///   once.
    package static func appleContainer(
        around path: FilePath, besides homes: [FilePath] = [], of machine: Homes
    ) -> Layout? {
        let others = homes.isEmpty ? nil : Homes(homes)
        var current = path
        while current.depth > 0 {
            // mutation: r1d-2
            if others?.concern(current) == true { return nil }
            if let layout = appleContainer(at: current, homes: machine)
                ?? appleGroup(at: current, homes: machine)
            {
                return layout
            }
            current.removeLastComponent()
        }
        return nil
    }
}

/// Which directories are homes, or contain one; by identity, so that another name does not help.
package struct Homes: Sendable {
    private let identities: Set<FileIdentity>
    /// Whether there is one of which nobody knows what it is: then that cannot be told of any directory.
    private let hasUnknown: Bool

    /// The homes of the local accounts and of the effective user. Blocks, for one that does not answer no
    /// longer than a limit.
    package static var ofThisMachine: Homes {
        let people = UserAccount.local().filter(\.isPerson)
        return Homes((people + [UserAccount.current()].compactMap { $0 }).map(\.home))
    }

    package init(_ homes: [FilePath], answers: AreaAnswers = .shared) {
        var identities: Set<FileIdentity> = []
        // With the mounts, since what is found out here is remembered for all who ask.
        let mounts = (try? MountTable.current()) ?? MountTable([])
        var hasUnknown = false
        for answer in answers.places(at: homes, mounts).values {
            if answer == .silent { hasUnknown = true }
            // A home that is not there, or not to be seen, is no directory that could be asked about.
            guard let place = answer.place else { continue }
            identities.insert(place.identity)
            identities.formUnion(place.ancestors)
        }
        self.identities = identities
        self.hasUnknown = hasUnknown
    }

    /// Whether a directory is a home or contains one; also if that cannot be found out.
    package func concern(_ path: FilePath) -> Bool {
        guard !hasUnknown, let directory = try? ResolvedDirectory(path) else { return true }
        return identities.contains(directory.status.identity)
    }
}

/// Collects the roles of a container.
private struct AppleBuilder {
    /// Where the system puts what other apps hand over.
    static let inbox = "Documents/Inbox"

    private let root: FilePath
    private let container: ContainerDirectory
    private let whose: String
    private(set) var areas: [Area] = []
    private(set) var guarded: [GuardedPlace] = []
    private(set) var notes: [Reason] = []

    init(_ root: FilePath, _ container: ContainerDirectory, _ whose: String) {
        self.root = root
        self.container = container
        self.whose = whose
    }

    mutating func add(
        _ roles: [(path: String, purgeClass: PurgeClass, rule: GuardedPlace.Rule, name: String)]
    ) {
        for role in roles {
            // FilePath reads the relative path component by component.
            let path = role.path.isEmpty ? root : root.appending(role.path)
            areas.append(Area(root: path, purgeClass: role.purgeClass, origin: role.name))
            let name =
                role.path.isEmpty
                ? "the \(role.name) \(path.displayText)"
                : "\(whose) \(role.name) (\(path.displayText))"
            guarded.append(
                GuardedPlace(
                    path, role.rule, name, isInbox: role.path == AppleBuilder.inbox))
        }
    }

    mutating func addLibrary(isOfSystem: Bool = false) {
        add(
            [
                ("Library", .essential, .essential, "Library"),
                ("Library/Application Support", .essential, .essential, "Application Support"),
                // mutation: r2a-1
                ("Library/Preferences", .essential, .never, "Preferences"),
                (
                    "Library/Caches", isOfSystem ? .essential : .cache,
                    isOfSystem ? .never : .itself, "Library/Caches"
                ),
                ("Library/Caches/Snapshots", .essential, .never, "app snapshots"),
                // What is removed there is removed from the cloud.
                // mutation: r14h-1 (2 lines)
                ("Library/Mobile Documents", .essential, .never, "iCloud documents"),
                ("Library/CloudStorage", .essential, .never, "cloud storage"),
            ])
        addChildren(of: "Library/Caches") { $0.hasPrefix("com.apple.") }
    }

    /// The children that are the system's own: essential, and never declared.
    mutating func addChildren(of parent: String?, where condition: (String) -> Bool) {
        do {
            let names = try container.names(in: parent) { condition($0.text) }
            for name in names {
                let path = (parent.map { root.appending($0) } ?? root).appending(name)
                let label = "\(parent.map { "\($0)/" } ?? "")\(name.text)"
                areas.append(Area(root: path, purgeClass: .essential, origin: label))
                guarded.append(
                    GuardedPlace(path, .never, "the system's \(label) (\(path.displayText))"))
            }
        } catch .noSuchFileOrDirectory {
        } catch {
            // What cannot be listed may hold what must stay: nothing in it is an area then.
            let path = parent.map { root.appending($0) } ?? root
            for index in areas.indices where areas[index].root == path {
                areas[index].purgeClass = .essential
            }
            notes.append(
                Reason(
                    .layout,
                    "\(path.displayText) cannot be listed (\(error)), and is treated as essential.")
            )
        }
    }
}
