//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Arguments and variables as the system gave them: bytes, which need not be text.
///
/// A `String` has U+FFFD in place of what is no UTF-8, and a path that is made of it is the path of something else,
/// which may be there. The parser of arguments and the layouts take strings, so what is none is refused, once, before
/// anything is looked at.
package enum GivenText {
    /// A variable as it was given.
    package struct Variable: Hashable, Sendable {
        package var name: String
        package var value: [UInt8]

        package init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    /// What to tell a person about an argument, or a variable that says where something is; nil: all are text.
    package static var problem: String? {
        let variables = unreadableVariables
        // The catalogue is read only where there is one of which it must be known.
        return problem(
            arguments: arguments,
            variables: variables.isEmpty ? [] : variables.filter { saysWhere($0.name) })
    }

    /// The same for some variables.
    package static func problem(ofVariables names: Set<String>) -> String? {
        problem(arguments: [], variables: unreadableVariables.filter { names.contains($0.name) })
    }

    package static func problem(arguments: [[UInt8]], variables: [Variable]) -> String? {
        if let argument = arguments.first(where: { !isText($0) }) {
            return "The argument \(FilePath(bytes: argument).displayText) is no UTF-8: as text it "
                + "would name something else. Run headroom in the directory that is meant, and name "
                + "it “.”, or rename what is meant."
        }
        if let variable = variables.first(where: { !isText($0.value) }) {
            return "\(variable.name) is no UTF-8 (\(FilePath(bytes: variable.value).displayText)): "
                + "as text it would name another directory. Set it to a path that is, or unset it."
        }
        return nil
    }

    /// Whether a variable is one of those by which directories or programs are found.
    package static func saysWhere(_ name: String) -> Bool {
        ["HOME", "PATH", "TMPDIR"].contains(name)
            || ["XDG_", "HEADROOM_"].contains { name.hasPrefix($0) }
            || Catalogue.standard.variables.contains(name)
    }

    /// The variables that are text.
    package static var environment: [String: String] {
        // One whose name is no text is not found by what is made of it.
        ProcessInfo.processInfo.environment.filter { value(of: $0.key).map(isText) ?? false }
    }

    private static var unreadableVariables: [Variable] {
        ProcessInfo.processInfo.environment.keys.sorted().compactMap { name in
            guard let value = value(of: name), !isText(value) else { return nil }
            return Variable(name: name, value: value)
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        // mutation: s2d-1
        String(validating: bytes, as: UTF8.self) != nil
    }

    // MARK: - From the system

    /// What the program was started with, without its name.
    private static var arguments: [[UInt8]] {
        // As many as the system says; nothing in this program changes them.
        let words = unsafe UnsafeBufferPointer(
            start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe words.dropFirst().compactMap { word in
            unsafe word.map { unsafe bytes(at: $0) }
        }
    }

    private static func value(of name: String) -> [UInt8]? {
        // Nothing in this program changes the environment while it runs.
        unsafe getenv(name).map { unsafe bytes(at: $0) }
    }

    private static func bytes(at text: UnsafePointer<CChar>) -> [UInt8] {
        // Up to the NUL that ends it; copied.
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}
