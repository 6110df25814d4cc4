//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// What `file` says of a real tree is a check on our table by somebody else's, which is far larger.
@Suite("R13: kinds by content, against file(1)")
struct KindAgreementTests {
    private static let tree: FilePath = "/usr/share"
    private static let isPossible =
        Privilege.has(program: "file") && Privilege.has(program: "find")

    @Test(.tags(.r13b), .enabled(if: isPossible, "file(1) and find(1) are not installed"))
    func agreesWithFile() throws {
        let names = try sample(Privilege.isSoak ? .max : 4_000)
        let list = try TemporaryDirectory()
        try list.tree.file("names", text: names.joined(separator: "\n") + "\n")
        let judged = try ChildProcess.run(
            "file", ["--mime-type", "-b", "-N", "-f", list.path.appending("names").string])
        let types = judged.output.split(separator: "\n").map(String.init)
        try #require(types.count == names.count)
        var agreed = 0
        var compared = 0
        var differences: [String: Int] = [:]
        var unknown: [String: Int] = [:]
        for (name, type) in zip(names, types) {
            let path = FilePath(name)
            guard let header = try? Self.header(of: path) else { continue }
            let content = ContentType(header: header)
            if type == "application/octet-stream", let content {
                unknown[content.mediaType, default: 0] += 1
            }
            guard let theirs = Self.kind(of: type) else { continue }
            compared += 1
            // A name says nothing to file(1): what we leave open counts as what the bytes say.
            let ours = Self.coarse(content?.kind ?? .other)
            if ours == theirs {
                agreed += 1
            } else {
                differences["\(type) is \(content?.mediaType ?? "nothing")", default: 0] += 1
            }
        }
        let share = Double(agreed) / Double(max(1, compared))
        if Privilege.isSoak {
            print("agreement on \(compared) files of \(Self.tree): \(share * 100) %")
            print("  known to us alone: \(unknown.sorted { $0.value > $1.value })")
            for (what, count) in differences.sorted(by: { $0.value > $1.value }).prefix(40) {
                print("  \(count)  \(what)")
            }
        }
        #expect(share > 0.98, "\(differences.sorted { $0.value > $1.value }.prefix(10))")
    }

    /// Names of files, evenly from the whole tree.
    private func sample(_ count: Int) throws -> [String] {
        let found = try ChildProcess.run(
            "find", [Self.tree.string, "-xdev", "-type", "f", "-size", "+0", "-print"])
        let names = found.output.split(separator: "\n").map(String.init).sorted()
            .filter { $0.utf8.allSatisfy { $0 < 0x80 } }
        let step = max(1, names.count / count)
        return stride(from: 0, to: names.count, by: step).map { names[$0] }
    }

    private static func header(of path: FilePath) throws -> [UInt8] {
        let file = try Descriptor.openFile(path)
        return try FileHeader.read(file.rawValue, count: ContentType.headerSize)
    }

    /// The kinds that can be told apart without a name: source code is text.
    private static func coarse(_ kind: FileKind) -> FileKind {
        kind == .code ? .document : kind
    }

    /// What a media type of file(1) is to us; nil for what it does not know either.
    private static func kind(of type: String) -> FileKind? {
        if let kind = special[type] { return kind }
        switch type.prefix(while: { $0 != "/" }) {
        case "image": return .image
        case "audio": return .audio
        case "video": return .video
        case "text", "message": return .document
        case "font": return .other
        case "inode": return nil
        default: break
        }
        if type.contains("opendocument") || type.contains("openxml") { return .document }
        if type.hasPrefix("application/x-") && type.contains("font") { return .other }
        return type == "application/octet-stream" ? nil : .other
    }

    private static let special: [String: FileKind] = [
        "application/pdf": .pdf, "image/vnd.djvu": .document,
        "application/postscript": .document, "application/epub+zip": .document,
        "application/msword": .document, "application/vnd.ms-office": .document,
        "application/vnd.ms-excel": .document, "application/CDFV2": .document,
        "application/json": .document, "application/javascript": .document,
        "application/x-ndjson": .document, "application/x-wine-extension-ini": .document,
        "application/x-setupscript": .document, "application/x-mswinurl": .document,
        "application/x-ruby": .document, "application/x-perl": .document,
        "application/gzip": .archive, "application/zip": .archive, "application/x-tar": .archive,
        "application/x-xz": .archive, "application/x-bzip2": .archive,
        "application/zstd": .archive, "application/x-7z-compressed": .archive,
        "application/java-archive": .archive, "application/x-lz4": .archive,
        "application/x-cpio": .archive, "application/x-rpm": .archive,
        "application/x-lzma": .archive, "application/x-compress": .archive,
        "application/vnd.debian.binary-package": .archive,
        "application/x-archive": .library, "application/x-sharedlib": .library,
        "application/x-pie-executable": .library, "application/x-executable": .library,
        "application/x-object": .library, "application/x-bytecode.python": .library,
        "application/x-java-applet": .library, "application/wasm": .library,
        "application/x-mach-binary": .library, "application/x-dosexec": .library,
        "application/vnd.microsoft.portable-executable": .library,
        "application/vnd.sqlite3": .database, "application/x-sqlite3": .database,
        "application/x-dbm": .database, "application/x-gdbm": .database,
        "application/x-iso9660-image": .diskImage, "application/x-qemu-disk": .diskImage,
    ]
}
