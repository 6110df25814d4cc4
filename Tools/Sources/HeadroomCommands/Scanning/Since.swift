//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `--since` names: a moment, or a listing that was saved then.
enum Since: Hashable, Sendable {
    case time(Timestamp)
    case listing(FilePath)

    /// Reads what was typed: an age, a day, a day and a time; else the name of a file.
    ///
    /// - Throws: ``HeadroomError`` for what is none of them, with what is accepted.
    init(_ text: String, now: Timestamp) throws(HeadroomError) {
        if let age = try? Duration(parsingAge: text) {
            self = .time(now.advanced(by: .zero - age))
        } else if let time = Timestamp(local: text) {
            guard time <= now else {
                throw HeadroomError(.invalid, "\(text) is still to come: nothing grew since.")
            }
            self = .time(time)
        } else if Self.isFile(text) {
            self = .listing(FilePath(text))
        } else {
            throw HeadroomError(
                .invalid,
                "“\(text)” is neither a time nor a listing that is there. Write an age such as 2d or "
                    + "36h, a day such as 2026-11-20, a time such as “2026-11-20 09:30”, or the name "
                    + "of a file that headroom scan --export ncdu FILE or ncdu -o FILE has written."
            )
        }
    }

    private static func isFile(_ text: String) -> Bool {
        guard !text.isEmpty, let file = try? FileDescriptor.open(FilePath(text), .readOnly) else {
            return false
        }
        // Only looked at; what is wrong with it is said when it is read.
        try? file.close()
        return true
    }
}
