//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// How single values are written: sizes, durations, shares and words.
enum ConfigurationForms {
    static func size(_ text: String) throws(ConfigurationValueError) -> ByteCount {
        if text == "0" { return .zero }
        guard text.contains(where: \.isLetter) || !text.contains(where: \.isNumber) else {
            throw .init(
                "“\(text)” has no unit",
                "Write one behind it, such as \(text) MB, \(text) GB or \(text) GiB.")
        }
        do throws(InvalidValue) {
            return try ByteCount(parsing: text)
        } catch {
            throw ConfigurationValueError(error)
        }
    }

    /// A size of which nothing at all would make no sense.
    static func positiveSize(_ text: String) throws(ConfigurationValueError) -> ByteCount {
        let size = try size(text)
        guard size > .zero else {
            throw .init("“\(text)” is nothing", "Write a size such as 5 GB, or take the key out.")
        }
        return size
    }

    static func duration(_ text: String) throws(ConfigurationValueError) -> Duration {
        if text == "0" { return .zero }
        do throws(InvalidValue) {
            return try Duration(parsingAge: text)
        } catch {
            throw ConfigurationValueError(error)
        }
    }

    static func positiveDuration(_ text: String) throws(ConfigurationValueError) -> Duration {
        let duration = try duration(text)
        guard duration > .zero else {
            throw .init(
                "“\(text)” is no time at all", "Write a time such as 10 min, or take the key out.")
        }
        return duration
    }

    /// A share, as a number between 0 and 1, neither included.
    static func share(_ text: String) throws(ConfigurationValueError) -> Double {
        let share: Double
        do throws(InvalidValue) {
            share = try Percentage(parsing: text).fraction
        } catch {
            throw ConfigurationValueError(error)
        }
        guard share > 0, share < 1 else {
            throw .init(
                "“\(text)” leaves \(share > 0 ? "nothing" : "everything")",
                "Write a percentage between the two, such as 10 %.")
        }
        return share
    }

    static func flag(_ text: String) throws(ConfigurationValueError) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw .init("“\(text)” is neither true nor false", "Write true or false.")
        }
    }

    static func number(
        _ range: ClosedRange<Int>
    ) -> (String) throws(ConfigurationValueError) -> Int {
        { text throws(ConfigurationValueError) in
            guard let number = Int(text), range.contains(number) else {
                throw .init(
                    "“\(text)” is not a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound)", "Write such a number.")
            }
            return number
        }
    }

    /// One of some words.
    static func word<T>(
        _ words: [(String, T)]
    ) -> (String) throws(ConfigurationValueError) -> T {
        { text throws(ConfigurationValueError) in
            for (word, value) in words where word == text { return value }
            let all = words.map(\.0)
            let hint = Spelling.nearest(to: text, among: all).map { "Did you mean “\($0)”? " } ?? ""
            throw .init(
                "“\(text)” is not one of \(all.joined(separator: ", "))",
                "\(hint)Write one of these.")
        }
    }
}
