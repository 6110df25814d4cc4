//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom status` shows.
struct StatusReport: Report {
    static let schema = "headroom.status/1"

    struct VolumeStatus {
        var volume: Volume
        var capacity: VolumeCapacity
        /// Nil: there is no history of it.
        var forecast: Forecast?

        var level: PressureLevel? { PressureThresholds.standard.level(of: volume) }
    }

    /// What may go of one class.
    struct Rung {
        var purgeClass: PlannedClass
        var bytes = ByteCount.zero
        var items = 0
        var dueBytes = ByteCount.zero
        var dueItems = 0
        var oldestUse: Timestamp?
        var areas: [PlanSummary.AreaPart]
        /// The largest first.
        var places: [PlanSummary.Place]
        /// Where the areas are, as somebody named them: of a well-known cache, what it lies in.
        var roots: [FilePath] = []
        /// Of these, the well-known caches, each once; the largest first.
        var caches: [Cache] = []

        /// - Returns: nil if nothing of the class is where it is wanted.
        /// - Parameter declared: all areas.
        init?(
            _ purgeClass: PlannedClass, of summary: PlanSummary, in declared: [Area],
            where isShown: (FilePath) -> Bool
        ) {
            self.purgeClass = purgeClass
            areas = summary.areas.filter {
                $0.purgeClass == purgeClass && isShown($0.area.root)
            }
            places = summary.places.filter { $0.purgeClass == purgeClass && isShown($0.path) }
            guard !areas.isEmpty else { return nil }
            for part in areas {
                bytes += part.sum.bytes
                items += part.sum.items
                dueBytes += part.sum.dueBytes
                dueItems += part.sum.dueItems
            }
            oldestUse = areas.compactMap(\.sum.oldestUse).min()
            for area in areas.map(\.area) {
                let holder =
                    area.catalogueID == nil
                    ? area
                    : declared.filter { $0.catalogueID == nil && area.root.starts(with: $0.root) }
                        .max { $0.root.components.count < $1.root.components.count }
                guard let holder, holder.purgeClass == area.purgeClass else { continue }
                if !roots.contains(holder.root) { roots.append(holder.root) }
            }
            var caches: [String: Cache] = [:]
            for part in areas {
                guard let id = part.area.catalogueID else { continue }
                caches[id, default: Cache(id: id, name: part.area.origin)].add(part.sum)
            }
            self.caches = caches.values.sorted { ($1.bytes, $0.id) < ($0.bytes, $1.id) }
        }
    }

    /// What may go of one well-known cache.
    struct Cache {
        var id: String
        var name: String
        var bytes = ByteCount.zero
        var items = 0

        mutating func add(_ sum: PlanSummary.Sum) {
            bytes += sum.bytes
            items += sum.items
        }
    }

    var volumes: [VolumeStatus]
    var ladder: [Rung]
    var now: Timestamp
    /// The largest files that may go.
    var biggest: [(path: FilePath, bytes: ByteCount, purgeClass: PurgeClass)] = []
    /// What would go if it were not pinned.
    var pinned = ByteCount.zero
    /// All else on the home's volume; nil if that is not known.
    var essential: ByteCount?
    /// Files without a name that processes keep.
    var deleted: [DeletedFiles.File] = []
    var hiddenProcesses = 0
    /// What grew beyond its usual rate within a day, the latest first.
    var anomalies: [RecordedHistory.Anomaly] = []
    /// What Headroom itself occupies; nil: nothing yet.
    var footprint: ByteCount?

    /// A volume that does not answer does not make the rest fail.
    var status: ExitStatus { volumes.contains { $0.volume.error != nil } ? .partly : .done }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("time", now)
        json.array("volumes") { json in
            for volume in volumes { json.object { Self.write(volume, to: &$0) } }
        }
        json.array("ladder") { json in
            for rung in ladder { json.object { Self.write(rung, to: &$0) } }
        }
        json.member("pinnedBytes", pinned)
        json.member("essentialBytes", essential)
        json.objects("biggestItems", biggest) { json, item in
            json.member("path", item.path)
            json.member("class", item.purgeClass.name)
            json.member("bytes", item.bytes)
        }
        json.objects("anomalies", anomalies) { json, event in
            json.member("time", event.time)
            json.member("subject", event.subject)
            json.member("text", event.text)
        }
        DeletedFilesText(deleted, hiddenProcesses: hiddenProcesses).write(to: &json)
        json.member("footprintBytes", footprint)
    }

    private static func write(_ status: VolumeStatus, to json: inout JSONWriter) {
        let (volume, capacity) = (status.volume, status.capacity)
        json.member("mountPoint", volume.mountPoint)
        json.member("type", volume.type)
        json.member("source", volume.source)
        json.member("level", status.level?.name)
        json.member("readOnly", volume.isReadOnly)
        json.member("pseudo", volume.isPseudo)
        for (name, figure) in [
            ("total", capacity.total), ("available", capacity.available),
            ("important", capacity.forImportantUsage),
            ("opportunistic", capacity.forOpportunisticUsage),
        ] {
            json.member(name + "Bytes", figure.bytes)
            json.member(name + "Source", figure.provenance.rawValue)
        }
        json.member("inodes", capacity.inodes)
        json.member("availableInodes", capacity.availableInodes)
        if let forecast = status.forecast {
            json.object("forecast") { json in json.members(of: forecast) }
        }
        json.member("error", volume.error.map { "\($0)" })
    }

    private static func write(_ rung: Rung, to json: inout JSONWriter) {
        json.member("class", rung.purgeClass.name)
        json.member("bytes", rung.bytes)
        json.member("items", rung.items)
        json.member("dueBytes", rung.dueBytes)
        json.member("dueItems", rung.dueItems)
        json.member("oldestUse", rung.oldestUse)
        json.objects("areas", rung.areas) { json, part in
            json.member("path", part.area.root)
            json.member("origin", part.area.origin)
            json.member("catalogue", part.area.catalogueID)
            json.member("bytes", part.sum.bytes)
            json.member("items", part.sum.items)
        }
        json.objects("caches", rung.caches) { json, cache in
            json.member("id", cache.id)
            json.member("name", cache.name)
            json.member("bytes", cache.bytes)
            json.member("items", cache.items)
        }
        json.objects("largest", rung.places.prefix(20)) { json, place in
            json.member("path", place.path)
            json.member("bytes", place.sum.bytes)
            json.member("items", place.sum.items)
        }
    }

    // MARK: - Text

    var document: Document { StatusText(report: self).document }
}
