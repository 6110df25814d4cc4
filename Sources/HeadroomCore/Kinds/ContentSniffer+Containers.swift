//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension ContentSniffer {
    /// Formats that hold others, and say which.
    var container: ContentType? {
        if has("ftyp", at: 4) { return isoMedia }
        if has("RIFF", at: 0) || has("RIFX", at: 0) || has("RF64", at: 0) { return riff }
        if has("FORM", at: 0) { return interchange }
        if has("OggS", at: 0) { return ogg }
        if Array(header.prefix(4)) == [0x1A, 0x45, 0xDF, 0xA3] { return matroska }
        if Array(header.prefix(8)) == [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] {
            return windowsMedia
        }
        if has("PK\u{3}\u{4}", at: 0) { return zip }
        if has("PK\u{5}\u{6}", at: 0) || has("PK\u{7}\u{8}", at: 0) {
            return ContentType("application/zip", .archive, isBroad: true)
        }
        if Array(header.prefix(8)) == [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] {
            return ContentType("application/x-ole-storage", .document, isBroad: true)
        }
        if has("!<arch>\n", at: 0) {
            return has("debian-binary", at: 8)
                ? ContentType("application/vnd.debian.binary-package", .archive)
                : ContentType("application/x-archive", .library)
        }
        return nil
    }

    /// ISO base media: MP4, QuickTime, HEIF, AVIF, 3GPP, M4A and others, told apart by their brands.
    private var isoMedia: ContentType {
        let major = text(at: 8, count: 4)
        if let type = Self.brands[major] { return type }
        if major.hasPrefix("3g") { return ContentType("video/3gpp", .video, isBroad: true) }
        // A brand that says little, as mif1 or isom do: the compatible ones say more.
        let size = Int(byte(2)) << 8 | Int(byte(3))
        for offset in stride(from: 16, to: min(size, 128, header.count) - 3, by: 4) {
            let brand = text(at: offset, count: 4)
            if let type = Self.brands[brand], type.kind != .video { return type }
        }
        return ContentType("video/mp4", .video, isBroad: true)
    }

    private static let brands: [String: ContentType] = {
        var brands: [String: ContentType] = [:]
        for brand in ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"] {
            brands[brand] = ContentType("image/heic", .image)
        }
        for brand in ["avif", "avis"] { brands[brand] = ContentType("image/avif", .image) }
        for brand in ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "] {
            brands[brand] = ContentType("audio/x-m4a", .audio)
        }
        for brand in ["jp2 ", "jpx ", "jpm "] { brands[brand] = ContentType("image/jp2", .image) }
        brands["crx "] = ContentType("image/x-canon-cr3", .image)
        brands["qt  "] = ContentType("video/quicktime", .video)
        brands["M4V "] = ContentType("video/x-m4v", .video)
        return brands
    }()

    private var riff: ContentType? {
        switch text(at: 8, count: 4) {
        case "WEBP": ContentType("image/webp", .image)
        case "WAVE": ContentType("audio/x-wav", .audio)
        case "AVI ": ContentType("video/x-msvideo", .video)
        case "ACON": ContentType("application/x-navi-animation", .image)
        case "RMID": ContentType("audio/midi", .audio)
        case "sfbk": ContentType("audio/x-sfbk", .audio)
        default: nil
        }
    }

    private var interchange: ContentType? {
        switch text(at: 8, count: 4) {
        case "AIFF", "AIFC": ContentType("audio/x-aiff", .audio)
        case "8SVX": ContentType("audio/x-8svx", .audio)
        case "ILBM", "PBM ": ContentType("image/x-ilbm", .image)
        default: nil
        }
    }

    /// What is in an Ogg stream stands at the start of its first pages.
    private var ogg: ContentType {
        if contains([0x80] + Array("theora".utf8)) || contains("BBCD\0") || contains("OVP80") {
            return ContentType("video/ogg", .video)
        }
        // A skeleton comes with film and sound alike.
        let isBroad = has("fishead\0", at: 28)
        return ContentType("audio/ogg", isBroad ? .video : .audio, isBroad: isBroad)
    }

    private var matroska: ContentType {
        if contains("webm") { return ContentType("video/webm", .video, isBroad: true) }
        return ContentType("video/x-matroska", .video, isBroad: true)
    }

    private var windowsMedia: ContentType {
        let film: [UInt8] = [0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD]
        let sound: [UInt8] = [0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD]
        return contains(sound) && !contains(film)
            ? ContentType("audio/x-ms-wma", .audio)
            : ContentType("video/x-ms-asf", .video, isBroad: !contains(film))
    }

    // MARK: - ZIP

    /// Documents, programs and plain archives, told apart by the names of the first entries.
    private var zip: ContentType {
        var names: [String] = []
        var offset = 0
        while names.count < 24, offset + 30 < header.count {
            guard has("PK\u{3}\u{4}", at: offset) else {
                offset += 1
                continue
            }
            let length = Int(byte(offset + 26)) | Int(byte(offset + 27)) << 8
            let name = text(at: offset + 30, count: length)
            if name == "mimetype", let type = statedType(at: offset + 38) { return type }
            names.append(name)
            offset += 30
        }
        return Self.zipType(names) ?? ContentType("application/zip", .archive, isBroad: true)
    }

    /// OpenDocument and EPUB begin with an entry that is stored plainly and says what they are.
    private func statedType(at offset: Int) -> ContentType? {
        if has("application/epub+zip", at: offset) {
            return ContentType("application/epub+zip", .document)
        }
        guard has("application/vnd.oasis.opendocument.", at: offset) else { return nil }
        let rest = header[(offset + 35)...].prefix { (0x61...0x7A).contains($0) || $0 == 0x2D }
        return ContentType(
            "application/vnd.oasis.opendocument." + String(decoding: rest, as: UTF8.self),
            .document)
    }

    private static func zipType(_ names: [String]) -> ContentType? {
        func any(_ prefixes: String...) -> Bool {
            names.contains { name in prefixes.contains { name.hasPrefix($0) } }
        }
        if any("[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/") {
            let office = "application/vnd.openxmlformats-officedocument."
            if any("word/") { return ContentType(office + "wordprocessingml.document", .document) }
            if any("xl/") { return ContentType(office + "spreadsheetml.sheet", .document) }
            if any("ppt/") {
                return ContentType(office + "presentationml.presentation", .document)
            }
            // Packages of other programs have the same table of contents.
            return ContentType("application/x-open-packaging", .document, isBroad: true)
        }
        if any("Index/Document.iwa", "Index/Metadata.iwa", "Index/ViewState.iwa") {
            return ContentType("application/vnd.apple.iwork", .document)
        }
        if any("AndroidManifest.xml", "classes.dex") {
            return ContentType("application/vnd.android.package-archive", .archive)
        }
        if any("META-INF/") { return ContentType("application/java-archive", .archive) }
        if any("Payload/") { return ContentType("application/x-ios-app", .archive) }
        return nil
    }
}
