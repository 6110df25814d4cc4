//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomRequests
import HeadroomService
import SystemPackage
import Testing

struct AnswerBudgetTests {
    /// One path must not fill an answer: a page that has no room for its first entry is the same page again.
    @Test func longPathsAreForDisplayAlone() {
        let name = String(repeating: "\u{1}", count: 250)
        let path = FilePath("/" + Array(repeating: name, count: 1_000).joined(separator: "/"))
        let text = PathText(path)
        #expect(text.encoded == nil)
        #expect(AnswerBudget.cost(text) < 30_000)
        #expect(text.text.contains("…"))
        let short = PathText(FilePath("/a/b"))
        #expect(short.text == "/a/b")
        #expect("e\u{301}".shortened(to: 1) == "e…")
    }
}
