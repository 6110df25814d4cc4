//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom doctor` found.
struct DoctorReport: Report {
    static let schema = "headroom.doctor/1"

    struct Finding {
        enum State: String {
            case good
            /// Works, with less.
            case limited
            /// Something to be mended.
            case bad
        }

        /// Stable, for programs.
        var name: String
        var state: State
        /// A sentence for people.
        var text: String
    }

    struct VolumeFinding {
        var volume: Volume
        /// Nil if it did not answer.
        var features: VolumeFeatures?
        var level: PressureLevel?
    }

    var kernel: String
    var findings: [Finding]
    var volumes: [VolumeFinding]
    var deleted: DeletedFiles
    var areas: [Area]
    var notes: [String]

    var status: ExitStatus {
        findings.contains { $0.state == .bad } ? .partly : .done
    }

    static func make(_ workspace: Workspace) throws -> DoctorReport {
        let features = SystemFeatures.probe()
        let deleted = DeletedFiles.current()
        let scope = workspace.scope()
        return DoctorReport(
            kernel: features.kernel,
            findings: DoctorFindings.system(features, deleted, .current())
                // mutation: r25e-3
                + DoctorFindings.clock(workspace) + DoctorFindings.ledger(workspace),
            volumes: try VolumeList.all().map { volume in
                VolumeFinding(
                    volume: volume,
                    features: volume.isHanging ? nil : VolumeFeatures.probe(at: volume.mountPoint),
                    level: PressureThresholds.standard.level(of: volume))
            },
            deleted: deleted, areas: scope.areas, notes: scope.notes.map(\.text))
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("version", Program.version)
        json.member("system", kernel)
        json.objects("findings", findings) { json, finding in
            json.member("name", finding.name)
            json.member("state", finding.state.rawValue)
            json.member("text", finding.text)
        }
        json.objects("volumes", volumes) { json, finding in
            json.member("mountPoint", finding.volume.mountPoint)
            json.member("type", finding.volume.type)
            json.member("level", finding.level?.name)
            json.member("answers", finding.volume.error == nil)
            json.member("attributes", finding.features?.keepsAttributes ?? false)
            json.member("birthTimes", finding.features?.keepsBirthTimes ?? false)
            json.member("noatime", finding.volume.isNoatime)
            json.member("readOnly", finding.volume.isReadOnly)
        }
        json.objects("areas", areas) { json, area in
            json.member("path", area.root)
            json.member("class", area.purgeClass.name)
            json.member("origin", area.origin)
        }
        json.array("notes", notes)
        DeletedFilesText(deleted.files, hiddenProcesses: deleted.hiddenProcesses).write(to: &json)
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        document.add(
            StyledText("headroom \(Program.version)", .strong) + StyledText(" on \(kernel)"))
        document.addBlank()
        var table = Table([.fixed(), .fixed(), .sentence()])
        for finding in findings {
            table.add(
                .text(Self.symbol(finding.state)), .text(StyledText(finding.name)),
                .text(StyledText(finding.text, finding.state == .good ? .faint : .plain)))
        }
        document.add(table)
        document.addBlank()
        document.add(volumeTable)
        document.addBlank()
        document.add(areaTable)
        for note in notes { document.add(StyledText(note, .warning)) }
        DeletedFilesText(deleted.files, hiddenProcesses: deleted.hiddenProcesses)
            .describe(in: &document)
        document.next = ["headroom status"]
        return document
    }

    private static func symbol(_ state: Finding.State) -> StyledText {
        switch state {
        case .good: StyledText("ok", .good)
        case .limited: StyledText("less", .warning)
        case .bad: StyledText("bad", .critical)
        }
    }

    private var volumeTable: Table {
        var table = Table([
            .path("volume"), .fixed("type"), .fixed("marks"), .fixed("birth times"),
            .fixed("reading is use"), .fixed("level"),
        ])
        for finding in volumes {
            let volume = finding.volume
            guard let features = finding.features else {
                table.add(
                    .text(StyledText(volume.mountPoint.displayText)),
                    .text(StyledText(volume.type)),
                    .text(StyledText("does not answer", .warning)), .empty, .empty, .empty)
                continue
            }
            table.add(
                .text(StyledText(volume.mountPoint.displayText)),
                .text(StyledText(volume.type, .faint)),
                .text(features.keepsAttributes ? "with the file" : "ledger only"),
                .text(
                    StyledText(features.keepsBirthTimes.map { $0 ? "yes" : "first seen" } ?? "?")),
                .text(volume.isNoatime ? "no (noatime)" : "yes"),
                .text(
                    volume.isReadOnly
                        ? StyledText("read-only", .faint)
                        : StyledText(finding.level?.name ?? "–")))
        }
        return table
    }

    private var areaTable: Table {
        var table = Table([.path("area"), .fixed("class"), .text("declared by")])
        for area in areas {
            table.add(
                .text(StyledText(area.root.homeRelativeText)),
                .text(StyledText(area.purgeClass.name, Style(area.purgeClass))),
                .text(StyledText(area.origin, .faint)))
        }
        return table
    }
}
