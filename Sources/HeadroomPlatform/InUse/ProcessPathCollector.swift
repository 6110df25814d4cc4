//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
package import SystemPackage

extension ProcessPathSurvey {
    /// Looks at all processes and mount namespaces. Blocks for some milliseconds.
    ///
    /// This process counts with its working directory and its executable only. Of the paths that its ancestors name,
    /// those on its own command line don't count: the shell, `sudo` or `timeout` that started it names the path that
    /// the user wants to purge.
    ///
    /// - Parameter roots: plain paths. Paths inside of them count, the roots themselves do not.
    package static func capture(below roots: [FilePath]) -> ProcessPathSurvey {
        let collector = ProcessPathCollector(below: roots, withLinksAndMounts: true)
        guard !roots.isEmpty, let proc = try? ProcessDirectory.open("/proc", at: AT_FDCWD) else {
            return ProcessPathSurvey()
        }
        for process in ProcessDirectory.processes(in: proc.rawValue) {
            // It ended since it was listed.
            guard let directory = try? ProcessDirectory.open("\(process)", at: proc.rawValue)
            else { continue }
            let key = ProcessPathCollector.key("ns/mnt", "root", at: directory.rawValue)
            collector.add(process, at: directory.rawValue, key)
        }
        return collector.survey
    }
}

/// Collects the paths below some directories that processes work with.
///
/// For one thread. Most processes have the same environment and many the same arguments, so each text is
/// examined once for each file tree.
final class ProcessPathCollector {
    var survey = ProcessPathSurvey()
    private let roots: [[UInt8]]
    private let rootPaths: [FilePath]
    private let withLinksAndMounts: Bool
    let ownProcess = getpid()
    private let launching = LaunchingProcesses()
    /// The plain paths that this process's command line names.
    private lazy var requested: Set<[UInt8]> = requestedPaths()
    private var trees: [TreeKey: Tree] = [:]
    private let ownKey: TreeKey
    let own: Tree?
    /// Top-level directories that hold programs and no caches.
    private let skipped: [[UInt8]]
    var seenSources: Set<SourceKey> = []
    var knownTables: Set<Int> = []

    struct TreeKey: Hashable {
        let namespace: UInt64
        let root: FileIdentity
    }

    struct SourceKey: Hashable {
        let device: UInt64
        let root: FilePath
    }

    private static let systemDirectories = [
        "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys",
        "usr",
    ]

    /// - Parameter withLinksAndMounts: whether working directories, executables and mount sources are
    ///   collected, too.
    init(below roots: [FilePath], withLinksAndMounts: Bool) {
        rootPaths = roots
        self.roots = roots.map(\.bytes)
        self.withLinksAndMounts = withLinksAndMounts
        skipped = Self.systemDirectories.filter { name in
            !roots.contains { $0.lies(in: FilePath("/\(name)")) }
        }.map { Array($0.utf8) }
        ownKey =
            Self.key("/proc/self/ns/mnt", "/", at: AT_FDCWD)
            ?? TreeKey(
                namespace: 0, root: FileIdentity(device: 0, inode: 0))
        own = (try? ProcessFileTree(of: nil, trusting: roots)).map { Tree($0) }
        trees[ownKey] = own
    }

    // MARK: - Processes

    /// Adds the paths that one process uses.
    ///
    /// - Parameters:
    ///   - directory: its directory below `/proc`.
    ///   - key: of its file tree; nil: it may not be seen.
    func add(_ process: Int32, at directory: Int32, _ key: TreeKey?) {
        // Not readable once the process has ended: it uses nothing then.
        guard
            let arguments = try? ProcessDirectory.content(
                of: "cmdline", at: directory, limit: Self.argumentLimit, endsWithShortRead: true)
        else { return }
        if withLinksAndMounts { addPrograms(of: process, arguments) }
        // Only the arguments of another user's process can be read. They are resolved in this process's tree.
        guard let tree = key.map({ tree($0, process) }) ?? own else { return }
        let workingDirectory = key == nil ? nil : ProcessDirectory.target(of: "cwd", at: directory)
        if withLinksAndMounts, key != nil {
            addLinks(of: process, at: directory, workingDirectory: workingDirectory, tree)
        }
        if withLinksAndMounts, key != nil || !arguments.isEmpty {
            addMountSources(of: process, at: directory, tree, isOwnTable: key != nil)
        }
        let isOwn = process == ownProcess
        let namer = Namer(
            process: process, tree: tree, isAncestor: isOwn || launching.contains(process),
            workingDirectory: workingDirectory.map {
                WorkingDirectory(path: $0, isRelated: isRelated($0))
            })
        let named = isOwn ? [] : launching.withoutLaunch(arguments)
        if !named.isEmpty { addArguments(named, namer) }
        // A shell's own environment lacks the variables that its startup files export; this process's has them.
        guard key != nil,
            let environment = try? ProcessDirectory.content(
                of: "environ", at: directory, limit: Self.argumentLimit, endsWithShortRead: true)
        else { return }
        addEnvironment(environment, namer)
    }

