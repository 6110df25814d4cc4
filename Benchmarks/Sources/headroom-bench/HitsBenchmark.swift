//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// How often a store has what is asked for, by policy: the store's own index and eviction, without its
/// disk, beside models that are exact and have no segments.
struct HitsBenchmark {
    let bench: Bench

    /// Of the requests after the first quarter, which fills the cache.
    struct Ratios {
        var objects = 0.0
        var bytes = 0.0
        var cost = 0.0
        /// Bytes moved for each byte put.
        var moved = 0.0
    }

    /// What a policy or model reached over all limits of a trace, by its name.
    private typealias Results = [(name: String, isStore: Bool, ratios: [Ratios])]

    func run() {
        bench.say(
            """

            ### hits

            Hits in per cent of the requests after the first quarter. The policies are those of the store, \
            with its segments and its limit; below them exact lists without segments, which hold as many \
            bytes of records. “moved” is what the store copies to gain room, in per cent of what is put.

            """)
        var means: [(trace: String, results: Results)] = []
        let traces = HitTrace.all(scale: bench.options.isQuick ? 0.1 : bench.options.scale)
        for trace in traces {
            let only = bench.options.only
            guard only.isEmpty || only.contains(trace.name) else { continue }
            means.append((trace.name, measure(trace)))
        }
        summarize(means)
    }

    private func measure(_ trace: HitTrace) -> Results {
        let footprint = trace.footprint
        bench.say(
            "\n### \(trace.name)\n\n\(trace.requests.count) requests, \(trace.sizes.count) objects, "
                + "\(footprint / 1_000_000) MB\n")
        let kinds: [(String, KeyPath<Ratios, Double>)] =
            [("objects", \.objects)]
            + (trace.name.contains("sizes") ? [("bytes", \.bytes)] : [])
            + (trace.costs.isEmpty ? [] : [("cost", \.cost)]) + [("moved", \.moved)]
        var results: Results = []
        for policy in CachePolicy.allCases {
            bench.progress("hits: \(trace.name), \(policy.rawValue)")
            results.append(
                (
                    policy.rawValue, true,
                    trace.shares.map { run(policy, trace, limit: Double(footprint) * $0) }
                ))
        }
        let models: [(String, (HitModelInput) -> any HitModel)] = [
            ("exact LRU", { ListModel($0, movesUsed: true) }),
            ("exact FIFO", { ListModel($0, movesUsed: false) }),
            ("exact SIEVE", { SieveModel($0) }), ("S3-FIFO", { QueuesModel($0) }),
            ("GDSF", { GreedyDualModel($0) }), ("foresight", { ForesightModel($0) }),
        ]
        for (name, make) in models {
            bench.progress("hits: \(trace.name), \(name)")
            let ratios = trace.shares.map { share in
                let input = HitModelInput(
                    trace: trace, capacity: Int64(Double(footprint) * share))
                return run(make(input), trace)
            }
            results.append((name, false, ratios))
        }
        for (kind, path) in kinds {
            var table = Table([kind] + trace.shares.map { "\(Int(($0 * 100).rounded())) %" })
            for result in results where result.isStore || kind != "moved" {
                table.rows.append(
                    [result.name] + result.ratios.map { ($0[keyPath: path] * 100).text(1) })
            }
            bench.say(table.text)
        }
        return results
    }

    /// The mean over all limits, by trace: costs where objects have some.
    private func summarize(_ all: [(trace: String, results: Results)]) {
        guard let names = all.first?.results.map(\.name) else { return }
        var table = Table(["mean"] + all.map(\.trace) + ["all"])
        for (row, name) in names.enumerated() {
            let means = all.map { trace -> Double in
                let ratios = trace.results[row].ratios
                let path = trace.trace.contains("costs") ? \Ratios.cost : \Ratios.objects
                return ratios.reduce(0) { $0 + $1[keyPath: path] } / Double(ratios.count) * 100
            }
            let mean = means.reduce(0, +) / Double(means.count)
            table.rows.append([name] + (means + [mean]).map { $0.text(1) })
        }
        bench.say(table.text)
    }

    private func run(_ policy: CachePolicy, _ trace: HitTrace, limit: Double) -> Ratios {
        var store = CacheSimulation(
            CacheOptions(limit: ByteCount(Int64(limit)), policy: policy))
        var count = Count(trace)
        var attributes = CacheAttributes()
        for (number, key) in trace.requests.enumerated() {
            let key = Int(key)
            if !trace.costs.isEmpty {
                attributes.cost = .microseconds(Int64(trace.costs[key] * 1000))
            }
            let isHit = store.request(
                UInt64(key), bytes: Int(trace.sizes[key]), attributes)
            count.add(number, key, isHit)
        }
        var ratios = count.ratios
        ratios.moved = Double(store.movedBytes) / Double(max(1, store.putBytes))
        return ratios
    }

    private func run(_ model: any HitModel, _ trace: HitTrace) -> Ratios {
        var model = model
        var count = Count(trace)
        for (number, key) in trace.requests.enumerated() {
            count.add(number, Int(key), model.request(Int(key)))
        }
        return count.ratios
    }

    private struct Count {
        private let trace: HitTrace
        private let start: Int
        private var hits = Ratios()
        private var all = Ratios()

        init(_ trace: HitTrace) {
            self.trace = trace
            start = trace.requests.count / 4
        }

        mutating func add(_ number: Int, _ key: Int, _ isHit: Bool) {
            guard number >= start else { return }
            let (bytes, cost) = (Double(trace.sizes[key]), trace.cost(key))
            all.objects += 1
            all.bytes += bytes
            all.cost += cost
            guard isHit else { return }
            hits.objects += 1
            hits.bytes += bytes
            hits.cost += cost
        }

        var ratios: Ratios {
            Ratios(
                objects: hits.objects / all.objects, bytes: hits.bytes / all.bytes,
                cost: hits.cost / all.cost)
        }
    }
}
