//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Makes one configuration of the files.
struct ConfigurationMerging {
    private let places: ConfigurationPlaces
    private var contents: [FileContent] = []
    private var files: [FilePath] = []
    private var problems: [ConfigurationProblem] = []
    /// Of each file, what belongs to an area, a volume or a module: the rest of its key, and its place.
    private var elements: [FilePath: [String: [(rest: String, location: ConfigurationLocation)]]] =
        [:]
    private var areaPlaces: [DeclaredArea: ConfigurationLocation] = [:]

    /// A declaration: two may stand on one line, and two of one directory in two files.
    private struct DeclaredArea: Hashable {
        var root: FilePath
        var origin: String
    }

    init(_ places: ConfigurationPlaces) { self.places = places }

    mutating func add(_ problem: ConfigurationProblem) { problems.append(problem) }

    /// Reads a file, and keeps what is wrong with it.
    mutating func add(_ path: FilePath, isDropIn: Bool) {
        files.append(path)
        do throws(ConfigurationProblem) {
            let file = try ConfigurationFile(path, for: places)
            let content = FileReader.read(file, isDropIn: isDropIn, places)
            problems += content.problems
            index(content)
            contents.append(content)
        } catch {
            problems.append(error)
        }
    }

    /// - Throws: everything that was found wrong, in the order of files and lines.
    mutating func result(
        _ workspace: Workspace?, notes: [ConfigurationProblem]
    ) throws(ConfigurationErrors) -> LoadedConfiguration {
        problems += notes
        // The main file is the only one with settings, and comes first.
        var configuration = contents.first?.configuration ?? ServiceConfiguration()
        var locations = (contents.first?.locations ?? [:]).filter { key, _ in
            !["areas", "volumes", "modules"].contains { key.hasPrefix($0) }
        }
        configuration.areas = mergeAreas(&locations)
        configuration.volumes = mergeVolumes(&locations)
        configuration.modules = mergeModules(&locations)
        if let workspace {
            let never = check(configuration.areas, workspace)
            configuration.leftOut = configuration.areas.filter { never.contains($0.root) }
            configuration.areas.removeAll { never.contains($0.root) }
        }
        checkPrograms(configuration, locations)
        let problems = sorted(problems)
        // mutation: r29d-1 (3 lines)
        guard !problems.contains(where: \.stopsAll) else {
            throw ConfigurationErrors(problems)
        }
        return LoadedConfiguration(
            configuration: configuration, files: files, notes: problems, locations: locations)
    }

