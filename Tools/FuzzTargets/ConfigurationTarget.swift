//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomFuzzTargets
import SystemPackage

/// The main file and up to three drop-ins, parted by NUL, which no file may have.
struct ConfigurationTarget: FuzzTarget {
    static let name = "configuration"
    private static let longest = 4

    private let scratch: Scratch
    private let loader: ConfigurationLoader

    init() throws {
        scratch = try Scratch(Self.name)
        loader = ConfigurationLoader(
            places: ConfigurationPlaces(
                directory: scratch.path, home: "/home/someone",
                environment: ["XDG_CACHE_HOME": "/home/someone/caches"]), workspace: nil)
    }

    func run(_ bytes: [UInt8]) {
        let parts = bytes.split(
            separator: 0, maxSplits: Self.longest - 1, omittingEmptySubsequences: false)
        var files: [FilePath] = []
        for (index, part) in parts.enumerated() {
            let name = "\(index).yaml"
            guard (try? scratch.write(Array(part), to: name)) != nil else { return }
            files.append(scratch.path.appending(name))
        }
        do {
            let loaded = try loader.load(files: files)
            checkGood(loaded, files)
        } catch {
            require(error.problems.contains { $0.severity == .error }, "refused without an error")
            check(error.problems, files)
        }
    }

    private func checkGood(_ loaded: LoadedConfiguration, _ files: [FilePath]) {
        check(loaded.notes, files)
        require(!loaded.notes.contains(where: \.stopsAll), "it holds, with an error")
        // All of it is shown to people, and each value that is from a file says where it stands.
        for setting in loaded.configuration.settings {
            require(!setting.key.isEmpty && !setting.value.isEmpty, "a setting without words")
            guard let location = loaded.location(of: setting.key) else { continue }
            require(
                files.contains(location.file), "\(setting.key) is from a file that was not read")
        }
    }

    private func check(_ problems: [ConfigurationProblem], _ files: [FilePath]) {
        for problem in problems {
            require(files.contains(problem.file), "a problem of another file: \(problem)")
            require(
                !problem.what.isEmpty && !problem.advice.isEmpty, "a problem that says nothing")
            require(problem.line ?? 1 >= 1, "a problem in front of the file: \(problem)")
        }
    }
}
