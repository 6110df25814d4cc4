//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension Workspace {
    /// The scope of directories of which a person says what they are.
    ///
    /// - Parameter areGroups: they are containers of app groups, which need not bear the metadata then.
    /// - Throws: as ``scope(paths:as:unit:)``; `invalid` if one is no container of a group.
    public func scope(
        paths: [FilePath], as purgeClass: PurgeClass? = nil, unit: PurgeUnit = .file,
        areGroups: Bool
    ) throws(HeadroomError) -> Scope {
        guard areGroups else { return try scope(paths: paths, as: purgeClass, unit: unit) }
        var groups: [Layout] = []
        for path in paths { groups += try containers(around: path, isGroup: true) }
        return try adding(groups).scope(paths: paths, as: purgeClass, unit: unit)
    }

    /// The Apple container that a directory is, or lies in. The user's home and what is around it are
    /// none, whatever they contain.
    ///
    /// - Parameter isGroup: a person says that the directory is the container of an app group.
    /// - Throws: `invalid` if it is said to be one and is none.
    func containers(around path: FilePath, isGroup: Bool) throws(HeadroomError) -> [Layout] {
        let homes = layouts.filter { $0.kind == .xdg }.map(\.root)
        guard isGroup else {
            return [Layout.appleContainer(around: path, besides: homes)].compactMap(\.self)
        }
        let directory = (try? ResolvedDirectory(path).path) ?? path
        guard !Homes(homes).concern(directory),
            let layout = Layout.appleGroup(at: directory, explicitly: true)
        else {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is no container of an app group: it has no Library, or is the "
                    + "container of an app, or a home. Leave out --layout.")
        }
        return [layout]
    }
}