    private func sorted(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
        let order = Dictionary(
            files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // Of one line, as they were found.
        return problems.enumerated().sorted { left, right in
            let first = (order[left.element.file] ?? -1, left.element.line ?? 0, left.offset)
            let second = (order[right.element.file] ?? -1, right.element.line ?? 0, right.offset)
            return first < second
        }.map(\.element)
    }

    // MARK: - Declarations that meet

    /// Of two declarations of one directory the more protective holds.
    private mutating func mergeAreas(
        _ locations: inout [String: ConfigurationLocation]
    ) -> [Area] {
        var declared: [Area] = []
        for content in contents { declared += content.configuration.areas }
        let map = AreaMap(declared)
        for conflict in map.conflicts {
            guard let dropped = place(of: conflict.dropped),
                let kept = place(of: conflict.kept)
            else { continue }
            problems.append(
                ConfigurationProblem(
                    .note, file: dropped.file, line: dropped.line, key: dropped.key,
                    what: "\(conflict.dropped.root.displayText) is declared otherwise in "
                        + "\(kept.file.displayText), line \(kept.line), which protects more and holds",
                    advice: "Take out one of the two declarations, or make them agree."))
        }
        for area in map.areas {
            guard let place = place(of: area) else { continue }
            move(
                from: place, to: "areas[\"\(area.root.displayText)\"]", into: &locations)
        }
        return map.areas
    }

    private mutating func mergeVolumes(
        _ locations: inout [String: ConfigurationLocation]
    ) -> [VolumeConfiguration] {
        // Without a mount table (no /proc), only one path for two can be noticed.
        let mounts = try? MountTable.current()
        var kept: [(volume: VolumeConfiguration, place: ConfigurationLocation)] = []
        for content in contents {
            for (volume, place) in zip(content.configuration.volumes, content.volumes) {
                let device = mounts?.mount(at: volume.path)?.device
                let isThere = ConfigurationFile.exists(volume.path)
                let other = kept.first { other in
                    other.volume.path == volume.path
                        || isThere && device != nil
                            && mounts?.mount(at: other.volume.path)?.device == device
                            && ConfigurationFile.exists(other.volume.path)
                }
                guard let other else {
                    if !isThere {
                        problems.append(
                            ConfigurationProblem(
                                .note, file: place.file, line: place.line, key: place.key,
                                what: "there is nothing at \(volume.path.displayText) now",
                                advice: "The settings rest until there is; check the path."))
                    }
                    kept.append((volume, place))
                    continue
                }
                if other.volume == volume { continue }
                problems.append(
                    ConfigurationProblem(
                        file: place.file, line: place.line, key: place.key,
                        what: "\(volume.path.displayText) lies on the same volume as "
                            + "\(other.volume.path.displayText) (\(other.place.file.displayText), line "
                            + "\(other.place.line)), which has settings already",
                        advice: "Keep the settings of one of the two."))
            }
        }
        for (volume, place) in kept {
            move(
                from: place, to: "volumes[\"\(volume.path.displayText)\"]", into: &locations)
        }
        return kept.map(\.volume)
    }

    private mutating func mergeModules(
        _ locations: inout [String: ConfigurationLocation]
    ) -> [ModuleConfiguration] {
        var kept: [(module: ModuleConfiguration, place: ConfigurationLocation)] = []
        for content in contents {
            for (module, place) in zip(content.configuration.modules, content.modules) {
                if let other = kept.first(where: { $0.module.id == module.id }) {
                    problems.append(
                        ConfigurationProblem(
                            file: place.file, line: place.line, key: place.key,
                            what: "the module “\(module.id)” is declared in "
                                + "\(other.place.file.displayText), line \(other.place.line), already",
                            advice: "Give each module an id of its own, or take one out."))
                    continue
                }
                kept.append((module, place))
            }
        }
        for (module, place) in kept {
            move(from: place, to: "modules[\"\(module.id)\"]", into: &locations)
        }
        return kept.map(\.module)
    }

    /// What stood at `areas[0]` in its file is at `areas["/path"]` in the whole.
    private func move(
        from place: ConfigurationLocation, to key: String,
        into locations: inout [String: ConfigurationLocation]
    ) {
        locations[key] = place
        let elements = elements[place.file]?[place.key] ?? []
        for (rest, location) in elements { locations[key + rest] = location }
    }

    /// Remembers what belongs to each area, volume and module of a file, by its key.
    private mutating func index(_ content: FileContent) {
        for (area, place) in zip(content.configuration.areas, content.areas) {
            areaPlaces[DeclaredArea(root: area.root, origin: area.origin)] = place
        }
        let keys = Set((content.areas + content.volumes + content.modules).map(\.key))
        var elements: [String: [(rest: String, location: ConfigurationLocation)]] = [:]
        for (name, location) in content.locations {
            // A key in brackets may have brackets in it: the one is taken that is an element's.
            for end in name.indices where name[end] == "]" {
                let key = String(name[...end])
                guard keys.contains(key) else { continue }
                let rest = String(name[name.index(after: end)...])
                if !rest.isEmpty { elements[key, default: []].append((rest, location)) }
                break
            }
        }
        self.elements[content.file] = elements
    }
}

// MARK: - The machine as it is

extension ConfigurationMerging {
    /// Asks for each area whether it may be one (safety invariant S11).
    ///
    /// One that may not is left out, and asked about again each time that areas are used: an owner or a
    /// mount may be another tomorrow, and the rest of the machine is to be kept within budget meanwhile.
    ///
    /// - Returns: the roots of those that never may.
    private mutating func check(_ areas: [Area], _ workspace: Workspace) -> Set<FilePath> {
        var never: Set<FilePath> = []
        let validation = AreaValidation(
            layouts: workspace.layouts, marks: workspace.marks, userID: places.userID)
        let located = areas.filter { place(of: $0) != nil }
        let found = validation.validate(each: located, declaredBy: .registration)
        for (area, answer) in zip(located, found) {
            guard case .failure(let error) = answer, let place = place(of: area) else { continue }
            let problem = problem(with: area, at: place, error)
            problems.append(problem)
            if problem.severity == .error { never.insert(area.root) }
        }
        return never
    }

    private func problem(
        with area: Area, at place: ConfigurationLocation, _ error: HeadroomError
    ) -> ConfigurationProblem {
        guard error.code != .notFound else {
            return ConfigurationProblem(
                .note, file: place.file, line: place.line, key: place.key,
                what: "there is no directory \(area.root.displayText) now",
                advice: "The declaration holds once there is one; check the path.")
        }
        let sentences = error.message.firstRange(of: ". ")
        let what = sentences.map { String(error.message[..<$0.lowerBound]) } ?? error.message
        let advice =
            sentences.map { String(error.message[$0.upperBound...]) }
            ?? "Declare another directory, or take the declaration out."
        // Of these it is certain that they never can.
        let isForGood = area.root.components.isEmpty || places.home.starts(with: area.root)
        // What protects is not left out: no area is a file or a link, so that all beside it is kept with it.
        let meanwhile =
            area.purgeClass == .essential
            ? " Meanwhile nothing goes from the directory that it lies in; what is to stay alone can be "
                + "pinned: headroom mark --pin \(area.root.shellText)"
            : " The area is left out; all else holds."
        return ConfigurationProblem(
            isForGood ? .error : .warning, file: place.file, line: place.line, key: place.key,
            what: what, advice: advice + meanwhile,
            isConfined: area.purgeClass != .essential || isForGood)
    }

    private func place(of area: Area) -> ConfigurationLocation? {
        areaPlaces[DeclaredArea(root: area.root, origin: area.origin)]
    }

    /// A program may be installed later, or be gone while its drop-in stayed.
    private mutating func checkPrograms(
        _ configuration: ServiceConfiguration, _ locations: [String: ConfigurationLocation]
    ) {
        var programs: [(key: String, path: String)] = []
        for module in configuration.modules {
            let key = "modules[\"\(module.id)\"]"
            programs.append(("\(key).usage", module.usage[0]))
            programs.append(("\(key).clean", module.clean[0]))
        }
        if let command = configuration.notifications.command {
            programs.append(("notifications.command", command[0]))
        }
        for (key, path) in programs where !ConfigurationFile.exists(FilePath(path)) {
            guard let place = locations[key] else { continue }
            problems.append(
                ConfigurationProblem(
                    .note, file: place.file, line: place.line, key: place.key,
                    what: "there is no program \(FilePath(path).displayText)",
                    advice: "Install it, or correct the path; until then it cannot be run."))
        }
    }
}
