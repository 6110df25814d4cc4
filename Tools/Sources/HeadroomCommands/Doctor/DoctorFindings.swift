//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What is said of each thing that `doctor` looks at.
enum DoctorFindings {
    typealias Finding = DoctorReport.Finding

    static func system(
        _ features: SystemFeatures, _ processes: DeletedFiles, _ rights: Privileges
    ) -> [Finding] {
        [
            Finding(
                name: "openat2", state: features.opensBeneath ? .good : .limited,
                text: features.opensBeneath
                    ? "paths are opened without leaving their area, by the kernel"
                    : "missing or forbidden: each name on a path is opened and checked by itself, "
                        + "which is as safe and slower"),
            Finding(
                name: "statx", state: features.tellsMounts ? .good : .limited,
                text: features.tellsMounts
                    ? "tells the mount of each file: bind mounts are not entered"
                    : "does not tell mounts: they are told apart by device alone"),
            Finding(
                name: "listxattrat", state: features.readsAttributesByName ? .good : .limited,
                text: features.readsAttributesByName
                    ? "marks are read without opening files"
                    : "missing before Linux 6.13: each file is opened to read its marks before it "
                        + "goes"),
            lease(features.grantsLeases, rights), processFinding(processes, rights),
            privileges(features, rights),
        ]
    }

    private static func privileges(_ features: SystemFeatures, _ rights: Privileges) -> Finding {
        let name = "privileges"
        guard features.isRoot else {
            return Finding(
                name: name, state: .good,
                text: "user \(User.effective): only your own files can go")
        }
        guard !rights.missing.isEmpty else {
            return Finding(
                name: name, state: .good, text: "root: every user's files can be seen and named")
        }
        let without = rights.missing.map { right in
            switch right {
            case .dacOverride: "CAP_DAC_OVERRIDE (files of others cannot go)"
            case .dacReadSearch: "CAP_DAC_READ_SEARCH (directories of others cannot be read)"
            case .ownerOfAll: "CAP_FOWNER (nothing of others in sticky directories can go)"
            case .tracing: "CAP_SYS_PTRACE (small files that others have open are not known)"
            case .leasing:
                "CAP_LEASE (large files that others have open are not told by the kernel)"
            }
        }
        return Finding(
            name: name, state: .limited, text: "root without \(without.joined(separator: ", "))")
    }

    private static func lease(_ grants: Bool?, _ rights: Privileges) -> Finding {
        let (state, text): (Finding.State, String) =
            switch grants {
            case true? where rights.missing.contains(.leasing):
                (.limited, "granted on root's own files alone: the right CAP_LEASE is missing")
            case true?: (.good, "the kernel says whether a large file is open, and keeps it shut")
            case false?:
                (.limited, "not granted here: open files are known from /proc alone")
            case nil: (.limited, "could not be tried: no file can be made in /tmp")
            }
        return Finding(name: "file leases", state: state, text: text)
    }

    private static func processFinding(
        _ processes: DeletedFiles, _ rights: Privileges
    ) -> Finding {
        guard processes.isAvailable else {
            return Finding(
                name: "processes", state: .limited,
                text: "/proc cannot be read: open files are not known")
        }
        let visible = processes.visibleProcesses.grouped
        if processes.hiddenProcesses > 0 {
            return Finding(
                name: "processes", state: .limited,
                text: "the open files of \(visible) are seen, those of "
                    + "\(processes.hiddenProcesses.grouped) of other users are not")
        }
        guard rights.seesAllProcesses else {
            return Finding(
                name: "processes", state: .limited,
                text: "the open files of the \(visible) of this container are seen, those of the "
                    + "machine's other processes are not")
        }
        let mapped = processes.hasExactMappings ? "" : "; mapped ones by inode number alone"
        return Finding(
            name: "processes", state: processes.hasExactMappings ? .good : .limited,
            text: "the open files of all \(visible) are seen" + mapped)
    }

    /// Nothing unless age rules pause.
    static func clock(_ workspace: Workspace) -> [Finding] {
        workspace.pauseOfAgeRules().map { [Finding(name: "clock", state: .limited, text: $0.text)] }
            ?? []
    }

    static func ledger(_ workspace: Workspace) -> [Finding] {
        let ledger = workspace.ledger
        let place = ledger.directory.homeRelativeText
        if !ledger.notices.isEmpty {
            return ledger.notices.map { Finding(name: "ledger", state: .bad, text: $0) }
        }
        guard ledger.isPersistent else {
            return [
                Finding(
                    name: "ledger", state: .good,
                    text: "none yet; the first mark or purge makes one in \(place)")
            ]
        }
        // Receipts that cannot be read are told about by the ledger's own notices.
        let receipts = (try? ledger.receipts(last: 1_000))?.count ?? 0
        return [
            Finding(
                name: "ledger", state: .good,
                text: "\(place): \(ledger.markedFiles.count.counted("mark")), "
                    + "\(ledger.registrations.count.counted("registered area")), "
                    + receipts.counted("receipt"))
        ]
    }
}
