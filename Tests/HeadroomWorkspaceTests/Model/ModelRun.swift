//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// One case: a real tree, the engine, and the model beside them. Each operation is done in both, and
/// after each plan and each purge they are compared.
final class ModelRun {
    private(set) var world = ModelWorld()
    private(set) var plan: (engine: Plan, model: ModelPlan)?
    /// How often each kind of thing was really compared, so that a test of nothing is noticed.
    private(set) var tally = ModelTally()

    private let base: TemporaryDirectory
    private let tree: Tree
    private let ledger = MemoryMarkLedger()
    private let marks: MarkStore
    private let book: LockBook.Location
    /// What the case calls its beginning, in seconds since 1970.
    private let start: Int64
    private var leases: [String: HeldLease] = [:]

    /// The engine is asked this many seconds after the beginning.
    static let age: Int64 = 100 * 86_400

    /// Looked up once: it reads the accounts of the machine.
    private static let guardedPlaces = Layout.system()

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try base.tree.directory("w")
        tree = Tree(root: base.path.appending("w"))
        marks = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        book = LockBook.Location(path: base.path.appending("book"), owner: User.effective)
        start = Timestamp.wallClock().seconds
        for name in ModelWorld.top { try tree.directory(TreePath(name)) }
    }

    private var now: Timestamp { Timestamp(seconds: start + Self.age) }

    /// Does an operation, if there is something for it to work on.
    ///
    /// - Throws: ``ModelFailure`` where engine and model differ.
    func perform(_ operation: ModelOperation) throws {
        guard world.allows(operation) else { return }
        try change(operation)
        world.perform(operation)
        switch operation {
        case .plan(let request): try compare(request)
        case .purge: try purge()
        default: break
        }
    }

    // MARK: - The real world

    private func change(_ operation: ModelOperation) throws {
        switch operation {
        case .write(let path, let bytes, let salt, let stamp):
            try write(path, ModelWorld.contents(bytes, salt, at: path), stamp)
        case .append(let path, let bytes, let stamp):
            let present = world.names[path].flatMap { world.nodes[$0]?.contents } ?? []
            try write(path, present + ModelWorld.contents(bytes, 1), stamp)
        case .directory(let path): try tree.directory(TreePath(path))
        case .remove(let path): try tree.remove(TreePath(path))
        case .rename(let path, let other): try tree.rename(TreePath(path), to: TreePath(other))
        case .link(let path, let other): try tree.hardLink(TreePath(other), to: TreePath(path))
        case .symbolicLink(let path): try tree.symbolicLink(TreePath(path), to: "nowhere")
        case .fifo(let path): try tree.fifo(TreePath(path))
        case .touch(let path, let stamp): try touch(path, stamp)
        case .replace(let path, let bytes, let salt, let stamp):
            let new = (path.parent.map { $0 + "/" } ?? "") + ".new"
            try write(new, ModelWorld.contents(bytes, salt, at: path), stamp)
            try tree.rename(TreePath(new), to: TreePath(path))
        case .mark(let path, let mark):
            try marks.update(tree.path(TreePath(path))) { $0 = mark }
        case .strip(let path): try strip(path)
        case .lease(let path):
            leases[path] = HeldLease(
                try Lease.acquire(tree.path(TreePath(path)), patience: .zero, books: [book]))
        case .release(let path): leases[path] = nil
        case .declare, .withdraw, .plan, .purge: break
        }
    }

    private func write(_ path: String, _ contents: [UInt8], _ stamp: ModelStamp) throws {
        try tree.file(TreePath(path), contents: contents)
        try touch(path, stamp)
    }

    private func touch(_ path: String, _ stamp: ModelStamp) throws {
        try tree.setTimes(
            of: TreePath(path), accessed: Timestamp(seconds: start + stamp.accessed),
            modified: Timestamp(seconds: start + stamp.modified))
    }

    private func strip(_ path: String) throws {
        let place = TreePath(path)
        let opened = try world.isDirectory(path) ? tree.open(place) : openFile(place)
        withExtendedLifetime(opened) { file in
            // There may be none.
            _ = try? NativeCalls.make().removeAttribute(MarkAttribute.name, of: file.rawValue)
        }
    }

    private func openFile(_ path: TreePath) throws -> Descriptor {
        let parent = try tree.open(path.directory)
        guard let name = path.names.last else { throw ModelFailure(.broken, "no name: \(path)") }
        let number = try name.withEntryName { (name) throws(Errno) in
            try NativeCalls.make().openFile(name, at: parent.rawValue, writing: false)
        }
        return Descriptor(owning: number)
    }

    /// What the file system says of all that there should be.
    private func rules() throws -> ModelRules {
        var facts: [String: FileStatus] = [:]
        for path in world.names.keys { facts[path] = try tree.status(of: TreePath(path)) }
        return ModelRules(world: world, facts: facts, now: now.seconds)
    }

    // MARK: - The engine

    private var areas: [Area] {
        world.areas.map { path, area in
            Area(
                root: tree.path(TreePath(path)), purgeClass: area.purgeClass, unit: area.unit,
                retention: area.retention.map { .seconds($0) }, ageBasis: area.basis,
                limit: area.limit.map { ByteCount($0) }, trimPercent: area.trimPercent,
                order: area.order, importance: area.importance, origin: "model")
        }
    }

    private func makePlan(_ request: ModelRequest, _ rules: ModelRules) throws -> Plan {
        var options = ScanOptions(now: now)
        options.threads = 1
        options.markSource = LedgerMarkSource(
            calls: NativeCalls.make(), recorded: ledger.markedFiles)
        let inventory = try Scanner.scan(
            [ScanRoot(path: tree.root)], areas: AreaMap(areas).areas, options: options)
        let device = rules.facts["t"]?.identity.device ?? 0
        let volume = PlanRequest.VolumeState(
            device: device, total: ByteCount(ModelRequest.total),
            available: ByteCount(request.available), normalFrom: ByteCount(ModelRequest.normalFrom))
        var planned = PlanRequest(
            targets: request.targets, through: request.through, now: now, volume: volume)
        // The model knows nothing of files that free nothing because of other links.
        planned.includesUnprofitable = true
        return Planner.plan(inventory, planned)
    }

    private func compare(_ request: ModelRequest) throws {
        let rules = try rules()
        let model = ModelPlan(rules, request)
        let engine = try makePlan(request, rules)
        plan = (engine, model)
        tally.count(model)
        try ModelComparison(root: tree.root).compare(engine, model)
        try compareTree()
    }

    private func purge() throws {
        guard let plan else { return }
        let now = self.now
        var options = PurgeOptions(requester: "model", areas: areas) { now }
        options.threads = 1
        options.markSource = LedgerMarkSource(
            calls: NativeCalls.make(), recorded: ledger.markedFiles)
        options.lockBooks = [book]
        options.guardedPlaces = Self.guardedPlaces
        let model = ModelPurge(plan.model, try rules())
        let receipt: Receipt
        do throws(HeadroomError) {
            receipt = try Purger.purge(plan.engine, options: options)
        } catch {
            guard error.code == model.refusal else {
                throw ModelFailure(.refusal, "the purge ended with: \(error)")
            }
            return try compareTree()
        }
        guard model.refusal == nil else {
            throw ModelFailure(.refusal, "the purge was not refused: areas have changed")
        }
        for path in model.gone.flatMap(\.members) + model.emptied { world.remove(path) }
        tally.count(model)
        try compareTree()
        try ModelComparison(root: tree.root).compare(receipt, model)
    }

    // MARK: - The tree

    /// What is there must be what the model says, byte for byte, and nothing else.
    private func compareTree() throws {
        var found: Set<String> = []
        try collect("", into: &found)
        let expected = Set(world.names.keys)
        let lost = expected.subtracting(found).sorted()
        guard lost.isEmpty else { throw ModelFailure(.lost, "gone, and should not be: \(lost)") }
        let left = found.subtracting(expected).sorted()
        guard left.isEmpty else { throw ModelFailure(.left, "there, and should not be: \(left)") }
        for (path, node) in world.names {
            guard world.isFile(path), let known = world.nodes[node] else { continue }
            guard try tree.contents(of: TreePath(path)) == known.contents else {
                throw ModelFailure(.changed, "\(path) holds something else")
            }
        }
        try compareLinks()
    }

    private func collect(_ path: String, into found: inout Set<String>) throws {
        for name in try tree.names(in: TreePath(path)).map(\.text) {
            let inner = path.isEmpty ? name : "\(path)/\(name)"
            found.insert(inner)
            if try tree.status(of: TreePath(inner)).type == .directory {
                try collect(inner, into: &found)
            }
        }
    }

    private func compareLinks() throws {
        var inodes: [Int: FileIdentity] = [:]
        for (path, node) in world.names {
            let status = try tree.status(of: TreePath(path))
            if world.isFile(path), Int(status.linkCount) != world.names(of: node).count {
                throw ModelFailure(.changed, "\(path) has \(status.linkCount) names")
            }
            let known = inodes[node, default: status.identity]
            inodes[node] = known
            guard known == status.identity else {
                throw ModelFailure(.changed, "\(path) is another file")
            }
        }
    }
}