    private func addPrograms(of process: Int32, _ arguments: [UInt8]) {
        guard process != ownProcess else { return }
        for argument in arguments.split(separator: 0, maxSplits: 2).prefix(2) {
            guard let name = argument.split(separator: UInt8(ascii: "/")).last, name.count < 64
            else { continue }
            let program = String(decoding: name, as: UTF8.self).lowercased()
            survey.programs[program, default: []].append(process)
        }
    }

    /// A process that names paths.
    private struct Namer {
        let process: Int32
        let tree: Tree
        /// Whether it started this process, or is this process.
        let isAncestor: Bool
        let workingDirectory: WorkingDirectory?
    }

    private struct WorkingDirectory {
        let path: [UInt8]
        /// Whether relative paths can lead below one of the directories without `..`.
        let isRelated: Bool
    }

    /// The plain paths that the arguments of this process name, absolute ones and those from its working directory
    /// on.
    private func requestedPaths() -> Set<[UInt8]> {
        guard let own else { return [] }
        let workingDirectory = ProcessDirectory.target(of: "/proc/self/cwd", at: AT_FDCWD) ?? []
        var paths: Set<[UInt8]> = []
        for argument in launching.commandLine.split(separator: 0).dropFirst() {
            var parts = [argument]
            if let equals = argument.firstIndex(of: UInt8(ascii: "=")) {
                parts.append(argument[(equals + 1)...])
            }
            for part in parts where part.count < 4096 {
                let path =
                    part.first == UInt8(ascii: "/")
                    ? Array(part) : workingDirectory + [UInt8(ascii: "/")] + part
                if let found = own.files.resolve(path) { paths.insert(found.path) }
            }
        }
        return paths
    }

    /// Whether an ancestor names a path because it hands it to this process. A pattern of a shell (`x/*`) doesn't
    /// exist as a path; the paths in its directory are then those that it stands for.
    private func isRequested(_ found: ProcessFileTree.Resolution, by namer: Namer) -> Bool {
        guard namer.isAncestor, namer.tree.files.isOwn else { return false }
        if requested.contains(found.path) { return true }
        return !found.exists && requested.contains { lies($0, inOrAt: found.existing) }
    }

    private static let argumentLimit = 256 * 1024

    static func key(_ namespace: String, _ root: String, at directory: Int32) -> TreeKey? {
        var status = CHeadroomShims.statx()
        guard (try? ProcessDirectory.follow(namespace, at: directory, &status)) != nil else {
            return nil
        }
        let number = status.stx_ino
        guard (try? ProcessDirectory.follow(root, at: directory, &status)) != nil else {
            return nil
        }
        return TreeKey(namespace: number, root: FileStatus(status).identity)
    }

    func tree(_ key: TreeKey, _ process: Int32) -> Tree? {
        if let known = trees[key] { return known }
        guard let files = try? ProcessFileTree(of: process, trusting: rootPaths) else { return nil }
        let tree = Tree(files, like: key.root == ownKey.root ? own?.files : nil)
        trees[key] = tree
        return tree
    }

    private func addLinks(
        of process: Int32, at directory: Int32, workingDirectory: [UInt8]?, _ tree: Tree
    ) {
        let links: [(String, ProcessPath.Kind, [UInt8]?)] = [
            ("cwd", .workingDirectory, workingDirectory),
            ("root", .rootDirectory, ProcessDirectory.target(of: "root", at: directory)),
            ("exe", .executable, ProcessDirectory.target(of: "exe", at: directory)),
        ]
        for (link, kind, path) in links {
            guard let path,
                path.first == UInt8(ascii: "/"), path.count > 1,
                !tree.files.isOwn || isBelow(path)
            else { continue }
            var status = CHeadroomShims.statx()
            guard (try? ProcessDirectory.follow(link, at: directory, &status)) != nil,
                status.stx_nlink > 0
            else { continue }
            let found = FileStatus(status)
            if let path = ours(path, found, tree), isBelow(path) {
                record(path, found.identity, kind, process)
            }
        }
    }

