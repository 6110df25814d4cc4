//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ContentSniffer {
    /// Text of some kind; nil for anything else.
    var textType: ContentType? {
        guard !header.isEmpty else { return nil }
        if isUTF16 { return ContentType("text/plain", .document, isBroad: true) }
        guard isText else { return nil }
        let start = opening
        if start.hasPrefix("#!") { return ContentType("text/x-script", .code) }
        if start.hasPrefix("<svg") || start.hasPrefix("<?xml") && contains("<svg") {
            return ContentType("image/svg+xml", .image)
        }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || start.hasPrefix("<head")
        {
            return ContentType("text/html", .document)
        }
        if start.hasPrefix("<?xml") { return ContentType("text/xml", .document, isBroad: true) }
        return ContentType("text/plain", .document, isBroad: true)
    }

    /// The first letters after spaces and a byte order mark, in lower case.
    private var opening: String {
        var rest = header[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return String(decoding: rest.prefix(64), as: UTF8.self).lowercased()
    }

    /// A byte order mark, and no characters that text has not.
    var isUTF16: Bool {
        guard header.count >= 4 else { return false }
        let isLittle = header[0] == 0xFF && header[1] == 0xFE
        guard isLittle || header[0] == 0xFE && header[1] == 0xFF else { return false }
        for index in stride(from: 2, to: header.count - 1, by: 2) {
            let (low, high) =
                isLittle
                ? (header[index], header[index + 1]) : (header[index + 1], header[index])
            if high == 0, low < 0x20, ![0x09, 0x0A, 0x0C, 0x0D].contains(low) { return false }
        }
        return true
    }

    /// No control characters but those of text, and no NUL; UTF-8, or a code of one byte a letter.
    var isText: Bool {
        // Escape and backspace occur in manuals and in what terminals recorded.
        let isPlain = header.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F
                || [0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B].contains(byte)
        }
        guard isPlain else { return false }
        let letters = header.lazy.filter { $0 >= 0x80 }.count
        guard letters > 0 else { return true }
        // The last letter may be cut.
        for cut in 0...min(3, header.count - 1)
        where String(validating: header.dropLast(cut), as: UTF8.self) != nil { return true }
        // Latin and its kin: mostly letters of ASCII, and nothing that is a control character there.
        return letters * 3 < header.count && !header.contains { (0x80..<0xA0).contains($0) }
    }
}
