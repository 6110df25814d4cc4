//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomPlatform
import HeadroomProtection
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A directory with a key bag whose passphrase costs little, and files protected with it.
struct ProtectionFixture {
    let directory: TemporaryDirectory
    let keys: KeyBag
    static let words = "correct horse"
    static let cheap = ScryptParameters(exponent: 10) ?? .standard

    init(on base: TemporaryDirectory.Base = .memory) throws {
        directory = try TemporaryDirectory(on: base)
        keys = try KeyBag.create(
            directory: directory.path.appending("state"), passphrase: try Passphrase(Self.words),
            parameters: Self.cheap)
    }

    var state: FilePath { directory.path.appending("state") }
    var bagPath: FilePath { state.appending("protection.keys") }
    var copyPath: FilePath { state.appending("protection.keys.copy") }

    func path(_ name: String) -> FilePath { directory.path.appending(name) }

    /// Another look at the bag on disk, locked.
    func reopened() throws -> KeyBag { try KeyBag(directory: state) }

    /// Protects content as a file with small chunks.
    @discardableResult
    func make(
        _ name: String, _ content: Data, level: ProtectionLevel = .complete,
        chunkExponent: UInt8 = 10, keys: KeyBag? = nil
    ) throws -> FilePath {
        var sealer = try ContentSealer(
            level: level, bag: keys ?? self.keys, chunkExponent: chunkExponent)
        var file = sealer.beginning
        // In pieces that end nowhere in particular.
        var rest = content
        while !rest.isEmpty {
            try sealer.append(Data(rest.prefix(777))) { file.append($0) }
            rest = rest.dropFirst(777)
        }
        try sealer.finish { file.append($0) }
        try write(file, to: name)
        return path(name)
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(filePath: path(name).string))
    }

    func bytes(_ path: FilePath) throws -> Data { try Data(contentsOf: URL(filePath: path.string)) }

    /// Opens a file and reads all of it.
    func content(_ path: FilePath, keys: KeyBag? = nil) throws -> Data {
        let file = try ProtectedFile(path: path, keys: keys ?? self.keys)
        return try file.read(at: 0, count: Int(file.size) + 1)
    }

    static func content(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) })
    }

    /// The code of what is thrown; nil if nothing is.
    static func code(_ body: () throws -> Void) -> ProtectionError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ProtectionError)?.code
        }
    }
}
#endif
