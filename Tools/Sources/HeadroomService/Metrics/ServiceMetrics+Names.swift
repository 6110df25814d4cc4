//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ServiceMetrics {
    /// The metrics there are. A name that was ever released keeps its meaning.
    enum Name: CaseIterable {
        case build, configurationTaken, configurationTime
        case answers, size, available, inodes, availableInodes, level, threshold, cannotHelp
        case forecast
        case area, areaPurgeable, areaItems, module, purgeable, looked, leases, withheld
        case storeBytes, storeHits, storeMisses, storePuts, storeRemovals
        case storeEvictions, storeEvictedBytes, storeRegrets, storeRegretBytes
        case freed, purges, purgedItems, skipped, expected, gained, difference
        case purgeDuration, scanDuration
        case events, notices

        /// Those that are replaced as a whole with each reading of the volumes.
        static let ofVolumes: [Name] = [
            .answers, .size, .available, .inodes, .availableInodes, .level, .threshold,
            .cannotHelp, .forecast,
        ]

        /// Those that are replaced as a whole when areas were looked at.
        static let ofAreas: [Name] = [
            .area, .areaPurgeable, .areaItems, .purgeable, .looked, .leases, .storeBytes,
            .storeHits, .storeMisses, .storePuts, .storeRemovals, .storeEvictions,
            .storeEvictedBytes, .storeRegrets, .storeRegretBytes,
        ]

        static var all: [Name: MetricFamily] {
            Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.family) })
        }

        private var family: MetricFamily {
            switch self {
            case .build: gauge("build_info", "The version of the program; always 1.")
            case .configurationTaken:
                gauge(
                    "configuration_taken",
                    "1 if the configuration on disk is the one that runs, 0 if it has errors.")
            case .configurationTime:
                gauge(
                    "configuration_time_seconds", "seconds",
                    "When the configuration that runs was read, in seconds since 1970.")
            case .answers: gauge("volume_answers", "1 if the volume answered when it was read.")
            case .size: gauge("volume_size_bytes", "bytes", "The size of the volume.")
            case .available:
                gauge(
                    "volume_available_bytes", "bytes",
                    "What users can write, of the volume and of their quota.")
            case .inodes: gauge("volume_inodes", "How many inodes the volume has.")
            case .availableInodes:
                gauge("volume_available_inodes", "How many inodes are available.")
            case .level:
                gauge("pressure_level", "The level: 0 normal, 1 warning, 2 critical.")
            case .threshold:
                gauge("threshold_bytes", "bytes", "What is available when a level begins.")
            case .cannotHelp:
                gauge(
                    "cannot_help", "1 while what may go is less than half of what is missing.")
            case .forecast:
                gauge(
                    "forecast_seconds", "seconds",
                    "The time until a level or until full; missing where it is not expected.")
            case .area: gauge("area_bytes", "bytes", "What an area occupied at the last look.")
            case .areaPurgeable:
                gauge("area_purgeable_bytes", "bytes", "What of an area might go then.")
            case .areaItems: gauge("area_items", "How many items an area had then.")
            case .module: gauge("module_bytes", "bytes", "What a module says it occupies.")
            case .purgeable:
                gauge("purgeable_bytes", "bytes", "What might go at the last look, by class.")
            case .looked:
                gauge(
                    "areas_time_seconds", "seconds",
                    "When the areas of a volume were last looked at, in seconds since 1970.")
            case .leases:
                gauge("leases", "Files and directories of areas under a lease at the last look.")
            case .storeBytes:
                gauge("cache_store_bytes", "bytes", "What a cache store occupied.")
            case .storeHits: counter("cache_hits", "Gets of a cache store that found a value.")
            case .storeMisses: counter("cache_misses", "Gets of a cache store that found nothing.")
            case .storePuts: counter("cache_puts", "Values that were put into a cache store.")
            case .storeRemovals:
                counter("cache_removals", "Values that were removed from a cache store.")
            case .storeEvictions: counter("cache_evictions", "Values that a cache store gave up.")
            case .storeEvictedBytes:
                counter("cache_evicted_bytes", "bytes", "Bytes of what a cache store gave up.")
            case .storeRegrets:
                counter("cache_regrets", "Values that were put again soon after they were evicted.")
            case .storeRegretBytes:
                counter(
                    "cache_regret_bytes", "bytes",
                    "Bytes of values that were put again soon after they were evicted.")
            case .withheld:
                gauge("withheld_areas", "How many declarations are in their grace.")
            case .freed:
                counter(
                    "freed_bytes", "bytes", "What purges removed, in allocated bytes.")
            case .purges: counter("purges", "Purges, by what caused them and how they ended.")
            case .purgedItems: counter("purged_items", "Items that purges removed.")
            case .skipped: counter("skipped_items", "Items that were planned and kept.")
            case .expected: counter("expected_bytes", "bytes", "What plans said would be gained.")
            case .gained:
                counter("gained_bytes", "bytes", "What volumes said was gained by purges.")
            case .difference:
                gauge(
                    "expected_minus_gained_bytes", "bytes",
                    "Of the last purge: what was expected and not gained.")
            case .purgeDuration: histogram("purge_duration_seconds", "How long purges took.")
            case .scanDuration: histogram("scan_duration_seconds", "How long scans took.")
            case .events: counter("events", "Events, by kind.")
            case .notices: counter("notices", "Notices that people were told, by kind.")
            }
        }

        private func gauge(_ name: String, _ unit: String, _ help: String) -> MetricFamily {
            MetricFamily(name: "headroom_" + name, kind: .gauge, unit: unit, help: help)
        }

        private func gauge(_ name: String, _ help: String) -> MetricFamily {
            gauge(name, "", help)
        }

        private func counter(_ name: String, _ unit: String, _ help: String) -> MetricFamily {
            MetricFamily(name: "headroom_" + name, kind: .counter, unit: unit, help: help)
        }

        private func counter(_ name: String, _ help: String) -> MetricFamily {
            counter(name, "", help)
        }

        private func histogram(_ name: String, _ help: String) -> MetricFamily {
            MetricFamily(
                name: "headroom_" + name, kind: .histogram, unit: "seconds", help: help)
        }
    }
}
