//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The members of one mapping, taken out by name; what is left in the end nobody knows.
struct ConfigurationMembers {
    let reading: ConfigurationReading
    /// Of the mapping itself.
    let key: String
    let line: Int
    private var values: [(name: String, value: ConfigurationValue)]
    /// In the order in which they were asked for.
    private var known: [String] = []

    /// - Returns: nil if it is no mapping, which is recorded.
    init?(_ value: ConfigurationValue, _ reading: ConfigurationReading) {
        self.reading = reading
        key = value.key
        line = value.line
        do {
            values = try value.members()
        } catch {
            reading.refuse(value, error)
            return nil
        }
    }

    /// The member of a name; nil if there is none.
    mutating func value(_ name: String) -> ConfigurationValue? {
        known.append(name)
        guard let index = values.firstIndex(where: { $0.name == name }) else { return nil }
        let value = values.remove(at: index).value
        reading.remember(value)
        return value
    }

    /// Reads the text of a member.
    ///
    /// - Returns: nil if it is not there, or wrong, which is recorded.
    mutating func read<T>(
        _ name: String, _ convert: (String) throws(ConfigurationValueError) -> T
    ) -> T? {
        guard let value = value(name) else { return nil }
        return reading.convert(value, convert)
    }

    /// Reads a member that has to be there.
    mutating func require<T>(
        _ name: String, _ example: String,
        _ convert: (String) throws(ConfigurationValueError) -> T
    ) -> T? {
        guard let value = value(name) else {
            reading.refuse(
                key, line: line, .init("“\(name)” is missing", "Add it: \(name): \(example)"))
            return nil
        }
        return reading.convert(value, convert)
    }

    /// Reads a list of texts, such as a command and its arguments.
    mutating func texts(_ name: String) -> (texts: [String], value: ConfigurationValue)? {
        guard let value = value(name) else { return nil }
        do throws(ConfigurationValueError) {
            var texts: [String] = []
            for element in try value.elements() { texts.append(try element.text()) }
            return (texts, value)
        } catch {
            reading.refuse(value, error)
            return nil
        }
    }

    /// The members of a member.
    mutating func members(_ name: String) -> ConfigurationMembers? {
        guard let value = value(name) else { return nil }
        return ConfigurationMembers(value, reading)
    }

    /// Everything that has not been taken out, for mappings whose keys are names of things.
    mutating func takeRest() -> [(name: String, value: ConfigurationValue)] {
        defer { values = [] }
        for (_, value) in values { reading.remember(value) }
        return values
    }

    /// Records each member that nobody has asked for.
    ///
    /// - Parameter elsewhere: keys that are right in another place, and which.
    func finish(elsewhere: [String: String] = [:]) {
        for (name, value) in values {
            var advice: String
            if let place = elsewhere[name] {
                advice = place
            } else if let near = Spelling.nearest(to: name, among: known) {
                advice = "Did you mean “\(near)”?"
            } else {
                advice = "Known here: \(known.joined(separator: ", "))."
            }
            let what =
                elsewhere[name] == nil
                ? "there is no key “\(name)”" : "“\(name)” does not belong here"
            reading.refuse(value, .init(what, advice))
        }
    }
}

extension ConfigurationReading {
    /// - Returns: nil if the text is not what it should be, which is recorded.
    func convert<T>(
        _ value: ConfigurationValue, _ convert: (String) throws(ConfigurationValueError) -> T
    ) -> T? {
        do throws(ConfigurationValueError) {
            return try convert(try value.text())
        } catch {
            refuse(value, error)
            return nil
        }
    }
}
