//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What a file holds, judged by its first bytes.
public struct ContentType: Hashable, Sendable {
    /// The media type, such as `video/mp4`.
    public var mediaType: String
    public var kind: FileKind
    /// The bytes leave it open what exactly it is, and the name may say more: text, a ZIP archive, a
    /// container of Office's old formats, a film's container that may hold only sound.
    public var isBroad: Bool

    package init(_ mediaType: String, _ kind: FileKind, isBroad: Bool = false) {
        self.mediaType = mediaType
        self.kind = kind
        self.isBroad = isBroad
    }

    /// How much of a file's beginning is worth reading.
    public static let headerSize = 4096

    /// Where an image of a CD says that it is one: five bytes, `CD001`.
    package static let discOffset: UInt64 = 32769

    /// Judges by the first bytes of a file.
    ///
    /// - Parameter header: the first ``headerSize`` bytes, or all of a shorter file.
    /// - Returns: nil if they say nothing.
    /// - Complexity: O(signatures), and O(header) for text and archives.
    public init?(header: [UInt8]) {
        guard let found = ContentSniffer(header).sniff() else { return nil }
        self = found
    }
}

extension FileKind {
    /// The kind by content, and by name where the content leaves it open or was not read.
    ///
    /// A film that is called `letter.txt` is a video; a ZIP archive called `letter.docx` is a document.
    public init(content: ContentType?, name: FileName) {
        let named = FileKind(name: name)
        guard let content else {
            self = named
            return
        }
        self = content.isBroad && content.kind.canBe(named) ? named : content.kind
    }

    /// What broad content may turn out to be by its name.
    private func canBe(_ named: FileKind) -> Bool {
        switch self {
        // Text.
        case .document: [.document, .code, .database, .archive].contains(named)
        case .archive: [.archive, .document, .library].contains(named)
        case .video: [.video, .audio].contains(named)
        default: false
        }
    }
}
