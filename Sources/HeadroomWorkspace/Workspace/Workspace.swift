//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
public import HeadroomCore
import HeadroomInventory
public import HeadroomPlanning
public import HeadroomPlatform
package import HeadroomPurging
public import SystemPackage

/// One user's storage: layouts, ledger and marks together, from which scopes are made.
///
///     let workspace = try Workspace.open(environment: environment, home: home, clock: clock)
///     let scope = try workspace.scope()
///     let inventory = try scope.scan()
///     let plan = try scope.plan(inventory, targets: [.free(.gigabytes(5))])
///     let receipt = try scope.purge(plan, requester: "me")
public final class Workspace: Sendable {
    public let ledger: Ledger
    /// The layouts of the user; of a named path that lies in an app container, its layout is added.
    public let layouts: [Layout]
    /// Purges that were cut off and were found when the ledger was opened; opened for writing, each is
    /// found once, and is among the ledger's receipts from then on.
    public let interrupted: [Receipt]
    /// What is known of other programs' caches; empty: nobody asked for it.
    public let catalogue: Catalogue
    /// The caches of the catalog that existed when the workspace was opened.
    let caches: [CatalogueCache]
    /// Files that the catalog protects in any directory.
    let protectedFiles: [FilePath]
    /// Looks for repositories in the home; nil without a home.
    let borrowers: BorrowerSearch?
    /// Whether the machine's own caches are part of its work without being named.
    let includesSystem: Bool
    /// Sets, reads and clears marks.
    public let marks: MarkStore
    public let clock: @Sendable () -> Timestamp
    /// How long items have to be unused before plans take them.
    public let minIdle: MinIdle
    let calls: any FileSystemCalls
    /// Whether they are not the platform's own, so that scans and purges have to be told.
    let hasOwnCalls: Bool
    /// Asks for what is declared.
    let answers: AreaAnswers
    /// Registrations elsewhere are somebody else's; nil: all are of this work.
    let limits: [FilePath]?
    /// Areas that a configuration declares, beside those that are registered.
    let declared: [Area]
    /// Shown what policies see of areas.
    package let showLook: (@Sendable (PolicyLook) -> Void)?
    /// What the clocks show.
    let sampleClocks: @Sendable () -> ClockSample
    let user: UInt32
    /// Where the user's trash is.
    let trashPlaces: TrashPlaces
    /// Whether what a person has thrown away is this work's to empty.
    let includesTrash: Bool

    /// Opens the ledger and finds the user's layout. Blocks.
    ///
    /// Never fails: what is wrong with the ledger is in ``notices``.
    ///
    /// - Parameters:
    ///   - forWriting: false creates, writes and recovers nothing.
    ///   - environment: the process's, for the XDG variables and `TMPDIR`.
    ///   - home: the user's home directory, absolute.
    ///   - catalogue: the well-known caches of other programs that are areas, too; those of the machine
    ///     for root in its own home. The environment has the catalogue's variables then.
    ///   - ledgerDirectory: nil for the user's own.
    ///   - minIdle: how long items have to be unused before plans take them.
    public static func open(
        forWriting: Bool = true, environment: [String: String], home: FilePath,
        catalogue: Catalogue = Catalogue(), ledgerDirectory: FilePath? = nil,
        minIdle: MinIdle = .standard, clock: @escaping @Sendable () -> Timestamp
    ) -> Workspace {
        let directory =
            ledgerDirectory ?? Ledger.defaultDirectory
            ?? home.appending(".local/state/headroom")
        let ledger = Ledger.open(directory: directory, readOnly: !forWriting, now: clock)
        return Workspace(
            ledger: ledger, layouts: [Layout.xdg(environment: environment, home: home)],
            interrupted: forWriting
                ? ledger.recoverInterrupted() : ledger.findInterrupted(), catalogue: catalogue,
            found: catalogue.survey(
                in: CatalogueEnvironment(variables: environment, home: home)),
            trash: TrashPlaces(environment: environment, home: home), includesTrash: true,
            minIdle: minIdle, clock: clock)
    }

