//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// What a person chooses from when they clean by hand, by what it is and what becomes of it (R31).
public enum CleaningSection: Hashable, Sendable {
    /// Caches and temporary files, known ones by their names.
    case systemCaches
    /// What parts of the app measure and clean themselves.
    case moduleCaches
    /// Directories that are registered.
    case purgeableDirectories
    case downloads
    /// A person's own files, the largest of each kind.
    case userFiles(FileKind)
    case trash

    /// In the order in which they are shown.
    public static let all: [CleaningSection] =
        [.systemCaches, .moduleCaches, .purgeableDirectories, .downloads]
        + [.video, .image, .audio, .pdf, .document, .archive, .other].map(CleaningSection.userFiles)
        + [.trash]

    /// Stable, for programs and the command line: `caches`, `downloads`, `video`.
    public var id: String {
        switch self {
        case .systemCaches: "caches"
        case .moduleCaches: "modules"
        case .purgeableDirectories: "directories"
        case .downloads: "downloads"
        case .userFiles(let kind): kind.name
        case .trash: "trash"
        }
    }

    public init?(id: String) {
        guard let match = Self.all.first(where: { $0.id == id }) else { return nil }
        self = match
    }

    /// For people, short enough for a list.
    public var title: String {
        switch self {
        case .systemCaches: "System caches"
        case .moduleCaches: "Modules"
        case .purgeableDirectories: "Directories"
        case .downloads: "Downloads"
        case .userFiles(.video): "Videos"
        case .userFiles(.image): "Images"
        case .userFiles(.audio): "Audio"
        case .userFiles(.pdf): "PDF"
        case .userFiles(.document): "Documents"
        case .userFiles(.archive), .userFiles(.diskImage): "Archives"
        case .userFiles: "Other files"
        case .trash: "Trash"
        }
    }

    /// Whether what is in it can be made again: it is purged. Else it is moved to the trash, or is
    /// there already.
    public var isRecreatable: Bool {
        switch self {
        case .systemCaches, .moduleCaches, .purgeableDirectories: true
        case .downloads, .userFiles, .trash: false
        }
    }

    /// The section of a kind: those that people do not look for go with others.
    init(_ kind: FileKind) {
        switch kind {
        case .diskImage: self = .userFiles(.archive)
        case .database, .code, .library: self = .userFiles(.other)
        default: self = .userFiles(kind)
        }
    }
}
