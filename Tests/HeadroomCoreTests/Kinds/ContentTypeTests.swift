//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite("R13: kinds by content and name")
struct ContentTypeTests {
    private static func zip(_ name: String, _ content: String = "") -> [UInt8] {
        [0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0, count: 20)
            + [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) + Array(content.utf8)
            + [UInt8](repeating: 0, count: 40)
    }

    private static func box(_ brand: String, _ compatible: String = "") -> [UInt8] {
        [0, 0, 0, UInt8(16 + compatible.utf8.count)]
            + Array("ftyp\(brand)\0\0\0\0\(compatible)".utf8)
            + [UInt8](repeating: 0, count: 16)
    }

    @Test(
        arguments: [
            (zip("mimetype", "application/epub+zip"), .document),
            (zip("mimetype", "application/vnd.oasis.opendocument.text"), .document),
            (zip("[Content_Types].xml") + zip("word/document.xml"), .document),
            (zip("_rels/.rels") + zip("xl/workbook.xml"), .document),
            (zip("Index/Document.iwa"), .document), (zip("META-INF/MANIFEST.MF"), .archive),
            (zip("AndroidManifest.xml"), .archive), (zip("holiday.jpg"), .archive),
            (box("heic"), .image), (box("mif1", "mif1heic"), .image), (box("avif"), .image),
            (box("M4A "), .audio), (box("isom", "isomiso2avc1mp41"), .video),
            (box("qt  "), .video), (box("3gp5"), .video), (box("crx "), .image),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .image),
            (Array("RIFF\0\0\0\0AVI LIST".utf8), .video),
            (Array("RIFF\0\0\0\0WAVEfmt ".utf8), .audio), (Array("8BPS\0\u{1}".utf8), .image),
            (Array("%PDF-1.4".utf8), .pdf), (Array("<html><p>".utf8), .document),
            (Array("<?xml version='1.0'?><svg xmlns=''/>".utf8), .image),
            (Array("bplist00".utf8), .other), (Array("just words".utf8), .document),
        ] as [([UInt8], FileKind)])
    func contentSaysTheKind(header: [UInt8], expected: FileKind) {
        let content = ContentType(header: header)
        #expect(content?.kind == expected, "\(content?.mediaType ?? "nothing")")
    }

    @Test(
        arguments: [
            ("plain text", "main.swift", .code), ("plain text", "letter.txt", .document),
            ("plain text", "film.mp4", .document), ("%PDF-1.4", "film.mp4", .pdf),
            ("PK\u{3}\u{4}", "report.docx", .document), ("PK\u{3}\u{4}", "all.zip", .archive),
            ("PK\u{3}\u{4}", "film.mp4", .archive), ("ftyp", "sound.m4a", .audio),
            ("\u{1}\u{2}\u{3}", "data.sqlite", .database), ("\u{1}\u{2}\u{3}", "noname", .other),
        ] as [(String, String, FileKind)])
    func theNameCountsWhereTheContentLeavesItOpen(start: String, name: String, kind: FileKind)
        throws
    {
        var header = Array(start.utf8) + [UInt8](repeating: 0x20, count: 64)
        if start == "ftyp" { header = Self.box("isom", "isommp42") }
        let name = try #require(FileName(name))
        #expect(FileKind(content: ContentType(header: header), name: name) == kind)
        #expect(FileKind(content: nil, name: name) == FileKind(name: name))
    }
}
