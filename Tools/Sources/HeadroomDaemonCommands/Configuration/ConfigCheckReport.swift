//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomService
import SystemPackage

/// What `headroom config check` shows.
struct ConfigCheckReport: Report {
    static let schema = "headroom.config.check/1"

    var places: ConfigurationPlaces
    /// Nil: there are errors.
    var loaded: LoadedConfiguration?
    var problems: [ConfigurationProblem]

    /// Reads the named files, or the directory. Blocks.
    static func make(_ loader: ConfigurationLoader, _ files: [FilePath]) -> ConfigCheckReport {
        do throws(ConfigurationErrors) {
            let loaded = files.isEmpty ? try loader.load() : try loader.load(files: files)
            return ConfigCheckReport(
                places: loader.places, loaded: loaded,
                problems: loaded.notes + historyProblems(loaded))
        } catch {
            return ConfigCheckReport(
                places: loader.places, loaded: nil, problems: error.problems)
        }
    }

    /// What the service would say of the file that is to be the history, and then do without one.
    private static func historyProblems(_ loaded: LoadedConfiguration) -> [ConfigurationProblem] {
        let key = "history.path"
        guard let path = loaded.configuration.history.path,
            let location = loaded.locations[key], let refusal = History.refusal(ofNamed: path)
        else { return [] }
        return [
            ConfigurationProblem(
                .warning, file: location.file, line: location.line, key: location.key,
                what: "the service goes on without a history", advice: refusal.message)
        ]
    }

    var status: ExitStatus { errorCount > 0 ? .failed : .done }

    private var errorCount: Int { problems.count { $0.severity == .error } }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("valid", loaded != nil)
        json.member("directory", places.directory)
        json.objects("files", loaded?.files ?? []) { json, file in json.member("path", file) }
        json.objects("problems", problems) { json, problem in
            json.member("severity", "\(problem.severity)")
            json.member("leftOut", problem.isConfined)
            json.member("file", problem.file)
            json.member("line", problem.line)
            json.member("key", problem.key)
            json.member("text", problem.what)
            json.member("advice", problem.advice)
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        for problem in problems {
            document.add(
                StyledText(
                    problem.description, problem.severity == .error ? .critical : .warning))
        }
        document.addBlank()
        guard let loaded else {
            document.add(
                StyledText(
                    "\(errorCount.counted("error")). Nothing of it would be taken: the service keeps "
                        + "the configuration that it runs with.", .strong))
            return document
        }
        let configuration = loaded.configuration
        guard !loaded.files.isEmpty else {
            document.add(
                StyledText(
                    "There is nothing in \(places.directory.displayText): the defaults hold, and the "
                        + "service only observes.", .good))
            return document
        }
        let parts = [
            configuration.areas.count.counted("area"),
            configuration.volumes.count.counted("volume"),
            configuration.modules.count.counted("module"),
        ]
        let leftOut = problems.count(where: \.isConfined)
        guard leftOut == 0 else {
            document.add(
                StyledText(
                    "\(leftOut.counted("area")) left out, see above. The service would take the rest: "
                        + "\(parts.joined(separator: ", ")) are declared, mode "
                        + "\(configuration.mode.rawValue).", .strong))
            document.next = ["headroom config show"]
            return document
        }
        document.add(
            StyledText(
                "No errors in \(loaded.files.count.counted("file")): "
                    + "\(parts.joined(separator: ", ")), mode \(configuration.mode.rawValue).",
                .good))
        document.next = ["headroom config show"]
        return document
    }
}
