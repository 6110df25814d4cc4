//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
public import SystemPackage

extension CleanUpTaskRunner {
    /// For a container that is not the program's own: one that was copied from a device, say. Its purgeable
    /// directories are emptied, whoever has registered them; actions cannot be called.
    ///
    /// - Parameters:
    ///   - path: the container of an app or a group.
    ///   - isGroup: it is a group's, though its metadata are not there.
    /// - Throws: `notFound`; `invalid` if it is no container.
    public convenience init(
        _ list: CleanUpTaskList, in workspace: Workspace, containerAt path: FilePath,
        isGroup: Bool = false, through: PurgeableClass = .cache, requester: String,
        progress: CleanUpTaskProgress = CleanUpTaskProgress()
    ) throws(HeadroomError) {
        let container = try workspace.resolve(path)
        let layouts = try workspace.containers(around: container, isGroup: isGroup)
        guard let layout = layouts.first(where: { $0.root == container }) else {
            throw HeadroomError(
                .invalid,
                "\(path.displayText) is not the container of an app or a group: it has no Documents, "
                    + "Library and tmp, or is somebody's home. Name the container itself.")
        }
        self.init(
            list, in: workspace.adding([layout]), container: container,
            registered: workspace.registered.filter {
                $0.area.root != container && $0.area.root.lies(in: container)
            }, through: through, requester: requester, progress: progress)
        for task in list.tasks { noteElsewhere(task) }
    }
}
