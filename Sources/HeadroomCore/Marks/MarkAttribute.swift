//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
import SystemPackage

/// The extended attribute in which a file or directory carries its mark.
///
/// The value is text of one line: the version, then words separated by single spaces, such as
/// `1 class=lastResort importance=80`. `Documentation/Design/0005-marks.md` has the grammar. A value
/// that is damaged, or of a later version, protects: it reads as a pin, and as "marked files inside".
package struct MarkAttribute: Hashable, Sendable {
    /// What it says of the file or directory itself.
    package var mark: Mark
    /// On a directory: files in it may carry marks, so that a scan has to read theirs.
    package var hasMarkedFiles: Bool
    /// The value could not be read or understood; ``mark`` is then a pin.
    package var isDamaged: Bool

    #if canImport(Darwin)
    package static let name: AttributeName = "headroom"
    #else
    package static let name: AttributeName = "user.headroom"
    #endif

    /// There is no attribute.
    package static let none = MarkAttribute()

    /// There is one, but nobody knows what it says: nothing it stands on may go.
    package static let damaged: MarkAttribute = {
        var attribute = MarkAttribute(mark: Mark(isPinned: true), hasMarkedFiles: true)
        attribute.isDamaged = true
        return attribute
    }()

    package init(mark: Mark = .none, hasMarkedFiles: Bool = false) {
        self.mark = mark
        self.hasMarkedFiles = hasMarkedFiles
        isDamaged = false
    }

    /// Whether there is nothing to keep, so that the attribute is removed instead of written.
    package var isEmpty: Bool { mark.isEmpty && !hasMarkedFiles }
}

// MARK: - Encoding

extension MarkAttribute {
    /// The longest value that is read; what is longer is not ours.
    private static let maximumSize = 256

    /// The value to write. A damaged one cannot be written again: it is set anew or removed.
    package var encoded: [UInt8] {
        var words = ["1"]
        if let purgeClass = mark.purgeClass { words.append("class=\(purgeClass.purgeClass.name)") }
        if let isPinned = mark.isPinned { words.append(isPinned ? "pinned" : "unpinned") }
        if let importance = mark.importance { words.append("importance=\(importance)") }
        if let isExcluded = mark.isExcludedFromBackup {
            words.append(isExcluded ? "nobackup" : "backup")
        }
        if hasMarkedFiles { words.append("files") }
        return Array(words.joined(separator: " ").utf8)
    }

    /// The attribute of a value that was read. Never fails: what is not understood is ``damaged``.
    package init(decoding value: [UInt8]) {
        self = Self.decode(value) ?? .damaged
    }

    private static func decode(_ value: [UInt8]) -> MarkAttribute? {
        guard value.count <= maximumSize, let text = String(validating: value, as: UTF8.self) else {
            return nil
        }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.first == "1" else { return nil }
        var attribute = MarkAttribute()
        for word in words.dropFirst() {
            // A word that stands twice, or contradicts another, is no mark of ours.
            switch word {
            case "pinned" where attribute.mark.isPinned == nil: attribute.mark.isPinned = true
            case "unpinned" where attribute.mark.isPinned == nil: attribute.mark.isPinned = false
            case "nobackup" where attribute.mark.isExcludedFromBackup == nil:
                attribute.mark.isExcludedFromBackup = true
            case "backup" where attribute.mark.isExcludedFromBackup == nil:
                attribute.mark.isExcludedFromBackup = false
            case "files" where !attribute.hasMarkedFiles: attribute.hasMarkedFiles = true
            default:
                guard attribute.decode(valued: word) else { return nil }
            }
        }
        return attribute
    }

    private mutating func decode(valued word: Substring) -> Bool {
        if word.hasPrefix("class="), mark.purgeClass == nil,
            let purgeClass = PurgeClass(name: String(word.dropFirst(6))),
            let purgeable = PurgeableClass(purgeClass), purgeClass.name == word.dropFirst(6)
        {
            mark.purgeClass = purgeable
            return true
        }
        if word.hasPrefix("importance="), mark.importance == nil,
            let importance = UInt8(word.dropFirst(11)), importance <= 100,
            "\(importance)" == word.dropFirst(11)
        {
            mark.importance = importance
            return true
        }
        return false
    }
}

// MARK: - Reading

extension MarkAttribute {
    /// The attribute of a directory's entry.
    ///
    /// Only regular files and directories can carry one; of others nothing is asked. Never fails: an
    /// attribute that cannot be read is ``damaged``, since it may be a pin.
    package static func read(
        _ name: EntryName, type: HeadroomPlatform.FileType, at parent: Int32,
        _ calls: some FileSystemCalls
    ) -> MarkAttribute {
        guard type == .regular || type == .directory else { return .none }
        do throws(Errno) {
            return try calls.attribute(Self.name, of: name, at: parent)
                .map(MarkAttribute.init(decoding:)) ?? .none
        } catch .noSuchFileOrDirectory {
            // Gone since: whoever uses it will find that out.
            return .none
        } catch {
            return .damaged
        }
    }

    /// The attribute of an open regular file or directory, under the same conditions.
    package static func read(
        _ descriptor: Int32, _ calls: some FileSystemCalls
    ) -> MarkAttribute {
        do throws(Errno) {
            return try calls.attribute(Self.name, of: descriptor)
                .map(MarkAttribute.init(decoding:)) ?? .none
        } catch {
            return .damaged
        }
    }
}

extension Reason.Code {
    /// The mark on it is damaged or of a later version, and therefore protects it.
    public static let unreadableMark = Reason.Code("unreadable-mark")
}