    // MARK: - Texts

    private func addArguments(_ arguments: [UInt8], _ namer: Namer) {
        for argument in Self.parts(of: arguments) {
            unsafe argument.withUnsafeBytes { text in
                unsafe addPaths(in: text, .commandLine, namer)
            }
            addRelative(argument, .commandLine, namer)
            if let equals = argument.firstIndex(of: UInt8(ascii: "=")) {
                addRelative(argument[(equals + 1)...], .commandLine, namer)
            }
        }
    }

    private func addEnvironment(_ environment: [UInt8], _ namer: Namer) {
        let isRelated = namer.workingDirectory?.isRelated == true
        // Many processes have the environment of the one that started them.
        var hasher = Hasher()
        hasher.combine(namer.isAncestor)
        hasher.combine(isRelated ? namer.workingDirectory?.path : nil)
        unsafe environment.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        guard namer.tree.seen.insert(hasher.finalize()).inserted else { return }
        for variable in Self.parts(of: environment) {
            guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = variable[(equals + 1)...]
            guard isRelated || value.contains(UInt8(ascii: "/")) else { continue }
            let name = String(decoding: variable[..<equals], as: UTF8.self)
            // The directory that a shell has left: nothing is used there any more.
            if name == "OLDPWD" { continue }
            unsafe value.withUnsafeBytes { value in
                unsafe addPaths(in: value, .environment(name), namer)
            }
            if isRelated, isPathVariable(name) {
                addRelative(value, .environment(name), namer)
            }
        }
    }

