//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform
package import SystemPackage

/// What an information file of the freedesktop trash says: `info/NAME.trashinfo` for `files/NAME`.
///
/// https://specifications.freedesktop.org/trash-spec/latest/ – programs ignore keys that they do not
/// know, so that one of ours can say by which receipt something went.
package struct TrashInfo: Hashable, Sendable {
    /// Where it was: absolute, or relative to the root of the volume.
    package var path: FilePath
    package var deleted: Timestamp?
    /// The receipt by which Headroom has moved it, and its place in that.
    package var receipt: Entry?

    package struct Entry: Hashable, Sendable {
        package var id: String
        package var number: Int

        package init(id: String, number: Int) {
            self.id = id
            self.number = number
        }
    }

    package static let suffix = Array(".trashinfo".utf8)
    package static let directoryName = FileName(unchecked: Array("info".utf8))
    package static let filesName = FileName(unchecked: Array("files".utf8))
    static let receiptKey = "X-Headroom-Receipt"
    /// Such a file has a path of at most 4,096 bytes, each written as three.
    static let sizeLimit = 64 << 10

    /// The name of the information about an item; nil if that is longer than names can be.
    package static func fileName(of item: FileName) -> FileName? {
        let bytes = item.bytes + suffix
        return bytes.count <= 255 ? FileName(unchecked: bytes) : nil
    }

    /// The item that an information file is about; nil for other names.
    package static func item(of name: FileName) -> FileName? {
        guard name.bytes.count > suffix.count, name.bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        return FileName(Array(name.bytes.dropLast(suffix.count)))
    }

    // MARK: - Text

    /// The content of the file. The date is local time without a zone, as the specification wants it.
    package var content: [UInt8] {
        var text = "[Trash Info]\nPath=\(PercentEncoding.encoded(path.bytes))\n"
        if let date = deleted.flatMap(LocalTime.text) { text += "DeletionDate=\(date)\n" }
        if let receipt { text += "\(Self.receiptKey)=\(receipt.id)/\(receipt.number)\n" }
        return Array(text.utf8)
    }

    /// Reads the content of a file. Of keys that come twice the first counts.
    ///
    /// - Returns: nil if it does not say where the item was.
    package init?(parsing content: [UInt8]) {
        var path: FilePath?
        var date: Timestamp?
        var receipt: Entry?
        var isInGroup = false
        for line in content.split(separator: UInt8(ascii: "\n")) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.first == UInt8(ascii: "[") {
                isInGroup = line.elementsEqual("[Trash Info]".utf8)
                continue
            }
            guard isInGroup, let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: line[..<equals], as: UTF8.self).trimmed
            let value = line[(equals + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
            switch key {
            case "Path" where path == nil: path = Self.decode(value).map { FilePath(bytes: $0) }
            case "DeletionDate" where date == nil:
                date = LocalTime.parse(Substring(decoding: value, as: UTF8.self).utf8)
            case Self.receiptKey where receipt == nil:
                receipt = Entry(String(decoding: value, as: UTF8.self))
            default: break
            }
        }
        guard let path, !path.isEmpty else { return nil }
        self.init(path: path, deleted: date, receipt: receipt)
    }

    init(path: FilePath, deleted: Timestamp?, receipt: Entry?) {
        self.path = path
        self.deleted = deleted
        self.receipt = receipt
    }

    /// - Returns: nil for an escape that is none, or if there is a NUL.
    private static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let bytes = PercentEncoding.decoded(text), !bytes.contains(0) else { return nil }
        return bytes
    }
}

extension TrashInfo.Entry {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[1]) else { return nil }
        self.init(id: String(parts[0]), number: number)
    }
}

extension String {
    fileprivate var trimmed: String {
        var view = self[...]
        while let last = view.last, last == " " || last == "\t" { view.removeLast() }
        while let first = view.first, first == " " || first == "\t" { view.removeFirst() }
        return String(view)
    }
}
