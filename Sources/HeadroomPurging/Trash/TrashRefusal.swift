//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import SystemPackage

/// Why a trash directory cannot be used.
enum TrashRefusal: Error, Hashable {
    case failed(Errno)
    /// It is a link or a file.
    case notDirectory
    /// It belongs to another user, who can read and replace the files that are moved there.
    case foreignOwner(UInt32)
    /// `.Trash` at the root of a volume lacks the sticky bit, so that others can replace files in it.
    case notSticky
    /// It has `files` and no `info`, without which nothing can be restored.
    case incomplete

    init(_ error: Errno) {
        switch error {
        case .notDirectory, .tooManySymbolicLinkLevels: self = .notDirectory
        default: self = .failed(error)
        }
    }

    /// Calls a body, and translates its error.
    static func translating<Result: ~Copyable>(
        _ body: () throws(Errno) -> Result
    ) throws(TrashRefusal) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw TrashRefusal(error)
        }
    }

    /// The error number that stands for it.
    var cause: Errno {
        switch self {
        case .failed(let error): error
        case .notDirectory: .notDirectory
        case .foreignOwner, .notSticky: .notPermitted
        case .incomplete: .noSuchFileOrDirectory
        }
    }

    /// The note for a listing; nil if the directory simply does not exist.
    func note(on path: FilePath, user: UInt32) -> Reason? {
        let text = path.displayText
        switch self {
        case .failed(.noSuchFileOrDirectory): return nil
        case .failed(let error):
            let advice =
                error == .permissionDenied
                ? "Give yourself access to it (chmod u+rwx)." : "Check the volume."
            return Reason(.unreadable, "Could not open the Trash \(text): \(error). \(advice)")
        case .notDirectory:
            return Reason(
                .unusableTrash,
                "\(text) is not used as a Trash: it, or the directory around it, is a link or a file."
            )
        case .foreignOwner(let owner):
            return Reason(
                .foreignOwner,
                "\(text) is not used as a Trash: it belongs to user \(owner), not to user \(user).")
        case .notSticky:
            let shared = path.removingLastComponent().displayText
            return Reason(
                .unusableTrash,
                "\(text) is not used as a Trash: \(shared) lacks the sticky bit, so other users can "
                    + "replace files in it. Set the bit as root (chmod +t).")
        case .incomplete:
            return Reason(
                .unusableTrash,
                "\(text) is not used as a Trash: it has no directory info, which says where files "
                    + "were. Create it (mkdir -m 700 info).")
        }
    }
}

extension Reason.Code {
    /// A trash directory that its specification says not to use: a link, a shared one without the sticky bit,
    /// or one without `info`.
    public static let unusableTrash = Reason.Code("unusable-trash")
}
