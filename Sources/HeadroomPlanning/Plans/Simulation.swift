//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlatform

/// What would go, in which order, if a volume had only so much available (R39).
public struct Simulation: Sendable {
    /// The level that the volume would be at.
    public let level: PressureLevel
    /// What is to be freed then: up to twice the threshold that was crossed, and at least 1 % of the
    /// volume or 1 GiB, whichever is less.
    public let shortage: ByteCount
    /// What would go. Less than half of the shortage in all that may go: temporary only.
    public let plan: Plan
    /// Whether so little may go that only temporary is spent and a person is told.
    public let isHopeless: Bool
    /// What would go by class, in purge order; classes of which nothing goes are left out.
    public let perClass: [ClassSummary]

    public struct ClassSummary: Hashable, Sendable {
        public var purgeClass: PlannedClass
        public var count: Int
        public var bytes: ByteCount
    }

    /// Simulates what the levels of a volume spend (R23, R24).
    ///
    /// At normal: what has expired and what is over its limit. At warning: temporary and caches in
    /// purge order. At critical: last resort too.
    ///
    /// - Parameters:
    ///   - available: what the volume is supposed to have.
    ///   - request: its targets and class are replaced; it must name the volume.
    /// - Complexity: as ``Planner/plan(_:_:)``.
    public init(
        _ inventory: Inventory, ifAvailable available: ByteCount, request: PlanRequest,
        thresholds: PressureThresholds = .standard
    ) {
        var request = request
        request.volume?.available = available
        let total = request.volume?.total ?? .zero
        level = thresholds.level(available: available, total: total)
        let crossed = (level == .critical ? thresholds.critical : thresholds.warning).bytes(
            of: total)
        // mutation: r39a-1
        // mutation: r39a-2
        request.through = level == .critical ? .lastResort : .cache
        guard level != .normal else {
            request.targets = [.expired, .overLimit]
            plan = Planner.plan(inventory, request)
            shortage = .zero
            isHopeless = false
            perClass = Self.summarize(plan)
            return
        }
        let minimum = min(ByteCount(total.bytes / 100), .gibibytes(1))
        shortage = max(crossed + crossed - available, minimum)
        request.targets = [.free(shortage)]
        let spent = Planner.plan(inventory, request)
        isHopeless = ByteCount(spent.frees.bytes).bytes < shortage.bytes / 2
        if isHopeless {
            request.through = .temporary
            plan = Planner.plan(inventory, request)
        } else {
            plan = spent
        }
        perClass = Self.summarize(plan)
    }

    private static func summarize(_ plan: Plan) -> [ClassSummary] {
        var sums: [PlannedClass: ClassSummary] = [:]
        for index in plan.indices {
            let (purgeClass, bytes) = plan.share(at: index)
            var sum =
                sums[purgeClass]
                ?? ClassSummary(
                    purgeClass: purgeClass, count: 0, bytes: .zero)
            sum.count += 1
            sum.bytes += bytes
            sums[purgeClass] = sum
        }
        return sums.values.sorted { $0.purgeClass < $1.purgeClass }
    }
}

extension Plan {
    /// Class and bytes of an entry, without its path.
    func share(at index: Int) -> (PlannedClass, ByteCount) {
        let candidate = chosen[index]
        return (candidate.plannedClass, bytes(of: candidate))
    }
}
