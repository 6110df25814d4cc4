//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// Files and directories that a person has named to be thrown away (safety invariant S1).
///
/// This is the only thing that can be disposed of, and there is no way to make one but by naming:
/// ``Workspace/select(userFiles:)`` looks at each path, and what may not go is among ``refused``. No
/// policy, plan or trigger can make one, and no plan can be made from one.
public struct UserFileSelection: Sendable {
    /// What may go, in the order in which it was named.
    public let files: [UserFile]
    /// What may not, and why.
    public let refused: [Receipt.Skipped]
    /// What the volumes gain when it has been emptied from the trash: files with links elsewhere count
    /// nothing. Moving it there frees nothing.
    public let freesWhenEmptied: ByteCount

    /// For ``DisposalRules`` alone, which has looked at each.
    init(files: [UserFile], refused: [Receipt.Skipped], freesWhenEmptied: ByteCount) {
        self.files = files
        self.refused = refused
        self.freesWhenEmptied = freesWhenEmptied
    }

    public var isEmpty: Bool { files.isEmpty }

    /// What it occupies, whoever else has links to it.
    public var allocated: ByteCount { files.reduce(.zero) { $0 + $1.allocated } }
}

/// One of a selection's files, links or directories.
public struct UserFile: Hashable, Sendable {
    /// Absolute, without links, `.` and `..` on the way.
    public let path: FilePath
    public let type: HeadroomPlatform.FileType
    /// What it occupies, with all that is in it.
    public let allocated: ByteCount
    /// How many files and directories it is, itself included.
    public let fileCount: Int
    /// What it was when it was named.
    let status: FileStatus
    /// Stands for the files in it as they were then, see ``DisposalSurvey/Finding/evidence``.
    let evidence: UInt64
}