    /// The parts of a list in which each ends with a zero byte; empty ones are left out.
    private static func parts(of list: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        while start < list.count {
            let end = unsafe list.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress,
                    // In bounds: the count is the number of bytes from the start on.
                    let zero = unsafe memchr(base + start, 0, bytes.count - start)
                else { return bytes.count }
                return unsafe UnsafeRawPointer(zero) - base
            }
            if end > start { parts.append(list[start..<end]) }
            start = end + 1
        }
        return parts
    }

    /// Whether a variable's value can be a relative path: most values are other words, such as a user's name.
    private func isPathVariable(_ name: String) -> Bool {
        if let known = pathVariables[name] { return known }
        let letters = name.uppercased()
        let isPath = Self.pathWords.contains { letters.contains($0) }
        pathVariables[name] = isPath
        return isPath
    }

    private var pathVariables: [String: Bool] = [:]

    private static let pathWords = [
        "DIR", "PATH", "TMP", "TEMP", "ROOT", "HOME", "FILE", "CACHE", "WORK", "OUT",
    ]

    private func addPaths(
        in text: UnsafeRawBufferPointer, _ kind: ProcessPath.Kind, _ namer: Namer
    ) {
        guard unsafe text.contains(UInt8(ascii: "/")) else { return }
        let tree = namer.tree
        var hasher = Hasher()
        hasher.combine(namer.isAncestor)
        unsafe hasher.combine(bytes: text)
        let hash = hasher.finalize()
        guard tree.seen.insert(hash).inserted else { return }
        if !namer.isAncestor, tree.hasOwnRoot,
            let paths = unsafe irrelevantPaths(in: text, hash), tree.showsSameFiles(at: paths)
        {
            return
        }
        for ranges in unsafe PathText.paths(in: text, where: { unsafe isOfInterest($0) }) {
            var shortest: ProcessFileTree.Resolution?
            var hasFound = false
            for range in ranges {
                guard let found = unsafe tree.resolve(text[range]) else { continue }
                if isRequested(found, by: namer) {
                    hasFound = true
                } else if found.exists {
                    hasFound = true
                    add(found, kind, namer.process, tree)
                } else if shortest == nil {
                    shortest = found
                }
            }
            if !hasFound, let shortest { add(shortest, kind, namer.process, tree) }
        }
    }

    /// The plain paths, links included, that the paths in a text lead through in this process's tree.
    ///
    /// A tree that shows the same files at all of them need not be examined for the text.
    ///
    /// - Returns: nil if one of them lies below one of the directories, or can't be resolved.
    private func irrelevantPaths(in text: UnsafeRawBufferPointer, _ hash: Int) -> [[UInt8]]? {
        if let known = irrelevantTexts[hash] { return known }
        var paths: [[UInt8]]? = []
        let ranges = unsafe PathText.paths(in: text, where: { unsafe isOfInterest($0) })
        for range in ranges.joined() {
            let path = unsafe Array(text[range])
            guard !Tree.hasParentStep(path), let found = own?.files.resolve(path) else {
                paths = nil
                break
            }
            let passed = [found.path, found.existing] + found.links.map(\.path)
            if passed.contains(where: isBelow) {
                paths = nil
                break
            }
            paths?.append(contentsOf: passed)
        }
        irrelevantTexts[hash] = .some(paths)
        return paths
    }

    private var irrelevantTexts: [Int: [[UInt8]]?] = [:]

    /// Adds a text that is a path from the working directory on. Most are not paths: the nearest directory of one
    /// that doesn't exist is then the working directory itself, or one around it.
    private func addRelative(
        _ text: ArraySlice<UInt8>, _ kind: ProcessPath.Kind, _ namer: Namer
    ) {
        guard let directory = namer.workingDirectory,
            directory.isRelated || text.starts(with: "../".utf8),
            let first = text.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "-"),
            text.count < 4096
        else { return }
        let tree = namer.tree
        let path = directory.path + [UInt8(ascii: "/")] + text
        var hasher = Hasher()
        hasher.combine(namer.isAncestor)
        unsafe path.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        guard tree.seen.insert(hasher.finalize()).inserted,
            let found = tree.resolve(path), !isRequested(found, by: namer),
            found.exists || !lies(directory.path, inOrAt: found.existing)
        else { return }
        add(found, kind, namer.process, tree)
    }

    /// Whether paths that begin like this text can lead to one of the directories.
    func isOfInterest(_ text: UnsafeRawBufferPointer) -> Bool {
        // A lone slash is the root, which keeps nothing.
        guard let start = unsafe text.firstIndex(where: { $0 != UInt8(ascii: "/") }) else {
            return false
        }
        let rest = unsafe text[start...]
        let end = unsafe rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        return !skipped.contains { unsafe rest[..<end].elementsEqual($0) }
    }

    func add(
        _ found: ProcessFileTree.Resolution, _ kind: ProcessPath.Kind, _ process: Int32,
        _ tree: Tree
    ) {
        for link in found.links {
            if let path = ours(link.path, link.status, tree), isBelow(path) {
                record(path, link.status.identity, kind, process)
            }
        }
        // Of a path that does not exist yet, the nearest directory around it counts.
        guard let status = found.status, let path = ours(found.existing, status, tree),
            isBelow(path)
        else { return }
        record(path, status.identity, kind, process)
    }

    private func record(
        _ path: [UInt8], _ identity: FileIdentity, _ kind: ProcessPath.Kind, _ process: Int32
    ) {
        survey.paths.append(
            ProcessPath(
                path: FilePath(bytes: path), identity: identity, kind: kind, process: process))
    }

    // MARK: - Places

    func isBelow(_ path: [UInt8]) -> Bool {
        roots.contains { lies(path, below: $0) }
    }

    /// Whether relative paths can lead below one of the directories without `..`.
    private func isRelated(_ workingDirectory: [UInt8]) -> Bool {
        roots.contains { root in
            root == workingDirectory || lies(root, below: workingDirectory)
                || lies(workingDirectory, below: root)
        }
    }

    /// The path of this process for a plain path of a tree; nil if the file cannot be reached from here.
    func ours(_ path: [UInt8], _ status: FileStatus, _ tree: Tree) -> [UInt8]? {
        if tree.files.isOwn { return path }
        guard let own = own?.files else { return nil }
        if own.status(path)?.identity == status.identity { return path }
        return candidates(FilePath(bytes: path), status.mountID, in: tree.files.mounts)
            .first { own.status($0)?.identity == status.identity }
    }

    /// The paths at which this process may see a path of another mount table.
    private func candidates(
        _ path: FilePath, _ mountID: UInt64, in mounts: MountTable
    ) -> [[UInt8]] {
        guard let location = mounts.location(of: path, mountID: mountID) else { return [] }
        return candidates(device: location.device, path: location.path).map(\.path.bytes)
    }

    func candidates(device: UInt64, path: FilePath) -> [(path: FilePath, mount: Mount)] {
        guard let own = own?.files else { return [] }
        return own.mounts.mounts.compactMap { mount in
            guard mount.device == device else { return nil }
            return path.moved(from: mount.root, to: mount.point).map { ($0, mount) }
        }
    }
}
#endif
