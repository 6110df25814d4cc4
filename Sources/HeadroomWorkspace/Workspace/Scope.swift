//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
import SystemPackage

/// Directories to scan, plan and purge, with the areas that hold in them.
public struct Scope: Sendable {
    /// All areas that are declared, those outside the scope's roots included.
    public let areas: [Area]
    public let roots: [ScanRoot]
    /// Why something was left out.
    public let notes: [Reason]
    /// Those of places that are there and could not be looked at: what is in them is in no plan.
    public var unread: [Reason] { notes.filter { $0.code == .unreadable } }
    package let workspace: Workspace
    /// What of the areas plans are about; nil: all of all.
    private var choice: EntryChoice?
    /// Whether the change of an inode counts as its birth does.
    private var agesByChange = false
    /// What areas are declared as that count as essential for now, by their roots.
    private(set) var withheldClasses: [FilePath: PurgeClass] = [:]

    /// The same directories, of which plans take only some entries.
    func choosing(_ choice: EntryChoice, agesByChange: Bool = false) -> Scope {
        var scope = self
        scope.choice = choice
        scope.agesByChange = agesByChange
        return scope
    }

    init(
        workspace: Workspace, areas: [Area], paths: [FilePath], inherited: [FilePath: Mark],
        notes: [Reason]
    ) {
        var notes = notes
        self.workspace = workspace
        self.areas = areas
        let classes = Dictionary(
            areas.map { ($0.root, $0.purgeClass) }, uniquingKeysWith: { max($0, $1) })
        let found = workspace.answers.ask(paths, at: { $0 }) {
            (path) throws(HeadroomError) -> RootAnswer in
            Self.look(
                at: path, workspace, own: inherited[path], classes[path] ?? .essential)
        }
        var roots: [ScanRoot] = []
        for answer in found {
            switch answer {
            case .success(.root(let root)): roots.append(root)
            case .success(.note(let note)): notes.append(note)
            case .failure(let error): notes.append(error.areaNote)
            }
        }
        self.roots = roots
        if workspace.hasLostLedger, !notes.contains(Workspace.noteOnAges) {
            notes.append(Workspace.noteOnAges)
        }
        self.notes = notes
    }

    /// A directory to scan, or why it is none.
    private enum RootAnswer: Sendable {
        case root(ScanRoot)
        case note(Reason)
    }

    /// Finds out what a scan has to know of a directory. Blocks as long as the marks around it do.
    private static func look(
        at path: FilePath, _ workspace: Workspace, own: Mark?, _ areaClass: PurgeClass
    ) -> RootAnswer {
        var volume: Volume?  // Unknown: reading counts as use.
        do throws(Errno) {
            volume = try Volume.containing(path)
        } catch .timedOut {
            return .note(AreaAnswers.silent(path).areaNote)
        } catch {}
        if let note = workspace.graceNote(for: path) { return .note(note) }
        // The marks of the directories around; the root's own is read by the scan.
        let parent = path.removingLastComponent()
        let held = (try? workspace.heldMark(of: parent)) ?? HeldMark(mark: Mark(isPinned: true))
        var mark = held.mark
        // A class that a user has set for the user's own files alone only protects here.
        if held.grantor != nil, let marked = mark.purgeClass, marked.purgeClass < areaClass {
            mark.purgeClass = nil
        }
        return .root(
            ScanRoot(
                path: path, countsAccess: !(volume?.isNoatime ?? false),
                mark: own.map { protecting($0, mark) } ?? mark))
    }

    /// What an enclosing mark means for an area of its own: pins and importance hold, a class does
    /// not, since the nearer declaration has its own.
    private static func protecting(_ own: Mark, _ outer: Mark) -> Mark {
        Mark(
            isPinned: outer.isPinned, importance: outer.importance,
            isExcludedFromBackup: outer.isExcludedFromBackup)
    }

