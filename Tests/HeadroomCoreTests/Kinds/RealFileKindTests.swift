//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Files that real programs made, under a name that says nothing.
@Suite("R13: kinds of files made by real programs")
struct RealFileKindTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("in/a.txt", text: String(repeating: "a line of text\n", count: 40))
        try directory.tree.file("in/b.txt", text: "another\n")
    }

    /// Runs a script in the directory, which makes `out`, and judges that.
    private func kind(_ script: String) throws -> (FileKind?, String) {
        let result = try ChildProcess.run(
            "sh", ["-c", "cd '\(directory.path)' && { \(script); } >log 2>&1"])
        try #require(result.exitCode == 0, "\(script)")
        let file = try Descriptor.openFile(directory.path.appending("out"))
        let header = try FileHeader.read(file.rawValue, count: ContentType.headerSize)
        let content = ContentType(header: header)
        return (content?.kind, content?.mediaType ?? "nothing")
    }

    private static let film = "-f lavfi -i testsrc=size=64x64:rate=5:duration=1"
    private static let sound = "-f lavfi -i sine=duration=1"

    @Test(
        .enabled(if: Privilege.has(program: "ffmpeg"), "ffmpeg is not installed"),
        arguments: [
            ("mp4", film, .video), ("mov", film, .video), ("matroska", film, .video),
            ("webm", film, .video), ("avi", film, .video), ("flv", film, .video),
            ("mpegts", film, .video), ("mpeg", film, .video), ("3gp", "\(film) -s 176x144", .video),
            ("asf", film, .video), ("ogg", "\(film) -c:v libtheora", .video),
            ("gif", film, .image), ("apng", "\(film) -frames:v 1", .image),
            ("mp3", sound, .audio), ("ipod", sound, .audio), ("flac", sound, .audio),
            ("wav", sound, .audio), ("aiff", sound, .audio), ("ogg", sound, .audio),
            ("opus", sound, .audio), ("adts", sound, .audio), ("caf", sound, .audio),
            ("asf", sound, .audio), ("amr", "\(sound) -ar 8000 -c:a libopencore_amrnb", .audio),
        ] as [(String, String, FileKind)])
    func filmsAndSound(format: String, input: String, expected: FileKind) throws {
        let (kind, type) = try kind(
            "touch out; ffmpeg -loglevel error -y \(input) -f \(format) out || exit 0")
        // A codec that this ffmpeg was built without.
        guard try directory.tree.status(of: "out").logicalSize > .zero else { return }
        #expect(kind == expected, "\(format): \(type)")
    }

    @Test(
        .enabled(if: Privilege.has(program: "ffmpeg"), "ffmpeg is not installed"),
        arguments: ["mjpeg", "png", "bmp", "tiff", "libwebp", "ppm", "jpeg2000", "qoi"])
    func pictures(codec: String) throws {
        let (kind, type) = try kind(
            "touch out; ffmpeg -loglevel error -y \(Self.film) -frames:v 1 -c:v \(codec) "
                + "-f image2pipe out || exit 0")
        guard try directory.tree.status(of: "out").logicalSize > .zero else { return }
        #expect(kind == .image, "\(codec): \(type)")
    }

    @Test(
        arguments: [
            ("tar", "tar -cf out in", "tar", .archive),
            ("old tar", "tar --format=v7 -cf out in", "tar", .archive),
            ("gzip", "gzip -c in/a.txt >out", "gzip", .archive),
            ("bzip2", "bzip2 -c in/a.txt >out", "bzip2", .archive),
            ("xz", "xz -c in/a.txt >out", "xz", .archive),
            ("lzma", "xz --format=lzma -c in/a.txt >out", "xz", .archive),
            ("zstd", "zstd -q -c in/a.txt >out", "zstd", .archive),
            ("lz4", "lz4 -q -c in/a.txt >out", "lz4", .archive),
            ("zip", "zip -q out.zip in/* && mv out.zip out", "zip", .archive),
            ("7z", "7z a out.7z in && mv out.7z out", "7z", .archive),
            ("cpio", "find in | cpio -o -H newc >out", "cpio", .archive),
            ("ar", "ar rc out in/a.txt", "ar", .library),
            (
                "git pack",
                "git init -q g && cd g && git hash-object -w ../in/a.txt | "
                    + "git pack-objects -q --stdout >../out", "git", .archive
            ),
            (
                "sqlite", "sqlite3 out 'create table t(x); insert into t values(1)'", "sqlite3",
                .database
            ),
            ("squashfs", "mksquashfs in out -quiet", "mksquashfs", .diskImage),
            ("qcow2", "qemu-img create -f qcow2 out 1M", "qemu-img", .diskImage),
            ("ext4", "truncate -s 8M out && mkfs.ext4 -q -F out", "mkfs.ext4", .diskImage),
            ("program", "cp /bin/sh out", "sh", .library),
            ("UTF-16", "iconv -f UTF-8 -t UTF-16 in/a.txt >out", "iconv", .document),
            (
                "Latin-1", "printf 'Gr\\374\\337e aus K\\366ln und anderswo her' >out", "sh",
                .document
            ),
            ("script", "printf '#!/bin/sh\\necho\\n' >out", "sh", .code),
        ] as [(String, String, String, FileKind)])
    func others(name: String, script: String, program: String, expected: FileKind) throws {
        guard Privilege.has(program: program) else { return }
        let (kind, type) = try kind(script)
        #expect(kind == expected, "\(name): \(type)")
    }

    /// The number of random files taken for something: a signature of few bytes is soon hit.
    @Test func noiseIsNothing() throws {
        var generator = SeededGenerator(seed: 7)
        var taken: [String: Int] = [:]
        for _ in 0..<2_000 {
            let header = (0..<512).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if let content = ContentType(header: header) {
                taken[content.mediaType, default: 0] += 1
            }
        }
        #expect(taken.values.reduce(0, +) <= 4, "\(taken)")
    }

    /// Bytes are anybody's: no beginning of anything may trap.
    @Test func cutFilesAreJudgedToo() {
        for signature in ["RIFF", "FORM", "OggS", "PK\u{3}\u{4}", "\0\0\0\u{18}ftyp", "!<arch>\n"] {
            let bytes = Array(signature.utf8) + [UInt8](repeating: 0xFF, count: 64)
            for count in 0...bytes.count {
                _ = ContentType(header: Array(bytes.prefix(count)))
                _ = ContentType(header: Array(bytes.prefix(count)) + [0, 0, 0, 0x40, 0, 0])
            }
        }
    }
}
