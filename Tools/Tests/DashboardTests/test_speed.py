# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""First paint, frames on the way in among 100,000 nodes, memory, and the size of answers."""

import unittest

from page import Measured, PageTest, needs_mock


class SpeedTests(Measured, PageTest):
    width, height = 1920, 1080

    def test_first_paint_with_data_within_a_second(self):
        first = self.browser.wait("return window.firstData")
        print(f"\n    first paint with data after {first:.0f} ms", end="")
        self.assertLess(first, 1000)

    @needs_mock
    def test_walks_smoothly_among_100000_nodes_in_little_memory(self):
        self.wait_for_tree()
        self.enter("/home/ada/.cache")
        self.walk_to("many")
        # With all that is loaded meanwhile.
        self.assertGreaterEqual(self.frames("Enter", 1500), 30)
        self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith('many')")
        nodes = int(self.browser.wait("return document.querySelector('.stage').dataset.nodes > 99999"
                                      " && document.querySelector('.stage').dataset.nodes", seconds=30))
        self.browser.press("End")
        for key in ("ArrowUp", "ArrowLeft"):
            self.assertGreaterEqual(self.frames(key, 500), 30)
        self.assertGreaterEqual(self.frames("Backspace"), 30)
        self.assertGreaterEqual(self.frames("Enter", 2500), 30)
        used = self.heap() / 1e6
        print(f"\n    heap {used:.0f} MB, nodes {nodes:,}", end="")
        self.assertLess(used, 150)
        largest = self.browser.run(
            "return Math.max(...performance.getEntriesByType('resource').map((one) => one.encodedBodySize))")
        print(f"\n    largest answer {largest:,} bytes", end="")
        self.assertLessEqual(largest, 1_000_000)


if __name__ == "__main__":
    unittest.main()
