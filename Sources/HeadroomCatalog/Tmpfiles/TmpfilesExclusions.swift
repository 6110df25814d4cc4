//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
package import SystemPackage

/// The lines of tmpfiles.d that keep paths from being cleaned: `x` with everything below, `X` by themselves; and lines that
/// create a path (`d`, `f`, `L`, …), which systemd-tmpfiles leaves out when it cleans the directory around it.
package struct TmpfilesExclusions {
    package struct Line {
        package let source: TmpfilesLine.Source
        /// Whether everything below is kept, too.
        package let isTree: Bool
        /// Whether it creates the path. Such a line keeps the path when the directory around it is cleaned. If the path itself is
        /// what is cleaned, the line keeps nothing.
        package let creates: Bool
        let glob: PathGlob
    }

    package private(set) var lines: [Line] = []

    /// Reads the lines of a context. Blocks: reads its files.
    ///
    /// A line that cannot be read keeps nothing; `headroom tmpfiles` reports it. A specifier whose value is
    /// not known stands for any name.
    package init(_ context: TmpfilesContext) {
        for line in TmpfilesFiles(context.directories).lines where !line.isForBoot {
            let creates = line.kind == .path || line.kind == .other
            guard creates || line.kind == .exclusion || line.kind == .exclusionOfItself,
                let path = context.expand(line.path, any: "*").path,
                let glob = PathGlob((context.root?.bytes ?? []) + path)
            else { continue }
            lines.append(
                Line(
                    source: line.source, isTree: line.kind != .exclusionOfItself, creates: creates,
                    glob: glob))
        }
    }
}

extension TmpfilesExclusions.Line {
    /// The paths that the line keeps in some directories: existing paths, or a whole directory inside one
    /// that the line names. Blocks: lists the directories that the patterns refer to.
    ///
    /// - Parameter roots: plain paths.
    package func paths(below roots: [FilePath]) -> [FilePath] {
        var found: [FilePath] = []
        for root in roots {
            let names = root.names
            let shared = min(names.count, glob.names.count)
            guard zip(glob.names.prefix(shared), names).allSatisfy({ $0.matches($1.bytes) }) else {
                continue
            }
            if glob.names.count <= names.count {
                // The line names the directory, or one around it.
                if isTree, !creates { found.append(root) }
            } else {
                found += expand(glob.names.dropFirst(names.count), in: root)
            }
        }
        return found
    }

    private func expand(_ patterns: ArraySlice<NameGlob>, in directory: FilePath) -> [FilePath] {
        guard let pattern = patterns.first else { return [directory] }
        let rest = patterns.dropFirst()
        if let literal = pattern.literal {
            let path = directory.appending(literal)
            guard rest.isEmpty else {
                return ContainerDirectory.isDirectory(path) ? expand(rest, in: path) : []
            }
            return (try? PathCalls.entryStatus(path)) == nil ? [] : [path]
        }
        // A directory that does not exist, or may not be listed, has nothing that is known.
        let names =
            (try? ContainerDirectory(directory).names(in: nil) { pattern.matches($0.bytes) })
        return (names ?? []).flatMap { name -> [FilePath] in
            let path = directory.appending(name)
            guard !rest.isEmpty else { return [path] }
            return ContainerDirectory.isDirectory(path) ? expand(rest, in: path) : []
        }
    }
}
