//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// Something that was thrown away.
struct APITrashItem: Encodable, Sendable {
    var id: String
    var path: String
    var pathBytes: String?
    var deleted: String
    var expires: String
    var kind: String
    var restorable: Bool
    /// Nil unless it is on a read-only volume.
    var readOnly: Bool?
    var bytes: Int64?
    var items: Int?
    var receipt: String?

    init(_ item: TrashItem) {
        let text = PathText(item.shownPath)
        id = Self.id(of: item)
        path = text.text
        pathBytes = text.encoded
        deleted = item.deleted.iso8601
        expires = item.expires.iso8601
        kind = item.type.apiKind
        readOnly = item.directory.isReadOnly ? true : nil
        restorable = item.originalPath != nil && !item.directory.isReadOnly
        bytes = item.freed?.apiSize
        items = item.fileCount
        receipt = item.receipt
    }

    /// Where it is in the trash: with this name nothing but what is listed there is ever looked for.
    static func id(of item: TrashItem) -> String {
        PercentEncoding.encoded(item.path.bytes)
    }

    var cost: Int {
        250 + id.utf8.count + AnswerBudget.cost(path) + (pathBytes?.utf8.count ?? 0)
    }
}

struct APITrash: Encodable, Sendable {
    var items: [APITrashItem] = []
    var bytes: Int64
    var notes: [APIReason]
    var cursor: String?
}

struct APIRestored: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        var id: String
        var path: String
        var pathBytes: String?
    }

    struct Failure: Encodable, Sendable {
        var id: String
        var code: String
        var text: String
    }

    var restored: [Item] = []
    var failed: [Failure] = []
}

/// What would be moved to the trash.
struct APIDisposal: Encodable, Sendable {
    struct File: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var bytes: Int64
        var items: Int
        var kind: String
    }

    var id: String
    var expires: String
    var files: [File]
    var refused: [APISkipped]
    var bytes: Int64
    var freesWhenEmptiedBytes: Int64

    init(_ selection: UserFileSelection, id: String, expires: Timestamp) {
        self.id = id
        self.expires = expires.iso8601
        files = selection.files.map { file in
            let text = PathText(file.path)
            return File(
                path: text.text, pathBytes: text.encoded, bytes: file.allocated.apiSize,
                items: file.fileCount, kind: file.type.apiKind)
        }
        refused = selection.refused.map { APISkipped($0) }
        bytes = selection.allocated.apiSize
        freesWhenEmptiedBytes = selection.freesWhenEmptied.apiSize
    }
}

extension HeadroomPlatform.FileType {
    /// As the document names it.
    var apiKind: String {
        switch self {
        case .directory: "directory"
        case .regular: "file"
        case .symbolicLink: "link"
        default: "other"
        }
    }
}
