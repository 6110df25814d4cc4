//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomPlatform
import SystemPackage
import Testing

struct ProgressLineTests {
    private let renderer = TextRenderer(
        width: nil, usesColor: false, drawsBars: true, showsNext: false)

    @Test func showsHowFarItIs() {
        let state = ProgressState(
            count: 48_112, noun: "items", bytes: .megabytes(3_400), goal: .gigabytes(5),
            path: "/var/cache/pip/http-v2/a/3")
        let text = ProgressLine.text(state, perSecond: 61_000, width: 100, renderer)
        #expect(
            text == "  ████████████████████░░░░░░░░░░  3.40 GB of 5.00 GB   48,112 items   61 k/s"
                + "   /var/cac…http-v2/a/3".replacing(
                    "/var/cac…http-v2/a/3",
                    with: "/var/cache/pip/http-v2/a/3".truncatedMiddle(to: 100 - 79)))
    }

    @Test(arguments: 40...120)
    func fitsTheTerminal(width: Int) {
        let state = ProgressState(
            count: 1_234_567, noun: "files", bytes: .gigabytes(48), goal: nil,
            path: FilePath("/" + String(repeating: "日本/", count: 60)))
        let text = ProgressLine.text(state, perSecond: 1_500_000, width: width, renderer)
        #expect(text.displayWidth <= width)
    }

    @Test func theJobsResultComesBack() throws {
        let result = try ProgressLine.during(
            isShown: false, state: { ProgressState(count: 0, noun: "", bytes: .zero) },
            cancel: {}, { () throws(Errno) in 42 })
        #expect(result == 42)
        #expect(throws: Errno.ioError) {
            try ProgressLine.during(
                isShown: false, state: { ProgressState(count: 0, noun: "", bytes: .zero) },
                cancel: {}, { () throws(Errno) in throw Errno.ioError })
        }
    }
}
