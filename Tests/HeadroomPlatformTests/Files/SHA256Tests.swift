//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Against the vectors of FIPS 180-4 and against sha256sum.
struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownVectors(text: String, digest: String) throws {
        #expect(SHA256.digest(of: text).description == digest)
        #expect(try SHA256Digest(digest.uppercased()) == SHA256.digest(of: text))
    }

    @Test func aMillionTimesA() {
        var hash = SHA256()
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { unsafe hash.update(part.span.bytes) }
        #expect(
            hash.finish().description
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func piecesOfAnySizeGiveTheSame() {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var whole = SHA256()
        unsafe whole.update(bytes.span.bytes)
        let expected = whole.finish()
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 499] {
            var hash = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                let part = Array(bytes[start..<min(start + size, bytes.count)])
                unsafe hash.update(part.span.bytes)
            }
            #expect(hash.finish() == expected, "\(size)")
        }
    }

    @Test(.enabled(if: Privilege.has(program: "sha256sum"), "needs sha256sum"))
    func agreesWithSha256sum() throws {
        let base = try TemporaryDirectory(on: .memory)
        for size in [0, 1, 63, 64, 65, 1 << 20, (1 << 20) + 17] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 5 &+ $0) }
            try base.tree.file("f", contents: bytes)
            let directory = try Descriptor.openDirectory(base.path)
            let name = try #require(FileName("f"))
            let file = try ResumableFile(name, in: directory.rawValue, makes: true)
            let result = try ChildProcess.run("sha256sum", [base.path.appending("f").string])
            #expect(
                result.output.hasPrefix(try file.digest(of: Int64(size)).description), "\(size)")
            try base.tree.remove("f")
        }
    }

    @Test(arguments: [
        "", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 63),
        String(repeating: "é", count: 32),
    ])
    func whatIsNoDigestIsRefused(text: String) {
        #expect(throws: InvalidValue.self) { try SHA256Digest(text) }
    }
}
