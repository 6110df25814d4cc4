//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
import Synchronization
import SystemPackage

/// What the service measures of itself and of the storage it looks after, for Prometheus.
///
///     let metrics = ServiceMetrics(version: "0.1.0")
///     metrics.set(volumes)                       // after each reading
///     metrics.record(receipt, skipped: reasons)  // after each purge
///
/// Every call returns at once. Names and labels are documented in `Documentation/metrics.md` and stay.
public final class ServiceMetrics: Sendable {
    private let families: Mutex<[Name: MetricFamily]>

    /// - Parameter version: of the program.
    public init(version: String) {
        families = Mutex(Name.all)
        set(.build, 1, ["version": version])
        // What has not happened yet is 0, not missing: a rate can be made of it from the beginning.
        for kind in HistoryEvent.Kind.allCases { add(.events, 0, ["kind": kind.rawValue]) }
        for kind in Notice.Kind.allCases { add(.notices, 0, ["kind": kind.rawValue]) }
        for reason in PurgeableClass.allCases {
            for trigger in CleaningTrigger.allCases {
                add(
                    .freed, 0,
                    ["class": reason.purgeClass.name, "trigger": trigger.name])
            }
        }
    }

    // MARK: - Volumes

    /// One volume as it was just read.
    public struct VolumeState: Hashable, Sendable {
        public var volume: HistoryVolume
        /// Nil: it does not answer.
        public var figures: PressureReading.Figures?
        /// Nil: it has none, or does not answer.
        public var level: PressureLevel?
        public var thresholds: PressureThresholds
        /// Nil: not known yet.
        public var forecast: Forecast?
        /// Whether what may go is too little to help.
        public var cannotBeHelped: Bool

        public init(
            volume: Volume, level: PressureLevel?, thresholds: PressureThresholds = .standard,
            forecast: Forecast? = nil, cannotBeHelped: Bool = false
        ) {
            self.volume = HistoryVolume(volume)
            if let figures = volume.figures, let available = volume.available {
                self.figures = .init(
                    available: available, total: figures.total,
                    availableInodes: volume.availableInodes, inodes: figures.inodes)
            }
            self.level = level
            self.thresholds = thresholds
            self.forecast = forecast
            self.cannotBeHelped = cannotBeHelped
        }

        /// A volume as its monitor has read it.
        public init(
            _ volume: HistoryVolume, _ pressure: VolumePressure, thresholds: PressureThresholds
        ) {
            self.volume = volume
            level = pressure.level
            self.thresholds = thresholds
            cannotBeHelped = false
            switch pressure.state {
            case .unread, .silent, .failing: figures = nil
            case .answering, .exempt: figures = pressure.figures
            }
        }
    }

    /// Replaces what is known of volumes: one that is not among them is gone.
    public func set(_ volumes: [VolumeState]) {
        families.withLock { families in
            for name in Name.ofVolumes { families[name]?.values = [:] }
            for state in volumes { Self.write(state, to: &families) }
        }
    }

    private static func write(_ state: VolumeState, to families: inout [Name: MetricFamily]) {
        let volume = state.volume
        let labels = ["mount": volume.mountPoint.displayText, "type": volume.type]
        func set(_ name: Name, _ value: (some BinaryInteger)?, _ more: [String: String] = [:]) {
            guard let value else { return }
            let key = MetricLabels(labels.merging(more) { $1 })
            families[name]?.values[key] = .number(Double(value))
        }
        set(.answers, state.figures == nil ? 0 : 1)
        set(.size, state.figures?.total.bytes)
        set(.available, state.figures?.available.bytes)
        set(.inodes, state.figures?.inodes)
        set(.availableInodes, state.figures?.availableInodes)
        set(.level, state.level?.rawValue)
        set(.cannotHelp, state.cannotBeHelped ? 1 : 0)
        if let total = state.figures?.total {
            let (warning, critical) = (state.thresholds.warning, state.thresholds.critical)
            set(.threshold, warning.bytes(of: total).bytes, ["level": "warning"])
            set(.threshold, critical.bytes(of: total).bytes, ["level": "critical"])
        }
        guard let forecast = state.forecast else { return }
        let outlooks = [
            ("warning", forecast.warning), ("critical", forecast.critical), ("full", forecast.full),
        ]
        for (until, outlook) in outlooks {
            switch outlook {
            case .unknown: break
            case .reached:
                for bound in ["earliest", "likely", "latest"] {
                    set(.forecast, 0, ["until": until, "bound": bound])
                }
            case .expected(let expected):
                set(
                    .forecast, expected.earliest.components.seconds,
                    ["until": until, "bound": "earliest"])
                set(
                    .forecast, expected.likely.components.seconds,
                    ["until": until, "bound": "likely"])
                set(
                    .forecast, expected.latest?.components.seconds,
                    ["until": until, "bound": "latest"])
            case .notExpected(_, let earliest):
                set(
                    .forecast, earliest?.components.seconds, ["until": until, "bound": "earliest"])
            }
        }
    }

    // MARK: - Areas and modules

    /// Replaces what is known of areas: those of a volume that is not among them are gone.
    ///
    /// - Parameter surveys: one for each volume.
    public func set(areas surveys: [AreaSurvey]) {
        families.withLock { families in
            for name in Name.ofAreas { families[name]?.values = [:] }
            for survey in surveys { Self.write(survey, to: &families) }
            guard !surveys.isEmpty else { return }
            let leases = surveys.reduce(0) { $0 + $1.leasedItems }
            families[.leases]?.values[MetricLabels()] = .number(Double(leases))
        }
    }

