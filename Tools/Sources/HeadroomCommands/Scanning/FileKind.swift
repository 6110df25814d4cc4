//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What kind of content a file has, by its extension.
package enum FileKind: String, Hashable, Sendable, CaseIterable {
    case video
    case image
    case audio
    case pdf
    case document
    case archive
    case diskImage = "disk image"
    case database
    case code
    case library
    case other

    /// The kind of a name; no extension, or one that says nothing: other.
    package init(name: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 12
        else {
            self = .other
            return
        }
        let suffix = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        self = Self.kinds[suffix] ?? .other
    }

    private static let kinds: [String: FileKind] = {
        let suffixes: [(FileKind, String)] = [
            (.video, "mp4 m4v mov mkv avi webm mpg mpeg wmv flv ts 3gp ogv"),
            (.image, "jpg jpeg png gif heic heif webp tif tiff bmp svg raw cr2 nef dng psd avif"),
            (.audio, "mp3 m4a aac flac ogg opus wav aif aiff wma"),
            (.pdf, "pdf"),
            (.document, "txt md doc docx xls xlsx ppt pptx odt ods odp rtf epub csv html htm tex"),
            (.archive, "zip tar gz tgz bz2 xz zst 7z rar lz4 whl jar deb rpm gem crate pack"),
            (.diskImage, "iso img qcow2 vmdk vdi vhd vhdx dmg"),
            (.database, "sqlite sqlite3 db mdb realm ldb"),
            (.code, "c h cc cpp hpp m mm swift rs go py js mjs tsx java kt rb php sh pl json xml"),
            (.library, "so a o dylib dll pyc class rlib rmeta swiftmodule pcm"),
        ]
        var kinds: [String: FileKind] = [:]
        for (kind, list) in suffixes {
            for suffix in list.split(separator: " ") { kinds[String(suffix)] = kind }
        }
        return kinds
    }()
}
