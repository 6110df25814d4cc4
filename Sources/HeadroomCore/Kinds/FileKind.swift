//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What a file holds: as its content says where it was read (``ContentType``), else the end of its
/// name.
public enum FileKind: UInt8, Hashable, Sendable, CaseIterable {
    case video
    case image
    case audio
    case pdf
    case document
    case archive
    case diskImage
    case database
    case code
    case library
    case other

    /// The name in JSON and messages: `video`, `diskImage`.
    public var name: String {
        switch self {
        case .video: "video"
        case .image: "image"
        case .audio: "audio"
        case .pdf: "pdf"
        case .document: "document"
        case .archive: "archive"
        case .diskImage: "diskImage"
        case .database: "database"
        case .code: "code"
        case .library: "library"
        case .other: "other"
        }
    }

    /// The kind of a name; without an extension, or with one that says nothing: other.
    public init(name: FileName) {
        self = name.withEntryName { FileKind($0) }
    }

    /// The kind of a name by its bytes.
    public init(name bytes: [UInt8]) {
        self = FileKind(name: FileName(unchecked: bytes))
    }

    /// The kind of a name, without an allocation: asked for every item of an inventory.
    @inline(__always)
    package init(_ name: EntryName) {
        self = Self.extensionKey(name).flatMap { Self.kinds[$0] } ?? .other
    }

    private static let longestExtension = 8

    /// The extension in lower case, its bytes packed into a number; nil without one, or where it is
    /// longer than any that is known.
    private static func extensionKey(_ name: EntryName) -> UInt64? {
        var key: UInt64 = 0
        var length: UInt64 = 0
        let bytes = unsafe name.bytes
        var index = name.count - 1
        // A dot at the start makes a hidden file, not an extension.
        while index > 0 {
            // In bounds: between 1 and the count.
            let byte = unsafe bytes[index]
            if byte == 0x2E { return length > 0 ? key : nil }
            if length == longestExtension { return nil }
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            key |= UInt64(lower) << (8 * length)
            length += 1
            index -= 1
        }
        return nil
    }

    private static let kinds: [UInt64: FileKind] = {
        let extensions: [(FileKind, String)] = [
            (.video, "mp4 m4v mov mkv avi webm mpg mpeg wmv flv ts m2ts 3gp ogv vob"),
            (
                .image,
                "jpg jpeg png gif heic heif webp tif tiff bmp svg raw cr2 nef dng psd avif xcf kra ai eps jxl raf arw orf rw2"
            ),
            (.audio, "mp3 m4a m4b mka aac flac ogg oga opus wav aif aiff caf wma mid"),
            (.pdf, "pdf"),
            (
                .document,
                "txt md doc docx xls xlsx ppt pptx odt ods odp rtf epub csv html htm tex pages numbers key receipt "
                    + "ipynb org rst adoc bib eml mbox ics vcf rmd qmd odg"
            ),
            (.archive, "zip tar gz tgz bz2 xz zst 7z rar lz4 whl jar deb rpm gem crate pack"),
            (.diskImage, "iso img qcow2 vmdk vdi vhd vhdx dmg"),
            (.database, "sqlite sqlite3 db mdb realm ldb"),
            (
                .code,
                "c h cc cpp hpp m mm swift rs go py js mjs tsx java kt rb php sh pl json xml "
                    + "cs vb fs kts scala clj hs ml ex exs lua r jl dart zig nim vue css scss sql tf"
            ),
            (.library, "so a o dylib dll exe pyc class rlib rmeta pcm"),
        ]
        var kinds: [UInt64: FileKind] = [:]
        for (kind, list) in extensions {
            for text in list.split(separator: " ") {
                var key: UInt64 = 0
                for byte in text.utf8 { key = key << 8 | UInt64(byte) }
                kinds[key] = kind
            }
        }
        return kinds
    }()
}
