//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
public import HeadroomPlatform
import HeadroomPurging
public import SystemPackage

extension Scope {
    /// The same directories, of which nothing goes that lies in some places: what is declared there
    /// counts as essential.
    public func withholding(_ places: Set<FilePath>) -> Scope {
        guard !places.isEmpty else { return self }
        var classes: [FilePath: PurgeClass] = [:]
        let areas = areas.map { area in
            guard area.root.lies(in: places) else { return area }
            var area = area
            classes[area.root] = area.purgeClass
            area.purgeClass = .essential
            return area
        }
        return with(areas, withheld: classes)
    }

    /// Only the directories that lie on a volume and can be opened. Blocks, for one that does not answer no
    /// longer than a limit.
    ///
    /// One that is gone is left out; one that cannot be opened too, with a note.
    public func on(_ volume: Volume) -> Scope {
        guard let state = PlanRequest.VolumeState(volume) else { return keeping([], notes: []) }
        return openable { state.contains(device: $0.identity.device, mountID: $0.mountID) }
    }

    /// Only the directories that can be opened. Blocks, for one that does not answer no longer than a limit.
    public func openable() -> Scope { openable { _ in true } }

    private func openable(_ isMeant: (FileStatus) -> Bool) -> Scope {
        var kept: [ScanRoot] = []
        var notes: [Reason] = []
        let found = workspace.answers.ask(roots, at: { $0.path }) {
            (root) throws(HeadroomError) -> FileStatus? in
            do throws(Errno) {
                return try ResolvedDirectory(root.path).status
            } catch .noSuchFileOrDirectory {
                return nil
            } catch {
                throw HeadroomError("open", root.path, error)
            }
        }
        for (root, answer) in zip(roots, found) {
            do throws(HeadroomError) {
                if let status = try answer.get(), isMeant(status) { kept.append(root) }
            } catch {
                notes.append(
                    Reason(
                        error.cause == .timedOut ? .volumeSilent : .unreadable, error.message))
            }
        }
        return keeping(kept, notes: notes)
    }

    /// Without the directories that another purge is at work in, and why. Blocks for a moment.
    public func withoutBusy() -> Scope {
        var kept: [ScanRoot] = []
        var notes: [Reason] = []
        for root in roots {
            if let holder = Self.holder(of: root.path) {
                notes.append(Reason(.busy, holder))
            } else {
                kept.append(root)
            }
        }
        return keeping(kept, notes: notes)
    }

    /// Who is at work there, in words; nil: nobody.
    private static func holder(of root: FilePath) -> String? {
        guard let directory = try? Descriptor.openDirectory(root) else { return nil }
        do throws(HeadroomError) {
            _ = try AreaLock.attempt(
                root: directory.rawValue, path: root, purpose: "purge", books: nil,
                allowsFallback: false)
            return nil
        } catch {
            return error.code == .busy ? error.message : nil
        }
    }
}
