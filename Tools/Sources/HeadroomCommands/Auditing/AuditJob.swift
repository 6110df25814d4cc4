//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom audit`.
struct AuditJob {
    var workspace: Workspace
    var paths: [FilePath]
    var options: AuditOptions
    var isGroup: Bool
    var showsProgress: Bool

    func audit() throws -> Audit {
        let progress = ScanProgress()
        return try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try workspace.audit(
                    paths, areGroups: isGroup, options: options, progress: progress)
            })
    }

    /// Does what is safe, and notes what came of it.
    func fix(_ report: inout AuditReport) throws {
        guard report.audit.isComplete else { return }
        report.repairs = workspace.repair(report.audit)
    }
}

/// Rules that somebody wrote.
enum RuleFile {
    static func read(_ name: String) throws(HeadroomError) -> RuleBook {
        let path = try Paths.existing(name)
        let bytes: [UInt8]
        do {
            bytes = try SmallText.read(path)
        } catch {
            throw HeadroomError("read", path, error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HeadroomError(
                .invalid, "\(path.displayText) is not text in UTF-8. Name a file of rules.")
        }
        return try RuleBook(parsing: text)
    }
}

/// A file that a person wrote.
private enum SmallText {
    private static let limit = 1 << 20

    static func read(_ path: FilePath) throws(Errno) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(
                path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                var bytes: [UInt8] = []
                while bytes.count <= limit {
                    let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) {
                        buffer, count in
                        count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                    }
                    if chunk.isEmpty { return bytes }
                    bytes += chunk
                }
                throw Errno.fileTooLarge
            }
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }
}