    /// - Parameters:
    ///   - layouts: the places that the work is about; nothing outside their areas is purged.
    ///   - limits: of what the ledger has registered, only what lies in these directories is taken
    ///     in; nil: all of it. Other programs of the user share the ledger.
    ///   - interrupted: what was found of purges that were cut off.
    ///   - found: the caches of the catalog that exist.
    ///   - trash: where the user's trash is.
    ///   - includesTrash: trash is among what may be purged.
    ///   - minIdle: how long items have to be unused before plans take them.
    ///   - sampleClocks: nil: what `clock` says, and the time since the system has started.
    ///   - calls: the system calls of scans and purges; nil: the platform's. Tests put others.
    ///   - answers: asks for what is declared, with a limit of time. Tests put others.
    package init(
        ledger: Ledger, layouts: [Layout], limits: [FilePath]? = nil, interrupted: [Receipt],
        catalogue: Catalogue = Catalogue(), found: CatalogueSurvey = CatalogueSurvey(),
        trash: TrashPlaces? = nil,
        includesTrash: Bool = false, minIdle: MinIdle = .none,
        clock: @escaping @Sendable () -> Timestamp,
        sampleClocks: (@Sendable () -> ClockSample)? = nil,
        calls: (any FileSystemCalls)? = nil,
        answers: AreaAnswers = .shared
    ) {
        self.sampleClocks = sampleClocks ?? { ClockSample(wall: clock()) }
        self.ledger = ledger
        self.catalogue = catalogue
        caches = found.caches
        protectedFiles = found.protectedFiles + found.caches.flatMap(\.protectedFiles)
        // Root in another's home works for that home alone.
        let home = layouts.first { $0.kind == .xdg }?.root
        includesSystem = User.isRoot && home != nil && UserAccount.current()?.home == home
        borrowers = home.map { BorrowerSearch(home: $0) }
        var layouts = layouts
        if !caches.isEmpty || !found.notes.isEmpty {
            layouts.append(Layout.catalogue(caches, .user, notes: found.notes))
            if includesSystem { layouts.append(Layout.catalogue(caches, .system)) }
        }
        self.layouts = layouts
        self.limits = limits
        declared = []
        showLook = nil
        self.interrupted = interrupted
        self.clock = clock
        self.minIdle = minIdle
        hasOwnCalls = calls != nil
        self.answers = answers
        let native = NativeCalls.make()
        self.calls = calls ?? native
        marks = MarkStore(calls: native, ledger: ledger)
        user = User.effective
        // Nobody said whose: then it is that of the home or container alone.
        trashPlaces =
            trash
            ?? TrashPlaces(environment: [:], home: layouts.first?.root ?? ledger.directory)
        self.includesTrash = includesTrash
    }

    var markSource: LedgerMarkSource {
        LedgerMarkSource(calls: calls, recorded: ledger.markedFiles)
    }

    /// The same for what lies in some directories, where pins hold by their places too: programs that save by a rename
    /// leave another file there. Blocks; looks at each file in them that is pinned.
    func markSource(in places: [FilePath]) -> LedgerMarkSource {
        let recorded = ledger.markedFiles
        let standing = recorded.filter { file in
            file.mark.isPinned == true && places.contains { file.path.lies(in: $0) }
        }.compactMap(marks.standing)
        // mutation: r9b-1
        return LedgerMarkSource(calls: calls, recorded: recorded + standing)
    }

    /// The same with more layouts; what was cut off has been found before.
    func adding(_ layouts: [Layout]) -> Workspace {
        Workspace(self, adding: layouts, declared: declared, showLook: showLook)
    }

    /// The same, whose plans take items that have been unused for other times.
    public func with(minIdle: MinIdle) -> Workspace {
        Workspace(self, adding: [], declared: declared, showLook: showLook, minIdle: minIdle)
    }

    /// The same with areas that a configuration declares: they count as what is registered does, and are
    /// checked as that is each time that they are used. What was cut off has been found before.
    public func declaring(_ areas: [Area]) -> Workspace {
        Workspace(self, adding: [], declared: areas, showLook: showLook)
    }

