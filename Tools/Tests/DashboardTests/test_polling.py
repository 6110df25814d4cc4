# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the page is told again and again leaves alone what a person does, reads and hears."""

import unittest

from page import PageTest, needs_mock

GB = 10 ** 9


class PollingTest(PageTest):
    def setUp(self):
        super().setUp()
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('#free-amount')?.value")

    def poll(self, used=GB):
        """A status that has changed, and is shown."""
        self.daemon.used += used
        self.daemon.settings["level"] = "critical" if self.daemon.settings["level"] == "warning" else "warning"
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.wait_text(".chosen-volume", self.daemon.settings["level"])

    def shrink(self):
        """Most of what could go has gone."""
        ladder = self.daemon.ladder()
        self.daemon.ladder = lambda: [{**rung, "bytes": rung["bytes"] // 10, "dueBytes": rung["dueBytes"] // 10}
                                      for rung in ladder]
        self.poll()
        self.wait_text("#ladder .temporary", "120 MB")

    def amount(self):
        return self.browser.run("return document.querySelector('#free-amount').value")

    def slide(self, key):
        self.browser.run("document.querySelector('#free-slider').focus()")
        self.browser.press(key)
        self.browser.run("document.activeElement.blur()")


class AskedTests(PollingTest):
    @needs_mock
    def test_an_amount_that_was_typed_stays(self):
        self.browser.run("document.querySelector('#free-amount').value = ''")
        self.browser.click("#free-amount")
        self.browser.type("900 GB")
        self.browser.press("Tab")
        self.poll()
        self.shrink()
        self.assertEqual(self.amount(), "900 GB")
        self.browser.click("#free-through")
        self.browser.click("#free-through")
        self.assertEqual(self.amount(), "900 GB")
        self.browser.click_text("Show plan", "#ladder")
        self.wait_text("dialog .warning-text", "Not enough")
        self.wait_text("dialog .plan-head", "free 900.00 GB")

    @needs_mock
    def test_a_slider_at_its_end_stays_there(self):
        self.slide("End")
        before = self.amount()
        self.shrink()
        self.assertEqual(self.browser.run("return document.querySelector('#free-slider').value"), "1000")
        self.assertNotEqual(self.amount(), before)
        self.browser.click("#free-through")
        self.assertEqual(self.browser.run("return document.querySelector('#free-slider').value"), "1000")

    @needs_mock
    def test_an_amount_that_was_slid_to_stays(self):
        self.slide("End")
        self.slide("PageDown")
        before = self.amount()
        self.shrink()
        self.assertEqual(self.amount(), before)


if __name__ == "__main__":
    unittest.main()
