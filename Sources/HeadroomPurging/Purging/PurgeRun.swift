//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

/// One execution of one plan.
///
/// Goes through the plan in slices, so that the order of the plan holds even if the run is cut
/// short; within a slice items are grouped by directory, which saves an open for each.
final class PurgeRun {
    let plan: Plan
    let inventory: Inventory
    let options: PurgeOptions
    let calls: any FileSystemCalls
    let progress: PurgeProgress
    let inUse: InUseCheck
    let cursor: DirectoryCursor
    private let monitor: OpenFileMonitor
    /// The record that survives a crash; nil: there is no ledger.
    private let session: PurgeSession?
    private let roots: [PurgeRoot]
    private let gain: VolumeGain
    private var rhythm = BatchRhythm()

    var recorder: ReceiptRecorder
    var breaker: CircuitBreaker
    var links = LinkLedger()
    /// Units whose rename failed for want of space: tried again when single files are gone.
    var postponed: [Candidate] = []
    var unitNumber = 0
    /// What cache stores have given up to this run, by the numbers of their directories.
    var yields: [UInt32: Int64] = [:]
    /// Units of which a part had gone when the run was stopped.
    var unitsLeftBehind = 0
    /// The directory of the last item whose path was made.
    var lastPath: (directory: UInt32, bytes: [UInt8])?
    /// What directories look like since this run has worked in them.
    private var ownTraces: [UInt32: Fingerprint] = [:]
    /// Whether directories are visited more than once.
    private lazy var leavesTraces = plan.chosen.count > Self.sliceLength
    private lazy var places = inventory.walkOrder()
    private var visits = 0
    /// Items that were not come to before the end.
    var unreached = 0
    private var isStopped = false
    /// Areas and roots that are kept because their directory cannot be used now.
    var exceptions = PurgeExceptions()
    /// What the threads of this run hold; nil: there is only this one.
    private let claims: DirectoryClaims?
    private lazy var crew = makeCrew()

    private static let sliceLength = 262_144

    init(
        plan: Plan, options: PurgeOptions, progress: PurgeProgress, receipt: Receipt,
        roots: [PurgeRoot], session: PurgeSession?, monitor: OpenFileMonitor,
        gain: VolumeGain? = nil, claims: DirectoryClaims? = nil
    ) {
        self.gain = gain ?? VolumeGain(roots, in: plan.inventory)
        self.claims = claims
        self.session = session
        self.plan = plan
        self.options = options
        self.progress = progress
        self.monitor = monitor
        self.roots = roots
        inventory = plan.inventory
        calls = options.calls
        inUse = InUseCheck(
            monitor: monitor, areas: plan.inventory.areas, declared: options.areas)
        breaker = options.breaker
        cursor = DirectoryCursor(
            inventory: plan.inventory, calls: options.calls, markSource: options.markSource,
            claims: claims)
        recorder = ReceiptRecorder(
            receipt, plan: plan, progress: progress, report: options.report,
            reportsRemoved: options.reportsRemoved, tally: options.tally)
    }

    // MARK: - The run

    func perform() -> Receipt {
        armBreaker()
        for root in roots { for note in root.notes { recorder.addNote(note) } }
        if session == nil { recorder.addNote("There is no ledger: this receipt is kept nowhere.") }
        reached(.started)
        var start = 0
        while start < plan.chosen.count, !shouldStop {
            let end = sliceEnd(from: start)
            process(start..<end)
            start = end
            journal()
        }
        unreached += plan.chosen.count - start
        retryPostponed()
        reached(.finished)
        return finish()
    }

    /// Where the slice ends: it never mixes classes, nor items with directories left empty.
    private func sliceEnd(from start: Int) -> Int {
        let first = plan.chosen[start]
        var end = start + 1
        let limit = min(plan.chosen.count, start + Self.sliceLength)
        while end < limit {
            let next = plan.chosen[end]
            guard (next.kind == .emptyDirectory) == (first.kind == .emptyDirectory),
                OrderKey.rank(of: next.key) == OrderKey.rank(of: first.key)
            else { break }
            end += 1
        }
        return end
    }

