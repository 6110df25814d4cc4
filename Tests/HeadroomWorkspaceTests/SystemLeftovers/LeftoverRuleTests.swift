//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Testing

@Suite("R32: names and versions of leftovers")
struct LeftoverRuleTests {
    private func isLeftover(_ name: String) throws -> Bool {
        let name = try #require(FileName(name))
        return LeftoverPattern.standard.contains { $0.matches(name) }
    }

    @Test(
        .tags(.r32a),
        arguments: [
            "CFNetworkDownload_zE4Q1b.tmp", "WKWebFileUpload-0A1B", "WKVideoUpload-x.mov",
            "NSIRD_Podcaster_k3",
            "(A Document Being Saved By Podcaster)", "(A Document Being Saved By Podcaster 2)",
            "（Podcaster正在存储文稿）", "（Podcaster正在存储文稿，已完成10）",
            "(Podcaster이(가) 문서 저장 중 6)", "(Un documento siendo guardado por Podcaster 4)",
            // As a file system that takes letters apart has it.
            "(Podcaster\u{110B}\u{1175}(\u{1100}\u{1161}) \u{1106}\u{116E}\u{11AB}\u{1109}\u{1165} "
                + "\u{110C}\u{1165}\u{110C}\u{1161}\u{11BC} \u{110C}\u{116E}\u{11BC})",
        ])
    func knowsTheNamesThatFrameworksGive(name: String) throws {
        #expect(try isLeftover(name))
    }

    @Test(
        .tags(.r32a),
        arguments: [
            "CFNetworkDownload_zE4.part", "xCFNetworkDownload_a.tmp", "CFNetworkDownload_",
            "report.tmp",
            "NSIRD", "(A Document Being Saved By", "com.apple.dyld", "Podcaster", "wkwebfileupload",
        ])
    func takesNothingElseForOne(name: String) throws {
        #expect(try !isLeftover(name))
    }

    @Test func aNameThatIsNoTextIsNone() throws {
        let name = try #require(FileName(Array("NSIRD_".utf8) + [0xFF]))
        #expect(!LeftoverPattern.standard.contains { $0.matches(name) })
    }

    @Test(
        .tags(.r32b),
        arguments: [
            (.iOS, 12, .leaveAlone), (.iOS, 13, .keepNewest), (.iOS, 14, .removeAll),
            (.iOS, 26, .removeAll), (.tvOS, 12, .leaveAlone), (.tvOS, 13, .keepNewest),
            (.tvOS, 14, .removeAll), (.watchOS, 5, .leaveAlone), (.watchOS, 6, .keepNewest),
            (.watchOS, 7, .removeAll), (.macOS, 10, .keepNewest), (.macOS, 11, .removeAll),
            (.visionOS, 2, .removeAll), (nil, 26, .keepNewest), (.iOS, nil, .keepNewest),
        ] as [(LaunchClosureRule.System?, Int?, LaunchClosureRule)])
    func closuresGoByTheVersionOfTheSystem(
        system: LaunchClosureRule.System?, version: Int?, rule: LaunchClosureRule
    ) {
        #expect(LaunchClosureRule(system, majorVersion: version) == rule)
    }
}
