//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// Opens a home whose caches and temporary directories are purged file by file and without idle times, as areas
    /// that someone declared would be: for tests of single files.
    public static func openedByFile(
        environment: [String: String], home: FilePath, ledgerDirectory: FilePath,
        clock: @escaping @Sendable () -> Timestamp
    ) -> Workspace {
        var layout = Layout.xdg(environment: environment, home: home)
        for index in layout.areas.indices { layout.areas[index].unit = .file }
        let ledger = Ledger.open(directory: ledgerDirectory, now: clock)
        return Workspace(
            ledger: ledger, layouts: [layout], interrupted: ledger.recoverInterrupted(),
            trash: TrashPlaces(environment: environment, home: home), includesTrash: true,
            clock: clock)
    }
}