    /// The same directories under other areas.
    ///
    /// - Parameter withheld: what those are declared as that count as essential for now.
    func with(_ areas: [Area], withheld: [FilePath: PurgeClass] = [:]) -> Scope {
        var scope = Scope(copying: self, areas: areas)
        scope.withheldClasses = withheld
        return scope
    }

    private init(copying scope: Scope, areas: [Area]) {
        self.areas = areas
        roots = scope.roots
        notes = scope.notes
        workspace = scope.workspace
    }

    /// The same areas, and only some of the directories.
    ///
    /// - Parameter notes: why some were left out, added to those that there are.
    func keeping(_ roots: [ScanRoot], notes: [Reason]) -> Scope {
        Scope(copying: self, roots: roots, notes: self.notes + notes)
    }

    private init(copying scope: Scope, roots: [ScanRoot], notes: [Reason]) {
        areas = scope.areas
        self.roots = roots
        self.notes = notes
        workspace = scope.workspace
        choice = scope.choice
        agesByChange = scope.agesByChange
        withheldClasses = scope.withheldClasses
    }

    // MARK: - The pipeline

    /// Makes the inventory. Blocks.
    ///
    /// - Throws: `HeadroomError` if a root cannot be opened.
    public func scan(
        progress: ScanProgress = ScanProgress(), threads: Int? = nil
    ) throws(HeadroomError) -> Inventory {
        try scan(progress: progress, threads: threads) { _ in }
    }

    /// The same, with a look at what is known after each root.
    func scan(
        progress: ScanProgress, threads: Int? = nil, afterRoot: (() -> Inventory) -> Void
    ) throws(HeadroomError) -> Inventory {
        var options = scanOptions()
        options.threads = threads
        return try Scanner.scan(
            roots, areas: areas, options: options, progress: progress, afterRoot: afterRoot)
    }

    /// How a scan of this moment goes.
    func scanOptions() -> ScanOptions {
        var options = ScanOptions(now: workspace.clock())
        options.markSource = workspace.markSource(in: roots.map(\.path))
        options.agesByChange = agesByChange
        if workspace.hasOwnCalls { options.calls = workspace.calls }
        // As others see files there are no values in them.
        if !agesByChange { options.stores = { StoreSurvey() } }
        options.borrowers = workspace.borrowers
        return options
    }

    /// What a plan needs to know besides the inventory.
    ///
    /// - Throws: `HeadroomError` if bytes or inodes are asked for and the volume does not answer,
    ///   if a share is asked for and the volume has no size, or `refused` if an age is asked for while the clock
    ///   can't be trusted.
    public func request(
        targets: [Target], through: PurgeableClass = .cache
    ) throws(HeadroomError) -> PlanRequest {
        var request = request(through: through, of: targets)
        if targets.contains(where: \.isAge), let pause = workspace.pauseOfAgeRules() {
            throw HeadroomError(.refused, pause.text)
        }
        let trash = Set(areas.filter(\.isTrash).map(\.root))
        // What is asked for is room where one works, not where one throws things away.
        if targets.contains(where: { !$0.namesItems }),
            let first = roots.first(where: { !trash.contains($0.path) }) ?? roots.first
        {
            request.volume = try volumeState(of: first.path)
        }
        return request
    }

    /// The same, without the volume's state.
    package func request(through: PurgeableClass, of targets: [Target]) -> PlanRequest {
        var request = PlanRequest(targets: targets, through: through, now: workspace.clock())
        request.entries = choice
        let trash = Set(areas.filter(\.isTrash).map(\.root))
        if !trash.isEmpty { request.trash = workspace.trash.dates(in: trash) }
        request.usage = LedgerUsage(recordedVolumes())
        let clocks = workspace.lookAtClocks()
        request.pausesAgeRules = workspace.hasLostLedger || clocks.move != nil
        // mutation: s5d-2
        request.minIdle = workspace.minIdle
        request.idleNow = clocks.idleNow
        // Without a mount table, the purge finds out.
        let mounts = (try? MountTable.current())?.mounts ?? []
        request.readOnlyMounts = Set(mounts.lazy.filter(\.isReadOnly).map(\.id)).subtracting([0])
        request.kept = keptPaths()
        request.kept.entries += cataloguedFiles()
        return request
    }

