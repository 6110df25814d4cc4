//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// What something is, why it is there in the order, and what would happen.
struct APIExplanation: Encodable, Sendable {
    var path: String
    var pathBytes: String?
    var summary: String
    var subject: String
    var area: AreaPart?
    var cache: Cache?
    var `class`: String
    var classFrom: String
    var goesWith: String?
    var goesWithBytes: String?
    var bytes: Int64
    var logicalBytes: Int64
    var freesBytes: Int64
    var lastUse: String?
    var lastUseFrom: String?
    var mark: MarkPart
    var backup: Backup
    var protection: ProtectionPart
    var inUse: APIReason?
    var place: Place?
    var outlook: Outlook
    var allowsClassMark: Bool
    var next: [String]

    struct AreaPart: Encodable, Sendable {
        var path: String
        var pathBytes: String?
        var `class`: String
        var origin: String
        var unit: String
    }

    struct Cache: Encodable, Sendable {
        var id: String
        var name: String
        var command: String?
    }

    struct MarkPart: Encodable, Sendable {
        var `class`: String?
        var pinned: Bool
        var importance: Int?
        var noBackup: Bool
    }

    struct Backup: Encodable, Sendable {
        var excluded: Bool
        var text: String
    }

    struct ProtectionPart: Encodable, Sendable {
        var level: String
        var text: String

        init(_ protection: Protection) {
            level = protection.name
            text =
                switch protection {
                case .level(let level): level.summary
                case .unknown: "it cannot be read, or nobody says"
                }
        }
    }

    struct Place: Encodable, Sendable {
        var position: Int
        var count: Int
        var bytesBefore: Int64
    }

    struct Outlook: Encodable, Sendable {
        var when: String
        var reason: APIReason?
        var seconds: Int64?
        var level: String?

        init(_ outlook: Explanation.Outlook) {
            switch outlook {
            case .never(let why):
                when = "never"
                reason = APIReason(why)
            case .notNow(let why):
                when = "not-now"
                reason = APIReason(why)
            case .expired: when = "expired"
            case .expires(let time):
                when = "expires"
                seconds = max(0, time.components.seconds)
            case .overLimit: when = "over-limit"
            case .pressure(let name):
                when = "pressure"
                level = name.name
            case .itemByItem: when = "item-by-item"
            }
        }
    }

    /// - Parameter size: what it occupies.
    init(
        _ explanation: Explanation, size: ByteCount, mark own: Mark, allowsClassMark: Bool,
        backup exclusion: BackupExclusion, protection found: Protection,
        cache known: CatalogueCache?
    ) {
        let text = PathText(explanation.path)
        path = text.text
        pathBytes = text.encoded
        summary = explanation.summary
        subject = explanation.subject.rawValue
        area = explanation.area.map { area in
            let root = PathText(area.root)
            return AreaPart(
                path: root.text, pathBytes: root.encoded, class: area.apiClass,
                origin: area.origin.apiShort, unit: area.unit == .entry ? "entry" : "file")
        }
        cache = known.map { cache in
            let command = cache.entry.command.joined(separator: " ")
            return Cache(
                id: cache.entry.id, name: cache.entry.name,
                command: command.isEmpty ? nil : command)
        }
        self.class = explanation.className
        classFrom =
            switch explanation.classOrigin {
            case .area: "as its area"
            case .mark: "by a mark"
            case .values: "as the first of its values"
            case .shape: explanation.classReason?.text ?? "by its shape"
            case .nothing: "as all that nobody declared"
            }
        let whole = explanation.goesWith.map { PathText($0) }
        goesWith = whole?.text
        goesWithBytes = whole?.encoded
        bytes = size.apiSize
        logicalBytes = explanation.logical.apiSize
        freesBytes = explanation.frees.apiSize
        lastUse = explanation.lastUse?.iso8601
        lastUseFrom = explanation.lastUseOrigin?.rawValue
        mark = MarkPart(
            class: own.purgeClass?.purgeClass.name, pinned: own.isPinned ?? false,
            importance: own.importance.map { Int($0) },
            noBackup: own.isExcludedFromBackup ?? false)
        backup = Backup(excluded: exclusion.isExcluded, text: Self.words(exclusion))
        protection = ProtectionPart(found)
        inUse = explanation.inUse.map { APIReason($0) }
        place = explanation.place.map {
            Place(
                position: $0.position, count: $0.count, bytesBefore: $0.bytesBefore.apiSize)
        }
        outlook = Outlook(explanation.outlook)
        self.allowsClassMark = allowsClassMark
        next = []
        let shown = explanation.path.shellText
        switch explanation.outlook {
        case .never(let reason) where reason.code == .pinned:
            next = ["headroom mark \(shown) --unpin"]
        case .never(let reason) where reason.code == .essential && allowsClassMark:
            next = ["headroom mark \(shown) --last-resort", "headroom mark \(shown) --purgeable"]
        case .never: break
        default: next = ["headroom mark \(shown) --pin"]
        }
    }

    private static func words(_ exclusion: BackupExclusion) -> String {
        switch exclusion {
        case .none: "not left out"
        case .own: "left out by its own flag"
        case .inherited(let directory, _): "left out, with \(directory.displayText)"
        case .byLocation(let place):
            "left out, as \(place.purgeClass.spokenName) (\(place.origin.apiShort)), by programs that "
                + "are given headroom audit --excludes"
        }
    }
}