    private func process(_ slice: Range<Int>) {
        if plan.chosen[slice.lowerBound].kind == .emptyDirectory {
            return removeEmptyDirectories(slice)
        }
        var order = withoutExceptions(slice).map { index in
            let candidate = plan.chosen[index]
            guard candidate.isItem else {
                // Values are given up in their store's directory.
                let parent =
                    candidate.kind == .cacheValues
                    ? candidate.number : inventory.directories[Int(candidate.number)].parent
                return Step(
                    place: places[Int(parent)], parent: parent, isUnit: true, inode: 0,
                    index: index)
            }
            let item = inventory.item(candidate.number)
            return Step(
                place: places[Int(item.parent)], parent: item.parent, isUnit: false,
                inode: item.inode, index: index)
        }
        order.sort()
        var groups: [ArraySlice<Step>] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, order[end].parent == order[start].parent { end += 1 }
            groups.append(order[start..<end])
            start = end
        }
        process(removeInParallel(groups))
    }

    /// Skips the candidates whose directory cannot be used now.
    private func withoutExceptions(_ slice: Range<Int>) -> [Int] {
        guard !exceptions.isEmpty else { return Array(slice) }
        return slice.filter { index in
            guard let reason = exceptions.reason(for: plan.chosen[index], in: inventory) else {
                return true
            }
            // Not a failure of the run: its circuit breaker doesn't count it.
            recorder.addSkipped(path(of: plan.chosen[index]), reason)
            return false
        }
    }

    /// Deepest first, and neighbours one after the other.
    private func removeEmptyDirectories(_ slice: Range<Int>) {
        let order = withoutExceptions(slice).sorted { left, right in
            places[Int(plan.chosen[right].number)] < places[Int(plan.chosen[left].number)]
        }
        for (done, index) in order.enumerated() {
            guard !shouldStop else { return unreached += order.count - done }
            removeEmptyDirectory(plan.chosen[index])
        }
    }

    private func process(_ groups: [ArraySlice<Step>]) {
        for (index, group) in groups.enumerated() {
            guard !shouldStop else {
                return unreached += groups[index...].reduce(0) { $0 + $1.count }
            }
            removeFiles(group)
        }
    }

    /// Removes what one directory has of a slice.
    func removeFiles(_ group: ArraySlice<Step>) {
        guard let first = group.first else { return }
        guard !shouldStop else { return unreached += group.count }
        breaker.beginDirectory(items: group.count)
        process(group, in: first.parent)
    }

    private func process(_ steps: ArraySlice<Step>, in directory: UInt32) {
        switch position(at: directory) {
        case .refused(let reason):
            for step in steps { skip(plan.chosen[step.index], reason) }
        case .open(let link):
            // Making a path costs as much as removing a file.
            visits &+= 1
            if visits & 15 == 1 { progress.note(inventory.path(ofDirectory: directory)) }
            let hold = hold(link)
            let state = hold.state
            // mutation: s5a-3 (3 lines)
            guard state.allowsRemoval else {
                let reason = Self.reason(state)
                cursor.close(directory, because: reason)
                for step in steps { skip(plan.chosen[step.index], reason) }
                return
            }
            let isUntouched = isUntouched(link)
            let companion = trashCompanion(of: link)
            for (offset, step) in steps.enumerated() {
                guard !shouldStop else {
                    unreached += steps.count - offset
                    break
                }
                let candidate = plan.chosen[step.index]
                if let reason = inUse.reasonToKeep(area: candidate.area) {
                    skip(candidate, reason)
                    continue
                }
                withCompanion(companion, of: candidate) {
                    switch candidate.kind {
                    case .file: removeFile(candidate, at: link, state, isUntouched: isUntouched)
                    case .fileSet: removeSet(candidate, at: link, state)
                    case .directory: removeUnit(candidate, at: link, state)
                    case .cacheValues: giveUpValues(candidate, in: link, state)
                    case .emptyDirectory: break
                    }
                }
                if rhythm.isDue(after: recorder.untoldCount) { journal() }
            }
            leaveTrace(link)
            release(hold, link)
        }
    }

    /// Locks a directory for as long as entries of it are removed.
    func hold(_ link: DirectoryCursor.Link) -> DirectoryHold {
        if let root = roots.first(where: { $0.directory == link.number }), root.isHeld {
            return .asRoot
        }
        return .guarded(
            claims?.acquire(link.number, link.descriptor) ?? ParentGuard.acquire(link.descriptor))
    }

    private func release(_ hold: consuming DirectoryHold, _ link: DirectoryCursor.Link) {
        _ = consume hold
        claims?.release(link.number)
    }

    /// Whether nothing has appeared in, or gone from, a directory but by our own doing.
    private func isUntouched(_ link: DirectoryCursor.Link) -> Bool {
        // What cannot be examined may have changed.
        guard let status = try? calls.status(of: link.descriptor) else { return false }
        let current = Fingerprint(status, key: inventory.key)
        let planned = inventory.directories[Int(link.number)]
        // mutation: s4e-2
        return !planned.flags.contains(.inTick) && current.rawValue == planned.fingerprint
            || ownTraces[link.number] == current
    }

    /// Remembers a directory as we leave it, for the next slice that has to do with it.
    private func leaveTrace(_ link: DirectoryCursor.Link) {
        guard leavesTraces, let status = try? calls.status(of: link.descriptor)
        else { return }
        ownTraces[link.number] = Fingerprint(status, key: inventory.key)
    }

    /// Opens a directory of the plan, entering its root first if another is current.
    func position(at directory: UInt32) -> DirectoryCursor.Position {
        guard let root = roots.last(where: { $0.directory <= directory }) else {
            return .refused(Reason(.failed, "It lies outside the directories being purged."))
        }
        if currentRoot != root.number {
            currentRoot = root.number
            var held = HeldMark(mark: inventory.roots[root.number].mark)
            var isDamaged = false
            let record = inventory.directories[Int(root.directory)]
            // The root was just checked to be itself; what fails here fails again at its entries.
            if let status = try? calls.status(of: root.descriptor) {
                let reading = options.markSource?.reading(
                    ofDirectory: root.descriptor, status)
                held = inventory.mark(reading, status, ofRoot: root.number)
                isDamaged = reading?.isDamaged == true
            }
            let mark = held.mark
            cursor.enter(root: root.directory, descriptor: root.descriptor, mark: held)
            if isDamaged || mark.isPinned == true && PackedMark(mark) != record.mark {
                rootRefusal = Reason(.pinned, "The area is pinned.")
            } else if PackedMark(mark) != record.mark {
                rootRefusal = Reason(.changed, "The mark of the area has changed.")
            } else {
                rootRefusal = root.isHeld ? nil : cursor.lockReason(root.directory, root.descriptor)
            }
        }
        if let rootRefusal { return .refused(rootRefusal) }
        return cursor.move(to: directory)
    }

    private var currentRoot: Int?
    private var rootRefusal: Reason?

    private func retryPostponed() {
        let again = postponed
        postponed = []
        if !again.isEmpty { reached(.willRetryUnits) }
        for candidate in again {
            guard !shouldStop else {
                unreached += 1
                continue
            }
            let parent = inventory.directories[Int(candidate.number)].parent
            switch position(at: parent) {
            case .refused(let reason): skip(candidate, reason)
            case .open(let link):
                let hold = hold(link)
                let state = hold.state
                guard state.allowsRemoval else {
                    skip(candidate, Self.reason(state))
                    continue
                }
                withCompanion(trashCompanion(of: link), of: candidate) {
                    removeUnit(candidate, at: link, state, isRetry: true)
                }
                _ = consume hold
            }
        }
    }

    // MARK: - Several threads

    /// Lets the crew remove plain files.
    ///
    /// - Returns: what is left to do.
    private func removeInParallel(_ groups: [ArraySlice<Step>]) -> [ArraySlice<Step>] {
        guard let crew else { return groups }
        var plain: [ArraySlice<Step>] = []
        var rest: [ArraySlice<Step>] = []
        var count = 0
        for group in groups {
            let (files, others) = split(group)
            if !files.isEmpty { plain.append(files) }
            if !others.isEmpty { rest.append(others) }
            count += files.count
        }
        guard count >= PurgeCrew.minimum, plain.count > 1 else { return groups }
        journal()
        let allowance = breaker.makeShared()
        crew.remove(
            plain,
            prepare: { member in
                // What the last slice has left is known to all.
                member.ownTraces = ownTraces
                member.leavesTraces = leavesTraces || !rest.isEmpty
                member.breaker.join(allowance)
            },
            absorb: { absorb($0) })
        return rest
    }

    private func makeCrew() -> PurgeCrew? {
        // A test that steps through a purge wants one step after the other.
        let threads = min(options.threads ?? WorkerThread.processorCount, 8)
        guard threads > 1, options.step == nil, claims == nil else { return nil }
        let claims = DirectoryClaims()
        var options = options
        if let report = options.report {
            let lock = ConditionLock()
            options.report = { event in
                lock.lock()
                defer { lock.unlock() }
                report(event)
            }
        }
        return PurgeCrew(threads: threads) {
            [plan, progress, roots, session, monitor, gain, recorder] in
            PurgeRun(
                plan: plan, options: options, progress: progress, receipt: recorder.receipt.blank,
                roots: roots, session: session, monitor: monitor, gain: gain, claims: claims)
        }
    }

    /// Takes over what a member of the crew has done since it was asked last.
    private func absorb(_ member: PurgeRun) {
        member.journal()
        recorder.absorb(&member.recorder)
        breaker.absorb(&member.breaker)
        ownTraces.merge(member.ownTraces) { _, newer in newer }
        member.ownTraces = [:]
        unreached += member.unreached
        member.unreached = 0
        isStopped = isStopped || member.isStopped
    }

    // MARK: - Stopping

    /// Whether the run ends before the next item.
    var shouldStop: Bool {
        // mutation: r17b-1
        if isStopped || progress.isCancelled || breaker.isStopped { return true }
        guard let reason = breaker.tripped else { return false }
        isStopped = true
        breaker.stopAll()
        recorder.addNote("Stopped by the circuit breaker: \(reason)")
        return true
    }

    func reached(_ step: PurgeStep) { options.step?(step) }

    /// Ends a batch: asks the volumes what they have gained (S9), and tells the journal what has
    /// happened since it was told last and what is renamed next.
    func journal(going: [PurgeBatch.Rename] = []) {
        let gained = gain.now()
        progress.note(gained: gained)
        // mutation: s9b-1
        let batch = recorder.takeBatch(going: going, gained: gained.map { ByteCount($0) })
        session?.record(batch)
    }

    // MARK: - The receipt

    func skip(_ candidate: Candidate, _ reason: Reason) {
        breaker.countKept(reason)
        recorder.addSkipped(path(of: candidate), reason)
    }

    private func path(of candidate: Candidate) -> FilePath {
        candidate.isItem
            ? inventory.path(ofItem: candidate.number)
            : inventory.path(ofDirectory: candidate.number)
    }

    private func finish() -> Receipt {
        // Who has stopped it does not wait for a volume that frees its blocks later.
        let gained =
            progress.isCancelled
            ? gain.now() : gain.settled(expecting: recorder.receipt.expected.bytes)
        progress.note(gained: gained)
        if unreached > 0 {
            recorder.addNote(
                unreached == 1
                    ? "1 item of the plan was not reached."
                    : "\(unreached) items of the plan were not reached.")
        }
        let sight = monitor.sight()
        recorder.noteUnseen(processes: sight.files.unreadableProcesses)
        recorder.explain(
            gained,
            of: roots.map { ($0.path, inventory.directories[Int($0.directory)].identity.device) },
            links: links, isCut: progress.isCancelled
                // mutation: s9d-1
        ) { monitor.sight(notOlderThan: .zero).files }
        let outcome: Receipt.Outcome =
            // mutation: s7d-1
            isStopped ? .broken : progress.isCancelled ? .interrupted : .completed
        let receipt = recorder.finish(
            at: options.clock(), outcome: outcome, gained: gained.map { ByteCount($0) })
        // mutation: s7d-2
        guard let session else { return receipt }
        return session.finish(receipt)
    }
}

/// What a run holds on a directory that it works in.
enum DirectoryHold: ~Copyable {
    case guarded(ParentGuard)
    /// An area's root, which is locked as such already.
    case asRoot

    var state: ParentGuard.State {
        switch self {
        case .guarded(let parentGuard): parentGuard.state
        case .asRoot: .exclusive
        }
    }
}

extension CircuitBreaker {
    /// Counts an item that stays: a failure only if the system refused what should have worked.
    mutating func countKept(_ reason: Reason) {
        switch reason.code {
        case .failed, .notPermitted, .readOnly, .unreadable: countFailure()
        default: countKept()
        }
    }
}
