//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import Crypto
import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomProtection
import SystemPackage

/// Whole protected files. An input says how a good one is made and what is then done to it; whatever that
/// is, what can be read is what was written, at each place of it, or nothing is.
struct ProtectedFileTarget: FuzzTarget {
    static let name = "protected-file"
    private let scratch: Scratch
    private let bag: KeyBag
    private static let fileID = [UInt8](repeating: 7, count: 16)

    init() throws {
        scratch = try Scratch(Self.name)
        var secrets: [ProtectionLevel: SecretBytes] = [:]
        for level in ClassKeys.levels {
            let key = [UInt8](repeating: level.rawValue, count: 32)
            secrets[level] = unsafe try SecretBytes(count: 32) { unsafe $0.copyBytes(from: key) }
        }
        let keys = ClassKeys(secrets)
        guard let parameters = ScryptParameters(exponent: 10) else { throw Errno.invalidArgument }
        bag = KeyBag(
            directory: scratch.path,
            KeyBagRecord(
                parameters: parameters, bagID: Self.fileID, salt: Self.fileID + Self.fileID,
                publicKey: try keys.publicKey(), generation: 1), keys: keys)
    }

    func run(_ bytes: [UInt8]) {
        do {
            try attempt(InputReader(bytes))
        } catch {
            require(error is ProtectionError, "\(error)")
        }
    }

    private func attempt(_ input: InputReader) throws {
        var input = input
        let choice = input.byte()
        let content = Data(
            (0..<input.number(2) % 5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var file: Data
        var isWhole = false
        if choice & 0x80 != 0 {
            // The input itself, but for the key bag.
            file = Data(input.remaining())
        } else {
            let level = ClassKeys.levels[Int(choice) % ClassKeys.levels.count]
            file = try made(content, level, 10 + (choice >> 2) % 3)
            let original = file
            change(&file, &input)
            isWhole = file == original
        }
        try scratch.write(Array(file), to: "file")
        let path = scratch.path.appending("file")
        _ = Protection.of(path)
        let opened: ProtectedFile
        do {
            opened = try ProtectedFile(path: path, keys: bag)
        } catch {
            require(!isWhole, "a file as it was written is not read: \(error)")
            return
        }
        guard choice & 0x80 == 0 else {
            _ = try opened.read(at: 0, count: 100_000)
            return
        }
        require(opened.size == content.count, "another length is authentic")
        for start in stride(from: 0, through: content.count, by: 700) {
            guard let part = try? opened.read(at: Int64(start), count: 1_500) else {
                require(!isWhole, "a file as it was written is not read at \(start)")
                continue
            }
            require(
                part == content.dropFirst(start).prefix(1_500), "other content is authentic")
        }
    }

    private func made(_ content: Data, _ level: ProtectionLevel, _ exponent: UInt8) throws -> Data {
        let keys = FileKeys(
            SymmetricKey(data: [UInt8](repeating: 1, count: 32)), fileID: Self.fileID)
        let header = try keys.header(
            FileKeys.Plan(level: level, chunkExponent: exponent, fileID: Self.fileID), bag)
        var sealer = ContentSealer(keys, header)
        var file = sealer.beginning
        try sealer.append(content) { file.append($0) }
        try sealer.finish { file.append($0) }
        return file
    }

    private func change(_ file: inout Data, _ input: inout InputReader) {
        while !input.isAtEnd {
            let operation = input.byte()
            let place = input.number(2) % max(1, file.count)
            switch operation % 5 {
            case 0:
                if place < file.count { file[place] ^= input.byte() }
            case 1: file = file.prefix(place)
            case 2: file.append(contentsOf: input.bytes(Int(input.byte())))
            case 3:
                // A part over another.
                let from = input.number(2) % max(1, file.count)
                let part = Data(file[from...].prefix(Int(input.byte()) * 16))
                let end = min(file.count, place + part.count)
                file.replaceSubrange(place..<end, with: part.prefix(end - place))
            default:
                // What a header says, with a checksum that is right.
                guard file.count >= 4_096 else { continue }
                file[place % 160] = input.byte()
                let slot = Array(file.prefix(4_092))
                file.replaceSubrange(4_092..<4_096, with: Checksum.crc32c(slot))
            }
        }
    }
}
#endif