    /// Makes a plan. Deletes nothing.
    public func plan(
        _ inventory: Inventory, targets: [Target], through: PurgeableClass = .cache
    ) throws(HeadroomError) -> Plan {
        Planner.plan(inventory, try request(targets: targets, through: through))
    }

    /// Carries a plan out: `Purger.purge(_:options:progress:)`, with the receipt in the ledger.
    ///
    /// - Parameter unusableArea: see `PurgeOptions.unusableArea`.
    public func purge(
        _ plan: Plan, requester: String, progress: PurgeProgress = PurgeProgress(),
        reportsRemoved: Bool = true, unusableArea: UnusableAreaPolicy = .isKept,
        report: (@Sendable (PurgeEvent) -> Void)? = nil
    ) throws(HeadroomError) -> Receipt {
        try purge(
            plan, requester: requester, progress: progress, reportsRemoved: reportsRemoved,
            unusableArea: unusableArea, report: report, tally: nil)
    }

    func purge(
        _ plan: Plan, requester: String, progress: PurgeProgress, reportsRemoved: Bool,
        unusableArea: UnusableAreaPolicy, report: (@Sendable (PurgeEvent) -> Void)?,
        tally: (@Sendable (Candidate, ByteCount) -> Void)?
    ) throws(HeadroomError) -> Receipt {
        var options = PurgeOptions(requester: requester, areas: areas, clock: workspace.clock)
        options.report = report
        options.reportsRemoved = reportsRemoved
        options.unusableArea = unusableArea
        options.tally = tally
        options.markSource = workspace.markSource(in: roots.map(\.path))
        options.ledger = workspace.ledger
        options.calls = workspace.calls
        options.answers = workspace.answers
        return try Purger.purge(plan, options: options, progress: progress)
    }

    /// What the ledger knows of the file systems of the roots, by device.
    func recordedVolumes() -> [UInt64: LedgerVolume] {
        let found = workspace.answers.ask(roots, at: { $0.path }) {
            (root) throws(HeadroomError) -> RecordedVolume? in
            // By the device that its files have, which on btrfs is not the volume's.
            guard let directory = try? ResolvedDirectory(root.path),
                let volume = try? Volume.containing(root.path), let figures = volume.figures
            else { return nil }
            return RecordedVolume(
                device: directory.status.identity.device, fileSystem: figures.fileSystemID)
        }
        var volumes: [UInt64: LedgerVolume] = [:]
        for answer in found {
            // A volume that does not answer has nothing recorded that could be told from others.
            guard case .success(let volume?) = answer else { continue }
            volumes[volume.device] = workspace.ledger.volume(volume.fileSystem)
        }
        return volumes
    }

    private struct RecordedVolume: Sendable {
        var device: UInt64
        var fileSystem: UInt64
    }

    private func volumeState(of path: FilePath) throws(HeadroomError) -> PlanRequest.VolumeState {
        let volume: Volume
        do {
            volume = try Volume.containing(path)
        } catch {
            throw HeadroomError("ask the volume of", path, error)
        }
        let thresholds = PressureThresholds.standard
        let level = thresholds.level(of: volume)
        let warning = thresholds.warning.bytes(of: volume.figures?.total ?? .zero)
        // A level is left only at a distance from its threshold.
        let normalFrom =
            level == .normal || level == nil
            ? warning : ByteCount(Int64(Double(warning.bytes) * thresholds.leavingFactor))
        guard let state = PlanRequest.VolumeState(volume, normalFrom: normalFrom) else {
            throw HeadroomError(
                .io,
                "The volume of \(path.displayText) does not say how full it is. "
                    + "Ask for --expired, --older-than or --all instead.")
        }
        return state
    }
}