    private static func write(_ survey: AreaSurvey, to families: inout [Name: MetricFamily]) {
        func set(_ name: Name, _ value: some BinaryInteger, _ labels: [String: String]) {
            families[name]?.values[MetricLabels(labels)] = .number(Double(value))
        }
        for area in survey.areas {
            let labels = ["area": area.root.displayText, "class": area.purgeClass.name]
            set(.area, area.allocated.bytes, labels)
            set(.areaPurgeable, area.purgeable.bytes, labels)
            set(.areaItems, area.items, labels)
        }
        let mount = survey.volume?.displayText ?? ""
        for purgeClass in PlannedClass.allCases {
            let bytes = survey.purgeable[purgeClass] ?? .zero
            set(.purgeable, bytes.bytes, ["mount": mount, "class": purgeClass.name])
        }
        set(.looked, survey.time.seconds, ["mount": mount])
        for store in survey.stores {
            let labels = ["store": store.path.displayText]
            set(.storeBytes, store.allocated.bytes, labels)
            let totals = store.totals
            set(.storeHits, totals.hits, labels)
            set(.storeMisses, totals.misses, labels)
            set(.storePuts, totals.puts, labels)
            set(.storeRemovals, totals.removals, labels)
            set(.storeEvictions, totals.evictions, labels)
            set(.storeEvictedBytes, totals.evictedBytes, labels)
            set(.storeRegrets, totals.regrets, labels)
            set(.storeRegretBytes, totals.regretBytes, labels)
        }
    }

    /// Replaces what modules say that they occupy, by their ids.
    public func set(modules: [String: ByteCount]) {
        families.withLock { families in
            families[.module]?.values = [:]
            for (id, bytes) in modules {
                families[.module]?.values[MetricLabels(["module": id])] = .number(
                    Double(bytes.bytes))
            }
        }
    }

    /// How many declarations are so new that what is under them is left alone.
    public func set(withheld: Int) { set(.withheld, Double(withheld)) }

    /// Whether the configuration on disk is the one that runs, and since when that one does.
    public func set(configurationIsTaken: Bool, at time: Timestamp) {
        set(.configurationTaken, configurationIsTaken ? 1 : 0)
        if configurationIsTaken { set(.configurationTime, Double(time.seconds)) }
    }

    // MARK: - What happens

    /// Counts a purge.
    ///
    /// - Parameters:
    ///   - reachedTarget: false: it was missed.
    ///   - skipped: how many items were skipped, by the code of the reason.
    ///   - duration: nil: it is not known.
    public func record(
        _ receipt: ReceiptSummary, reachedTarget: Bool, skipped: [Reason.Code: Int] = [:],
        duration: Duration? = nil
    ) {
        let trigger = ["trigger": receipt.trigger]
        add(.purges, 1, trigger.merging(["outcome": reachedTarget ? "reached" : "missed"]) { $1 })
        add(.purgedItems, Double(receipt.removedItems), trigger)
        for (name, bytes) in receipt.freedByClass {
            add(.freed, Double(bytes.bytes), trigger.merging(["class": name]) { $1 })
        }
        add(.expected, Double(receipt.expected.bytes), trigger)
        add(.gained, Double(max(0, receipt.gained.bytes)), trigger)
        set(.difference, Double((receipt.expected - receipt.gained).bytes))
        for (reason, count) in skipped {
            add(.skipped, Double(count), ["reason": reason.description])
        }
        if let duration { observe(.purgeDuration, duration, trigger) }
    }

    /// Counts a look at areas.
    public func record(scanTook duration: Duration) { observe(.scanDuration, duration) }

    /// Counts an event.
    public func record(_ event: HistoryEvent) { add(.events, 1, ["kind": event.kind.rawValue]) }

    /// Counts a notice that was told.
    public func record(_ notice: Notice) { add(.notices, 1, ["kind": notice.kind.rawValue]) }

    // MARK: - The text

    /// All of it, as Prometheus reads it.
    ///
    /// - Parameter accept: the header of the request, which says whether OpenMetrics is understood.
    public func text(accept: String? = nil) -> (contentType: String, body: String) {
        let form = MetricsText.Form(accept: accept)
        let families = families.withLock { Array($0.values) }
        return (form.contentType, MetricsText.render(families, as: form))
    }

    // MARK: - Single values

    private func set(_ name: Name, _ value: Double, _ labels: [String: String] = [:]) {
        families.withLock { $0[name]?.values[MetricLabels(labels)] = .number(value) }
    }

    private func add(_ name: Name, _ value: Double, _ labels: [String: String] = [:]) {
        let key = MetricLabels(labels)
        families.withLock { families in
            var sum = value
            if case .number(let before) = families[name]?.values[key] { sum += before }
            families[name]?.values[key] = .number(sum)
        }
    }

    private func observe(_ name: Name, _ duration: Duration, _ labels: [String: String] = [:]) {
        let (seconds, attoseconds) = duration.components
        let key = MetricLabels(labels)
        families.withLock { families in
            var histogram = MetricFamily.Histogram()
            if case .histogram(let before) = families[name]?.values[key] { histogram = before }
            histogram.add(Double(seconds) + Double(attoseconds) * 1e-18)
            families[name]?.values[key] = .histogram(histogram)
        }
    }
}