/// A lease in a dictionary.
private final class HeldLease {
    private let lease: Lease

    init(_ lease: consuming Lease) { self.lease = lease }
}

/// Engine and model differ.
struct ModelFailure: Error, CustomStringConvertible {
    enum Kind: String {
        /// What goes.
        case choice
        /// In which order.
        case order
        /// What it is said to free, or to be missing.
        case figures
        case lost, left, changed, receipt, refusal
        /// An error where there should be none.
        case broken
    }

    let kind: Kind
    let text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    var description: String { "\(kind.rawValue): \(text)" }
}

/// What was compared in which quantity.
struct ModelTally {
    private(set) var planned = 0
    private(set) var plannedUnits = 0
    private(set) var plannedSets = 0
    private(set) var plannedLinks = 0
    private(set) var gone = 0
    private(set) var kept = 0
    private(set) var emptied = 0

    /// Everything that is to be compared has been.
    var isEnough: Bool {
        planned > 100 && gone > 50 && plannedUnits > 0 && plannedLinks > 0 && kept > 0
            && emptied > 0
    }

    mutating func count(_ plan: ModelPlan) {
        planned += plan.chosen.count
        plannedUnits += plan.chosen.count(where: { $0.unit == .directory })
        plannedSets += plan.chosen.count(where: { $0.unit == .fileSet })
        plannedLinks += plan.chosen.count(where: { $0.group != nil })
    }

    mutating func count(_ purge: ModelPurge) {
        gone += purge.gone.count
        kept += purge.kept.count
        emptied += purge.emptied.count
    }

    static func + (left: ModelTally, right: ModelTally) -> ModelTally {
        var sum = left
        sum.planned += right.planned
        sum.plannedUnits += right.plannedUnits
        sum.plannedSets += right.plannedSets
        sum.plannedLinks += right.plannedLinks
        sum.gone += right.gone
        sum.kept += right.kept
        sum.emptied += right.emptied
        return sum
    }
}
