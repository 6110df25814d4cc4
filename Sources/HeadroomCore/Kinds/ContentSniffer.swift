//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Finds out what the beginning of a file says it is: signatures, containers, and text.
///
/// The bytes are anybody's: every offset is checked, and nothing in them is trusted as a length.
struct ContentSniffer {
    let header: [UInt8]

    init(_ header: [UInt8]) {
        self.header = header
    }

    func sniff() -> ContentType? {
        guard header.count >= 2 else { return textType }
        // The Python signature stands within text with DOS line ends as well.
        if let found = ContentSignature.all.first(where: { $0.matches(header) }),
            found.offset != 2 || header[1] != 0x0D && !isText
        {
            return refined(found.type)
        }
        // A byte order mark looks like the start of an MPEG frame.
        return container ?? (isUTF16 ? textType : frames) ?? oldTar ?? fileSystem ?? textType
    }

    // MARK: - Bytes

    func byte(_ offset: Int) -> UInt8 {
        header.indices.contains(offset) ? header[offset] : 0
    }

    func has(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, header.count >= offset + count else { return false }
        return text.withUTF8Buffer { unsafe header[offset..<offset + count].elementsEqual($0) }
    }

    func text(at offset: Int, count: Int) -> String {
        guard offset >= 0, header.count >= offset + count else { return "" }
        return String(decoding: header[offset..<offset + count], as: UTF8.self)
    }

    func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, header.count >= bytes.count else { return false }
        return header.indices.dropLast(bytes.count - 1).contains { index in
            header[index] == first
                && header[index..<index + bytes.count].elementsEqual(bytes)
        }
    }

    func contains(_ text: String) -> Bool { contains(Array(text.utf8)) }

    // MARK: - Signatures that need a second look

    private func refined(_ type: ContentType) -> ContentType? {
        switch type.mediaType {
        case "application/x-java-applet" where byte(4) == 0 && byte(5) == 0 && byte(6) == 0:
            // A version of a class format is 45 or more; no binary has as many processors.
            return byte(7) < 40 ? ContentType("application/x-mach-binary", .library) : type
        case "application/x-lzma":
            // The dictionary's size is a power of two, and an unknown length all ones.
            let isPlain = header.count >= 13 && byte(3) & 0x3F == 0 && byte(12) & 0x7F == byte(12)
            return isPlain || byte(12) == 0xFF ? type : nil
        case "image/jxl" where header.count < 12: return nil
        case "application/x-gzip" where header.count < 10: return nil
        default: return type
        }
    }

    // MARK: - MPEG frames, BMP, icons

    private var frames: ContentType? {
        // Synchronisation, a layer, a bit rate and a sampling rate that exist.
        if byte(0) == 0xFF, byte(1) & 0xE0 == 0xE0 {
            let layer = byte(1) >> 1 & 3
            if layer == 0, byte(1) & 0xF0 == 0xF0, byte(2) >> 2 & 0xF < 13 {
                return ContentType("audio/x-hx-aac-adts", .audio)
            }
            if layer != 0, byte(1) >> 3 & 3 != 1, byte(2) >> 4 != 0xF, byte(2) >> 4 != 0,
                byte(2) >> 2 & 3 != 3
            {
                return ContentType("audio/mpeg", .audio)
            }
        }
        for start in [0, 4] where byte(start) == 0x47 {
            let packet = 188 + start
            if header.count > start + 3 * packet,
                (1...3).allSatisfy({ byte(start + $0 * packet) == 0x47 })
            {
                return ContentType("video/mp2t", .video)
            }
        }
        if has("BM", at: 0), [12, 40, 52, 56, 64, 108, 124].contains(byte(14)), byte(15) == 0 {
            return ContentType("image/bmp", .image)
        }
        if has("\0\0\u{1}\0", at: 0), byte(5) == 0, (1...64).contains(byte(4)), byte(9) == 0 {
            return ContentType("image/vnd.microsoft.icon", .image)
        }
        if byte(0) == UInt8(ascii: "P"), (0x31...0x37).contains(byte(1)),
            [0x0A, 0x20, 0x0D, 0x09].contains(byte(2)),
            (0x30...0x39).contains(byte(3)) || byte(3) == UInt8(ascii: "#")
        {
            return ContentType("image/x-portable-anymap", .image)
        }
        if has("BZh", at: 0), (0x31...0x39).contains(byte(3)) {
            return ContentType("application/x-bzip2", .archive)
        }
        if has("MZ", at: 0), header.count > 64, !isText {
            return ContentType("application/vnd.microsoft.portable-executable", .library)
        }
        return nil
    }

    // MARK: - Archives and images of disks

    /// A tar archive from before POSIX has no signature, but a checksum.
    private var oldTar: ContentType? {
        guard header.count >= 512, byte(0) != 0 else { return nil }
        let field = header[148..<156].filter { (0x30...0x37).contains($0) }
        guard field.count >= 4, let stated = Int(String(decoding: field, as: UTF8.self), radix: 8)
        else { return nil }
        var sum = 0
        for index in 0..<512 {
            sum += (148..<156).contains(index) ? 0x20 : Int(header[index])
        }
        return sum == stated ? ContentType("application/x-tar", .archive) : nil
    }

    private var fileSystem: ContentType? {
        // The magic number of ext2 to ext4, with a block size and a state that exist.
        if byte(0x438) == 0x53, byte(0x439) == 0xEF, byte(0x418) <= 6, byte(0x43B) == 0 {
            return ContentType("application/x-ext", .diskImage)
        }
        guard byte(510) == 0x55, byte(511) == 0xAA else { return nil }
        if has("FAT", at: 54) || has("FAT32", at: 82) || has("NTFS", at: 3) || has("EXFAT", at: 3) {
            return ContentType("application/x-filesystem", .diskImage)
        }
        // A partition table: its entries are active or not, and at least one is of some type.
        let entries = [446, 462, 478, 494]
        let isTable =
            entries.allSatisfy { byte($0) & 0x7F == 0 }
            && entries.contains { byte($0 + 4) != 0 }
        return isTable ? ContentType("application/x-mbr", .diskImage) : nil
    }
}
