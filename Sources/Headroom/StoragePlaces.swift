//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Where the directories of one owner are.
struct StoragePlaces: Hashable, Sendable {
    /// The container, or the home.
    let root: FilePath
    let documents: FilePath
    let appData: FilePath
    let lastResort: FilePath
    let caches: FilePath
    let temporary: FilePath
    /// Whether ``temporary`` lies in a directory that others write to.
    let sharesTemporary: Bool
    /// Whether caches have to say that they need no backup. Those of a container are left out by their
    /// place, and nothing is to be found in them that the app has not put there.
    var tellsBackupsOfCaches: Bool { layout.kind == .xdg && hasOwnCaches }
    /// Whether nothing was found in ``caches`` that speaks against purging it.
    private var hasOwnCaches = true
    /// The areas, for scans and plans, and what in them is guarded.
    private(set) var layout: Layout
    /// The user directories of a home: Documents, Pictures and the like. An app may purge nothing in them.
    private(set) var personal: [Area] = []

    func directory(for content: ContentClass) -> FilePath {
        switch content {
        case .essential(.userContent): documents
        // mutation: r3a-1
        case .essential(.appData): appData
        case .lastResort: lastResort
        case .cache: caches
        case .temporary: temporary
        }
    }

    /// The name directly in the directory of a class that stands for something else there, and what that is:
    /// what is saved under it would be of another class than was said.
    func takenName(in content: ContentClass) -> (name: String, why: String)? {
        switch content {
        case .essential(.userContent):
            layout.kind == .appleContainer
                ? ("Inbox", "that is where what other apps hand over comes, to be read and deleted")
                : nil
        case .essential(.appData): ("LastResort", "that is the directory of the class lastResort")
        case .cache:
            layout.kind == .appleGroup
                ? ("Temporary", "that is the directory of the class temporary") : nil
        case .lastResort, .temporary: nil
        }
    }

    /// The places in the container of an Apple app or app group, on whatever machine it is.
    ///
    /// A group has no `tmp`: what is temporary goes to a directory among the owner's caches, where no
    /// backup looks.
    init(container layout: Layout, owner: Owner) {
        root = layout.root
        documents = root.appending("Documents")
        appData = root.appending("Library/Application Support").appending(owner.name)
        lastResort = appData.appending("LastResort")
        caches = root.appending("Library/Caches").appending(owner.name)
        let isGroup = layout.kind == .appleGroup
        temporary = isGroup ? caches.appending("Temporary") : root.appending("tmp")
        sharesTemporary = false
        self.layout = layout
        declareOwn(owner)
        if isGroup {
            self.layout.areas.append(
                Area(root: temporary, purgeClass: .temporary, origin: "\(owner.text), temporary"))
        }
    }

    /// The places in a home with the XDG base directories.
    ///
    /// Its areas are only what is the owner's own: the home and the caches of other programs are not
    /// an app's to spend, whatever marks are there.
    init(environment: [String: String], home: FilePath, owner: Owner) {
        // The content of other programs in the directories that these variables name does not matter here.
        let others = environment.filter { !["XDG_CACHE_HOME", "TMPDIR"].contains($0.key) }
        let xdg = Layout.xdg(environment: others, home: home)
        let bases = BaseDirectories(environment: environment, home: home.settled, layout: xdg)
        root = home
        documents =
            xdg.areas.first { $0.origin == "XDG_DOCUMENTS_DIR" }?.root
            ?? home.appending("Documents")
        appData = bases.data.appending(owner.name)
        lastResort = appData.appending("LastResort")
        caches = bases.cache.appending(owner.name)
        temporary = bases.temporary.appending("\(owner.text)-\(User.effective)")
        sharesTemporary = true
        let people = Set(xdg.guardedPlaces.filter(\.isPersonal).map(\.path))
        personal = xdg.areas.filter { $0.purgeClass == .essential && people.contains($0.root) }
        // The guarded places stay: they say what may never be declared.
        var own = xdg
        own.notes += bases.notes.filter { !own.notes.contains($0) }
        // Its files are planned one by one, although the directories around it may be purged whole.
        own.areas = [
            // mutation: r7b-1
            Area(root: appData, purgeClass: .essential, origin: owner.text),
            Area(root: temporary, purgeClass: .temporary, unit: .file, origin: owner.text),
        ]
        if let obstacle = bases.obstacle(to: caches) {
            own.notes.append(EnvironmentTrust.note(caches, named: "XDG_CACHE_HOME", obstacle))
            hasOwnCaches = false
        } else {
            own.areas.insert(
                Area(root: caches, purgeClass: .cache, unit: .file, origin: owner.text), at: 1)
        }
        layout = own
        declareOwn(owner)
    }

    /// The directories that nothing is purged outside of for this owner, whatever is registered or
    /// marked elsewhere.
    var own: [FilePath] {
        layout.kind == .xdg ? layout.areas.map(\.root) : [root]
    }

    /// Declares what has a class of its own inside of the others.
    private mutating func declareOwn(_ owner: Owner) {
        layout.areas.append(
            Area(root: lastResort, purgeClass: .lastResort, origin: "\(owner.text), last resort"))
        for base in [appData, caches] {
            layout.areas.append(
                Area(
                    root: base.appending(PartialDirectory.name), purgeClass: .temporary,
                    retention: PartialDirectory.retention,
                    origin: "\(owner.text), unfinished downloads"))
        }
    }
}

/// Who the directories belong to: one component of their paths.
struct Owner: Hashable, Sendable {
    let text: String
    let name: FilePath.Component

    init(_ text: String) throws(StorageError) {
        guard let name = FilePath.Component(text), name.kind == .regular, !text.hasPrefix("."),
            text.utf8.count <= 200, !text.utf8.contains(0)
        else {
            throw StorageError(
                .invalidOwner,
                "“\(text)” cannot be the owner of a directory: it has to be a name without “/” that "
                    + "does not begin with a dot. Use your app's name.")
        }
        self.text = text
        self.name = name
    }
}