    /// The same, of which somebody is shown what policies see of areas when they look at them.
    ///
    /// - Parameter body: called by the thread that works, after the work: it delays what comes next.
    public func showingLooks(
        to body: @escaping @Sendable (PolicyLook) -> Void
    ) -> Workspace {
        Workspace(self, adding: [], declared: declared, showLook: body)
    }

    /// The same with other clocks, for tests whose time passes faster.
    package func sampling(_ clocks: @escaping @Sendable () -> ClockSample) -> Workspace {
        Workspace(
            self, adding: [], declared: declared, showLook: showLook, sampleClocks: clocks)
    }

    private init(
        _ other: Workspace, adding layouts: [Layout], declared: [Area],
        showLook: (@Sendable (PolicyLook) -> Void)?, minIdle: MinIdle? = nil,
        sampleClocks: (@Sendable () -> ClockSample)? = nil
    ) {
        self.declared = declared
        self.showLook = showLook
        self.minIdle = minIdle ?? other.minIdle
        ledger = other.ledger
        self.layouts = other.layouts + layouts
        interrupted = []
        catalogue = other.catalogue
        caches = other.caches
        protectedFiles = other.protectedFiles
        borrowers = other.borrowers
        includesSystem = other.includesSystem
        marks = other.marks
        clock = other.clock
        calls = other.calls
        hasOwnCalls = other.hasOwnCalls
        answers = other.answers
        limits = other.limits
        self.sampleClocks = sampleClocks ?? other.sampleClocks
        user = other.user
        trashPlaces = other.trashPlaces
        includesTrash = other.includesTrash
    }

    /// What people should know: a damaged ledger, a variable that was not honoured.
    public var notices: [String] {
        ledger.notices + catalogue.notes.map(\.text) + layouts.flatMap { $0.notes.map(\.text) }
    }

    /// What programs that share the ledger have reserved.
    package var reservations: ReservationTable { ReservationTable(directory: ledger.directory) }

    // MARK: - Scopes

    /// Everything of this user that may be purged: the layout's areas, the registered ones, and what
    /// is marked elsewhere.
    ///
    /// An area that cannot be used is left out, with a note; one that does not exist, without.
    public func scope() -> Scope {
        let known = knownAreas()
        let marked = markedPlaces(outside: known.map)
        let paths = known.map.scanRoots().map(\.path) + marked.paths
        return makeScope(
            known.map.areas, outermost(paths), known.inherited, known.notes + marked.notes)
    }

    /// A directory with everything below it, under the areas that hold there: to be looked at as a whole,
    /// what may never go included.
    public func scope(showing directory: FilePath) -> Scope {
        let known = knownAreas()
        return makeScope(known.map.areas, [directory], known.inherited, known.notes)
    }

    /// The named directories, as what they are declared, or as `purgeClass` for this run.
    ///
    /// - Throws: `refused`, `invalid`, `notFound`, `notPermitted` for what may not be purged, with
    ///   what to do (safety invariant S11).
    public func scope(
        paths: [FilePath], as purgeClass: PurgeClass?, unit: PurgeUnit = .file
    ) throws(HeadroomError) -> Scope {
        guard !paths.isEmpty else { return scope() }
        var inherited: [FilePath: Mark] = [:]
        var areas: [Area] = []
        var notes: [Reason] = []
        var roots: [FilePath] = []
        for path in paths {
            let layouts =
                try layouts + containers(around: path, isGroup: false) + systemCaches(named: path)
            let validation = AreaValidation(
                layouts: layouts, marks: marks, userID: user, system: .system(), answers: answers)
            if let purgeClass {
                let named = Layout.adHoc(path, purgeClass, unit: unit)
                for area in named.areas {
                    let valid = try validation.validate(area)
                    areas.append(valid.area)
                    inherited[valid.area.root] = valid.mark
                    roots.append(valid.area.root)
                }
                // What is declared below keeps its own class.
                let known = scope().areas
                let essential = known.filter { $0.purgeClass == .essential }
                let elsewhere = validation.elsewhere(areas + essential)
                // mutation: s11i-5
                for area in essential + elsewhere.areas where roots.contains(area.root) {
                    throw AreaValidation.refused(
                        Area(root: area.root, purgeClass: purgeClass, origin: "--as"),
                        "it is or holds what is declared as essential (\(area.origin))",
                        "Take that declaration back first.")
                }
                areas += (known + elsewhere.areas).filter { area in
                    roots.contains { area.root.lies(in: $0) && area.root != $0 }
                }
            } else {
                let known = scope()
                // As those of the user's own layouts: what cannot be used is left out (S11).
                let containers = layouts.dropFirst(self.layouts.count).map(validation.usable)
                notes += containers.flatMap(\.notes)
                let map = AreaMap(known.areas + containers.flatMap(\.areas))
                let root = try declaredRoot(path, map)
                areas += map.areas
                notes += known.notes
                roots.append(root)
            }
        }
        let map = AreaMap(areas)
        return makeScope(map.areas, outermost(roots), inherited, notes)
    }

