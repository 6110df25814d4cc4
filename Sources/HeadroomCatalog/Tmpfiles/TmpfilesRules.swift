//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The age rules of `tmpfiles.d`, as areas and what in them stays.
///
///     let rules = TmpfilesRules(TmpfilesContext.system())
///     for finding in rules.findings { print(finding.text) }
///     let scope = workspace.scope(rules)
///     let plan = try scope.plan(try scope.scan(), targets: [.expired])
///
/// What is planned as expired with them is what `systemd-tmpfiles --clean` would remove, but for what
/// Headroom never removes, see the design record 0017. What cannot be said in areas is in
/// ``findings``, by file and line, and is left out.
public struct TmpfilesRules: Sendable {
    /// One directory whose contents age.
    public struct Rule: Hashable, Sendable {
        public var area: Area
        /// What lies directly in it stays.
        public var keepsFirstLevel: Bool
        public var source: TmpfilesLine.Source
    }

    /// Something that another line names, and that is not cleaned with what is around it.
    public struct Exclusion: Hashable, Sendable {
        /// As it was written, with what specifiers stand for.
        public var pattern: String
        public var source: TmpfilesLine.Source
        package var glob: PathGlob
    }

    public private(set) var rules: [Rule] = []
    public private(set) var exclusions: [Exclusion] = []
    public private(set) var findings: [TmpfilesFinding]

    /// Reads the rules that hold in a context. Blocks: reads the files, and looks for the directories that
    /// patterns name.
    public init(_ context: TmpfilesContext) {
        let files = TmpfilesFiles(context.directories)
        findings = files.findings
        for line in files.lines where !line.isForBoot { take(line, context) }
        for (line, glob, names) in inheriting { addInheriting(line, glob, names) }
        inheriting = []
    }

    /// Lines that keep a directory and let its contents age as long as the directory around it.
    private var inheriting: [(line: TmpfilesLine, glob: PathGlob, names: [FileName])] = []
    private var paths: [(names: [FileName], age: TmpfilesAge?)] = []

    /// As systemd does it: the age is that of the nearest directory around, the times are all.
    private mutating func addInheriting(
        _ line: TmpfilesLine, _ glob: PathGlob, _ names: [FileName]
    ) {
        let around = paths.filter { names.starts(with: $0.names) }
            .max { $0.names.count < $1.names.count }
        guard let retention = around?.age?.duration, var age = TmpfilesAge("0") else { return }
        age.duration = retention
        for directory in Self.directories(glob) { add(directory, line, age, retention) }
    }

    /// Whatever a line names is not cleaned with what is around it: with a specifier that nobody knows that may be
    /// anything.
    private mutating func keepWhatMayBeMeant(by line: TmpfilesLine, _ context: TmpfilesContext) {
        guard let path = context.expand(line.path, any: "*").path,
            let glob = PathGlob((context.root?.bytes ?? []) + path)
        else { return }
        exclusions.append(
            Exclusion(
                pattern: FilePath(bytes: path).displayText, source: line.source, glob: glob))
    }

    private mutating func take(_ line: TmpfilesLine, _ context: TmpfilesContext) {
        let (expanded, unknown) = context.expand(line.path)
        guard var path = expanded else {
            // mutation: r40b-2
            keepWhatMayBeMeant(by: line, context)
            return report(line, "nobody knows here what \(unknown ?? "a specifier") stands for")
        }
        guard path.first == UInt8(ascii: "/"), !Self.leadsUpwards(path) else {
            return report(line, "its path is not absolute, or leads upwards")
        }
        if let root = context.root { path = root.bytes + path }
        guard let glob = PathGlob(path) else {
            return report(line, "its path is no pattern")
        }
        let names = FilePath(bytes: path).names
        let isPattern: Bool
        switch line.kind {
        case .path, .other: isPattern = false
        default: isPattern = true
        }
        exclusions.append(
            Exclusion(
                pattern: FilePath(bytes: path).displayText, source: line.source,
                glob: isPattern ? glob : PathGlob(exactly: names)))
        if line.kind == .exclusionOfItself, line.age == nil {
            inheriting.append((line, glob, names))
        }
        if line.kind == .path { paths.append((names, line.age)) }
        if line.kind == .removal {
            return report(line, "what it removes, whatever its age, is no matter of age")
        }
        guard let age = line.age, let retention = age.duration else { return }
        switch line.kind {
        case .path: add(FilePath(bytes: path), line, age, retention)
        case .patterns, .exclusion, .exclusionOfItself:
            guard !path.contains(UInt8(ascii: "{")) else {
                return report(line, "braces in a path are not understood")
            }
            for directory in Self.directories(glob) { add(directory, line, age, retention) }
        case .other, .otherPatterns, .removal, nil: break
        }
    }

    private mutating func add(
        _ path: FilePath, _ line: TmpfilesLine, _ age: TmpfilesAge, _ retention: Duration
    ) {
        guard let basis = AgeBasis(age.fileTimes) else {
            let letters = age.fileTimes.map { String($0.rawValue) }.sorted().joined()
            return report(
                line, "ages by “\(letters)” alone cannot be told; abcm, m and b can")
        }
        let area = Area(
            root: path, purgeClass: .temporary, retention: retention, ageBasis: basis,
            origin: line.source.description, allowsMountRoot: true)
        guard let other = rules.firstIndex(where: { $0.area.root == path }) else {
            return rules.append(
                Rule(area: area, keepsFirstLevel: age.keepsFirstLevel, source: line.source))
        }
        // Where two declarations meet, the more protective holds.
        let kept = rules[other]
        report(
            line, "\(kept.source) says something of the same directory; the longer age holds")
        if retention > kept.area.retention ?? .zero { rules[other].area = area }
        if age.keepsFirstLevel { rules[other].keepsFirstLevel = true }
    }

    private mutating func report(_ line: TmpfilesLine, _ why: String) {
        findings.append(
            TmpfilesFinding(source: line.source, text: "\(line.source) is left out: \(why)."))
    }

    private static func leadsUpwards(_ path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }

    private static func directories(_ glob: PathGlob) -> [FilePath] {
        var found: [FilePath] = ["/"]
        for name in glob.names {
            var next: [FilePath] = []
            for directory in found {
                let listed = ContainerDirectory(directory)
                if let literal = name.literal {
                    if listed.hasDirectory(literal) { next.append(directory.appending(literal)) }
                } else {
                    // One that is not there, or may not be listed, has nothing that is known.
                    let matching = (try? listed.names(in: nil) { name.matches($0.bytes) }) ?? []
                    next += matching.filter { listed.hasDirectory($0) }.map {
                        directory.appending($0)
                    }
                }
            }
            found = next
        }
        return found
    }
}

extension AgeBasis {
    /// The basis for a set of times; nil: there is none that says just that.
    init?(_ times: Set<TmpfilesAge.Time>) {
        switch times {
        // The change of an inode counts in these areas as its birth does.
        case [.accessed, .born, .changed, .modified]: self = .used
        case [.modified]: self = .modified
        case [.born, .changed]: self = .created
        default: return nil
        }
    }
}
