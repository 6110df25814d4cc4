//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Looks at directories: what of them is backed up, what the largest files are, what is amiss.
    /// Changes nothing. Blocks: scans, and reads the beginnings of the largest files.
    ///
    /// Any directory may be named. One that is an app's container, or lies in one, is judged as Apple
    /// backs it up; all else as what is backed up unless it is excluded.
    ///
    /// - Parameters:
    ///   - paths: directories; the home if there are none. What lies in another one is left out.
    ///   - groups: those of the paths that a person says are containers of app groups.
    /// - Throws: ``HeadroomError`` if a directory cannot be opened, or is said to be the container of a
    ///   group and is none.
    public func audit(
        _ paths: [FilePath] = [], groups: [FilePath] = [], options: AuditOptions = .standard,
        progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) -> Audit {
        let scope = try auditScope(paths, groups: groups)
        let calls = NativeCalls.make()
        let exclusion = DialectProbe(calls: calls)
        let layouts = scope.layouts
        var scanOptions = ScanOptions(now: clock())
        scanOptions.markSource = AuditMarkSource(
            marks: LedgerMarkSource(calls: calls, recorded: ledger.markedFiles),
            exclusion: exclusion,
            readsEveryFile: options.readsEveryFile
                ?? layouts.contains { $0.kind == .appleContainer || $0.kind == .appleGroup })
        let inventory = try Scanner.scan(
            scope.roots, areas: scope.areas, options: scanOptions, progress: progress)
        let survey = AuditSurvey(inventory, layouts: layouts, options: options)
        let reader = EvidenceReader(calls: calls, exclusion: exclusion)
        let evidence =
            inventory.isComplete ? reader.read(survey.candidates, of: inventory) : [:]
        return Audit(survey: survey, evidence: evidence, lostMarks: [])
    }

    private struct AuditScope {
        var roots: [ScanRoot]
        var areas: [Area]
        var layouts: [Layout]
    }

    private func auditScope(
        _ paths: [FilePath], groups: [FilePath]
    ) throws(HeadroomError) -> AuditScope {
        var layouts = layouts
        var roots: [FilePath] = []
        for path in paths.isEmpty ? layouts.prefix(1).map(\.root) : paths {
            let directory = try Self.resolved(path)
            roots.append(directory)
            for layout in try containers(directory, isGroup: groups.contains(path))
            where !layouts.contains(where: { $0.root == layout.root && $0.kind == layout.kind }) {
                layouts.append(layout)
            }
        }
        roots = Self.outermost(roots)
        let map = AreaMap(auditAreas(layouts))
        return AuditScope(
            roots: roots.map { path in
                let volume = try? Volume.containing(path)  // Unknown: reading counts as use.
                return ScanRoot(
                    path: path, countsAccess: !(volume?.isNoatime ?? false),
                    mark: (try? effectiveMark(of: path.removingLastComponent())) ?? .none)
            },
            areas: map.areas,
            layouts: layouts.filter { layout in
                roots.contains { $0.starts(with: layout.root) || layout.root.starts(with: $0) }
            })
    }

    /// The areas as a purge would see them: what may not be used there is essential here.
    private func auditAreas(_ layouts: [Layout]) -> [Area] {
        let known = scope().areas
        let validation = AreaValidation(layouts: layouts, marks: marks)
        return known + layouts.dropFirst(self.layouts.count).flatMap { validation.usable($0).areas }
    }

    private static func resolved(_ path: FilePath) throws(HeadroomError) -> FilePath {
        do {
            return try ResolvedDirectory(path).path
        } catch .notDirectory {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is not a directory. Name the directory that it lies in.")
        } catch {
            throw HeadroomError("open", path, error)
        }
    }

    /// Without what lies in another one, each once, in their order.
    private static func outermost(_ paths: [FilePath]) -> [FilePath] {
        var kept: [FilePath] = []
        for path in paths where !kept.contains(where: { path.starts(with: $0) }) {
            kept.removeAll { $0.starts(with: path) }
            kept.append(path)
        }
        return kept
    }

    private func containers(
        _ path: FilePath, isGroup: Bool
    ) throws(HeadroomError) -> [Layout] {
        if isGroup {
            guard let layout = Layout.appleGroup(at: path, explicitly: true) else {
                throw HeadroomError(
                    .invalid,
                    "\(path.displayText) is no container of an app group: it has no Library, is "
                        + "the container of an app, or somebody's home. Leave out --layout.")
            }
            return [layout]
        }
        return [Layout.appleContainer(around: path)].compactMap(\.self)
    }
}
