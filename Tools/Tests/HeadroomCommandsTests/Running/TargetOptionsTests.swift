//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommands
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Testing

struct TargetOptionsTests {
    @Test func readsEachTarget() throws {
        let cases: [([String], [Target])] = [
            (["--free", "5GB"], [.free(.gigabytes(5))]),
            (["--until", "normal"], [.normalLevel]),
            (["--until", "20GB"], [.available(.gigabytes(20))]),
            (["--until", "10%"], [.availableShare(basisPoints: 1_000)]),
            (["--to-limit", "500MB"], [.toLimit(.megabytes(500))]),
            (["--older-than", "10d"], [.olderThan(.seconds(864_000), by: .used)]),
            (
                ["--older-than", "36h", "--age-by", "modified"],
                [.olderThan(.seconds(129_600), by: .modified)]
            ),
            (["--expired", "--over-limit"], [.expired, .overLimit]),
            (["--inodes", "100"], [.inodes(100)]), (["--all"], [.all]), ([], []),
            (["--free", "1GB", "--all"], [.free(.gigabytes(1)), .all]),
        ]
        for (arguments, targets) in cases {
            #expect(try TargetOptions.parse(arguments).targets == targets, "\(arguments)")
        }
    }

    @Test(arguments: [
        ["--free", "0"], ["--free", "5 apples"], ["--free", "-1"], ["--until", "soon"],
        ["--until", "110%"], ["--older-than", "10"], ["--older-than", "5m"], ["--inodes", "-4"],
        ["--inodes", "99999999999999999999"], ["--age-by", "used"], ["--through", "essential"],
        ["--older-than", "1d", "--age-by", "size"],
    ])
    func refusesNonsense(arguments: [String]) {
        #expect(throws: (any Error).self) { try TargetOptions.parse(arguments) }
    }

    @Test(.tags(.r16d)) func lastResortMustBeAskedFor() throws {
        #expect(try TargetOptions.parse([]).through == .cache)
        #expect(try TargetOptions.parse(["--through", "last-resort"]).through == .lastResort)
        #expect(try TargetOptions.parse(["--through", "lastResort"]).through == .lastResort)
    }
}
