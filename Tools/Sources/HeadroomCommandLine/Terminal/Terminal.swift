//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is known about where an output stream goes.
package struct Terminal: Hashable, Sendable {
    /// Whether it is a terminal at all.
    package var isTerminal: Bool
    /// Columns; nil where it is none.
    package var width: Int?
    package var allowsColor: Bool
    /// The cursor can be moved: false on `TERM=dumb`.
    package var movesCursor: Bool
    package var usesBlocks: Bool

    /// Asks the system about a stream, and the environment about the person's wishes.
    ///
    /// - Parameter environment: looks up a variable.
    package init(
        _ descriptor: FileDescriptor, environment: (String) -> String? = Terminal.variable
    ) {
        isTerminal = isatty(descriptor.rawValue) == 1
        let isDumb = ["dumb", ""].contains(environment("TERM") ?? "")
        movesCursor = isTerminal && !isDumb
        // https://no-color.org: set and not empty.
        allowsColor = movesCursor && (environment("NO_COLOR") ?? "").isEmpty
        width = isTerminal ? Self.columns(of: descriptor, environment) : nil
        // The first of these that is set decides; none: whoever made the terminal made it UTF-8.
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap(environment).first { !$0.isEmpty } ?? "UTF-8"
        usesBlocks = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }

    private static func columns(
        of descriptor: FileDescriptor, _ environment: (String) -> String?
    ) -> Int {
        if let size = size(of: descriptor), size.columns > 0 { return max(40, size.columns) }
        return max(40, environment("COLUMNS").flatMap { Int($0) } ?? 80)
    }

    /// The size of a terminal in characters; nil: it is none. Zero: the terminal does not know.
    package static func size(of descriptor: FileDescriptor) -> (columns: Int, rows: Int)? {
        // struct winsize: rows, columns, and both in pixels. Several C modules declare it.
        var size: [UInt16] = [0, 0, 0, 0]
        // TIOCGWINSZ fills the array, which outlives the call.
        guard unsafe ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return (Int(size[1]), Int(size[0]))
    }

    /// The value of an environment variable. Those that say where something is are text: ``GivenText``.
    package static func variable(_ name: String) -> String? {
        // Nothing in this program changes the environment while it runs.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
