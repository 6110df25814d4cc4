//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Bytes at a fixed place that tell what a file is.
struct ContentSignature: Sendable {
    let offset: Int
    let bytes: [UInt8]
    let type: ContentType

    private init(
        _ offset: Int, _ bytes: [UInt8], _ mediaType: String, _ kind: FileKind,
        isBroad: Bool = false
    ) {
        self.offset = offset
        self.bytes = bytes
        type = ContentType(mediaType, kind, isBroad: isBroad)
    }

    private init(_ text: String, _ mediaType: String, _ kind: FileKind, at offset: Int = 0) {
        self.init(offset, Array(text.utf8), mediaType, kind)
    }

    func matches(_ header: [UInt8]) -> Bool {
        header.count >= offset + bytes.count
            && header[offset..<offset + bytes.count].elementsEqual(bytes)
    }

    /// In the order in which they are tried. What needs more than a comparison is in
    /// ``ContentSniffer``.
    static let all: [ContentSignature] = media + packed + programs

    private static let media: [ContentSignature] = [
        .init(0, [0xFF, 0xD8, 0xFF], "image/jpeg", .image),
        .init(0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png", .image),
        .init("GIF87a", "image/gif", .image),
        .init("GIF89a", "image/gif", .image),
        .init(0, [0x49, 0x49, 0x2A, 0x00], "image/tiff", .image),
        .init(0, [0x4D, 0x4D, 0x00, 0x2A], "image/tiff", .image),
        .init(0, [0x49, 0x49, 0x2B, 0x00], "image/tiff", .image),
        .init(0, [0x4D, 0x4D, 0x00, 0x2B], "image/tiff", .image),
        .init("IIRO", "image/x-olympus-orf", .image),
        .init("IIU\0", "image/x-panasonic-rw2", .image),
        .init("FUJIFILMCCD-RAW", "image/x-fuji-raf", .image),
        .init("8BPS", "image/vnd.adobe.photoshop", .image),
        .init("gimp xcf", "image/x-xcf", .image),
        .init("qoif", "image/qoi", .image),
        .init("icns", "image/x-icns", .image),
        .init("DDS ", "image/vnd.ms-dds", .image),
        .init("/* XPM */", "image/x-xpmi", .image),
        .init(0, [0x76, 0x2F, 0x31, 0x01], "image/x-exr", .image),
        .init(0, [0xFF, 0x0A], "image/jxl", .image),
        .init("JXL \r\n", "image/jxl", .image, at: 4),
        .init("jP  \r\n", "image/jp2", .image, at: 4),
        .init(0, [0xFF, 0x4F, 0xFF, 0x51], "image/x-jp2-codestream", .image),
        .init(0, [0xD7, 0xCD, 0xC6, 0x9A], "image/wmf", .image),
        .init(" EMF", "image/emf", .image, at: 40),

        .init("fLaC", "audio/flac", .audio),
        .init("ID3", "audio/mpeg", .audio),
        .init("MThd", "audio/midi", .audio),
        .init("#!AMR", "audio/amr", .audio),
        .init(".snd", "audio/basic", .audio),
        .init("caff", "audio/x-caf", .audio),
        .init("wvpk", "audio/x-wavpack", .audio),
        .init("MAC ", "audio/x-ape", .audio),
        .init("DSD ", "audio/x-dsf", .audio),
        .init("MPCK", "audio/x-musepack", .audio),
        .init(0, [0x7F, 0xFE, 0x80, 0x01], "audio/vnd.dts", .audio),

        .init(0, [0x00, 0x00, 0x01, 0xBA], "video/mpeg", .video),
        .init(0, [0x00, 0x00, 0x01, 0xB3], "video/mpeg", .video),
        .init("FLV\u{1}", "video/x-flv", .video),
        .init(".RMF", "application/vnd.rn-realmedia", .video),
        .init("moov", "video/quicktime", .video, at: 4),
        .init("mdat", "video/quicktime", .video, at: 4),
        .init("wide", "video/quicktime", .video, at: 4),
        .init("pnot", "video/quicktime", .video, at: 4),

        .init("%PDF-", "application/pdf", .pdf),
        .init("%!PS", "application/postscript", .document),
        .init("{\\rtf", "text/rtf", .document),
        .init("AT&TFORM", "image/vnd.djvu", .document),
        .init("ITSF", "application/vnd.ms-htmlhelp", .document),
        .init("BOOKMOBI", "application/x-mobipocket-ebook", .document, at: 60),
    ]

    private static let packed: [ContentSignature] = [
        .init(0, [0x1F, 0x8B], "application/gzip", .archive),
        .init(0, [0x1F, 0x9D], "application/x-compress", .archive),
        .init(0, [0x1F, 0xA0], "application/x-compress", .archive),
        .init(0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "application/x-xz", .archive),
        .init(0, [0x28, 0xB5, 0x2F, 0xFD], "application/zstd", .archive),
        .init(0, [0x04, 0x22, 0x4D, 0x18], "application/x-lz4", .archive),
        .init(0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed", .archive),
        .init(0, [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], "application/x-rar", .archive),
        .init(0, [0xED, 0xAB, 0xEE, 0xDB], "application/x-rpm", .archive),
        .init(0, [0x5D, 0x00, 0x00], "application/x-lzma", .archive),
        .init("LZIP", "application/x-lzip", .archive),
        .init("MSCF\0", "application/vnd.ms-cab-compressed", .archive),
        .init("xar!", "application/x-xar", .archive),
        .init("070701", "application/x-cpio", .archive),
        .init("070702", "application/x-cpio", .archive),
        .init("070707", "application/x-cpio", .archive),
        .init(0, [0xC7, 0x71], "application/x-cpio", .archive),
        .init("PACK\0\0\0", "application/x-git", .archive),
        .init("ustar", "application/x-tar", .archive, at: 257),

        .init(0, [0x51, 0x46, 0x49, 0xFB], "application/x-qemu-disk", .diskImage),
        .init("KDMV", "application/x-vmdk", .diskImage),
        .init("vhdxfile", "application/x-vhdx", .diskImage),
        .init("conectix", "application/x-vhd", .diskImage),
        .init(0x40, [0x7F, 0x10, 0xDA, 0xBE], "application/x-virtualbox-vdi", .diskImage),
        .init("EFI PART", "application/x-gpt", .diskImage, at: 512),
        .init("XFSB", "application/x-xfs", .diskImage),
        .init("hsqs", "application/x-squashfs", .diskImage),
        .init(0, [0x45, 0x3D, 0xCD, 0x28], "application/x-cramfs", .diskImage),

        .init("SQLite format 3\0", "application/vnd.sqlite3", .database),
        .init(0, [0x37, 0x7F, 0x06, 0x82], "application/x-sqlite3-wal", .database),
        .init(0, [0x37, 0x7F, 0x06, 0x83], "application/x-sqlite3-wal", .database),
        .init("\0\u{1}\0\0Standard Jet DB", "application/x-msaccess", .database),
        .init("\0\u{1}\0\0Standard ACE DB", "application/x-msaccess", .database),
        .init(16, [0xDE, 0xC0, 0xEF, 0xBE], "application/x-lmdb", .database),
        .init("T-DB", "application/x-realm", .database, at: 16),
        .init(12, [0x62, 0x31, 0x05, 0x00], "application/x-dbm", .database),
        .init(12, [0x00, 0x05, 0x31, 0x62], "application/x-dbm", .database),
        .init(12, [0x61, 0x15, 0x06, 0x00], "application/x-dbm", .database),
        .init(0, [0xCE, 0x9A, 0x57, 0x13], "application/x-gdbm", .database),
        .init(0, [0xCF, 0x9A, 0x57, 0x13], "application/x-gdbm", .database),
    ]

    private static let programs: [ContentSignature] = [
        .init(0, [0x7F, 0x45, 0x4C, 0x46], "application/x-executable", .library),
        .init(0, [0xFE, 0xED, 0xFA, 0xCE], "application/x-mach-binary", .library),
        .init(0, [0xFE, 0xED, 0xFA, 0xCF], "application/x-mach-binary", .library),
        .init(0, [0xCE, 0xFA, 0xED, 0xFE], "application/x-mach-binary", .library),
        .init(0, [0xCF, 0xFA, 0xED, 0xFE], "application/x-mach-binary", .library),
        // Java classes, and Mach-O for several processors.
        .init(0, [0xCA, 0xFE, 0xBA, 0xBE], "application/x-java-applet", .library),
        .init(0, [0x00, 0x61, 0x73, 0x6D], "application/wasm", .library),
        .init("dex\n03", "application/x-dex", .library),
        .init("CPCH", "application/x-clang-pch", .library),
        .init(2, [0x0D, 0x0A], "application/x-bytecode.python", .library),

        .init("bplist0", "application/x-bplist", .other),
        .init(0, [0x00, 0x01, 0x00, 0x00, 0x00], "font/sfnt", .other),
        .init("OTTO", "application/vnd.ms-opentype", .other),
        .init("ttcf", "font/collection", .other),
        .init("wOFF", "font/woff", .other),
        .init("wOF2", "font/woff2", .other),
        .init(0, [0xDE, 0x12, 0x04, 0x95], "application/x-gettext-translation", .other),
        .init(0, [0x95, 0x04, 0x12, 0xDE], "application/x-gettext-translation", .other),
    ]
}