    /// A path that lies in something that may be purged.
    private func declaredRoot(_ path: FilePath, _ map: AreaMap) throws(HeadroomError) -> FilePath {
        let directory = try resolve(path)
        let mark = try effectiveMark(of: directory)
        guard let index = map.areaIndex(for: directory) else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is not declared as anything. "
                    + "Say what it is for: --as temporary, --as cache or --as last-resort.")
        }
        let area = map.areas[index]
        if area.unit == .entry, area.root != directory {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is part of \(area.root.displayText), whose entries go whole. "
                    + "Name \(area.root.displayText).")
        }
        let hasInner = map.areas(below: index).contains { inner in
            map.areas[inner].purgeClass != .essential
                && map.areas[inner].root.lies(in: directory)
        }
        let isMarked =
            mark.purgeClass != nil
            || ledger.markedFiles.contains {
                $0.path.lies(in: directory) && $0.mark.purgeClass != nil
                    && allowsClassMark(on: $0.path)
            }
        guard area.purgeClass != .essential || hasInner || isMarked else {
            throw HeadroomError(
                .refused,
                "\(path.displayText) is essential (\(area.origin)): nothing in it may go. "
                    + "Mark what in it can be made again: headroom mark PATH --purgeable, or "
                    + "--last-resort.")
        }
        return directory
    }

    package func resolve(_ path: FilePath) throws(HeadroomError) -> FilePath {
        guard !path.isEmpty else {
            throw HeadroomError(.invalid, "The path is empty. Name a directory.")
        }
        do {
            return try ResolvedDirectory(path).path
        } catch .notDirectory {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is not a directory. Name the directory that it lies in.")
        } catch {
            throw HeadroomError("open", path, error)
        }
    }

    /// Directories outside the areas in which something is marked as purgeable.
    private func markedPlaces(outside map: AreaMap) -> (paths: [FilePath], notes: [Reason]) {
        let marked = ledger.markedFiles.filter { $0.mark.purgeClass != nil }
        let found = answers.ask(marked, at: { $0.path }) {
            [self] (marked) throws(HeadroomError) -> FilePath? in
            guard allowsClassMark(on: marked.path) else { return nil }
            let place = marked.isDirectory ? marked.path : marked.path.removingLastComponent()
            guard map.areaIndex(for: place).map({ map.areas[$0].purgeClass }) == .essential else {
                return nil
            }
            // What is not there any more is no place to look at.
            guard let directory = try? ResolvedDirectory(place) else { return nil }
            return directory.path
        }
        var paths: [FilePath] = []
        var notes: [Reason] = []
        for answer in found {
            switch answer {
            case .success(let path): if let path { paths.append(path) }
            case .failure(let error): notes.append(error.areaNote)
            }
        }
        return (paths, notes)
    }

    /// Leaves out what lies in another one.
    func outermost(_ paths: [FilePath]) -> [FilePath] {
        var kept: [FilePath] = []
        for path in Set(paths).sorted(by: { $0.depth < $1.depth })
        where !kept.contains(where: { path.lies(in: $0) }) {
            kept.append(path)
        }
        return kept.sorted { $0.displayText < $1.displayText }
    }

    func makeScope(
        _ areas: [Area], _ paths: [FilePath], _ inherited: [FilePath: Mark], _ notes: [Reason]
    ) -> Scope {
        Scope(workspace: self, areas: areas, paths: paths, inherited: inherited, notes: notes)
    }
}
