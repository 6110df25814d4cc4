# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Two windows with the same daemon: what one has changed or purged meanwhile, the other does not purge."""

import unittest

from daemon_page import DaemonTest
from page import promise


class TwoBrowserTests(DaemonTest):
    expected_log = ("409 (Conflict)", "404 (Not Found)")

    def second(self):
        """The same page in another window."""
        mine, self.browser = self.browser, self.new_browser()
        self.open()
        self.browser.wait("return document.querySelector('#free-amount')?.value")
        other, self.browser = self.browser, mine
        return other

    @promise("R38f")
    def test_what_another_has_changed_is_not_purged(self):
        before = self.home.listing()
        other = self.second()
        self.ask_for("30 MB")
        self.open_group("Cache")
        plan = self.shown_plan()
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        changed = other.run_async("""
            const [plan, done] = arguments;
            fetch(`api/v1/plans/${plan}/selection`, {
              method: "PUT", body: JSON.stringify({entries: [0, 1]}), headers: {
                "Content-Type": "application/json",
                Authorization: `Bearer ${sessionStorage.getItem("headroom-token")}`},
            }).then((answer) => done(answer.status));""", plan)
        self.assertEqual(changed, 200)
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog", "The plan was out of date, and was made anew.")
        self.shot()
        self.assertEqual(self.home.listing(), before)
        self.assertEqual(self.program.ask("GET", "/receipts")["receipts"], [])
        # The new one is whole, and can be read and confirmed.
        self.figure()
        self.assertFalse(self.browser.run("return document.querySelector('dialog .danger').disabled"))

    @promise("R38f")
    def test_what_another_has_purged_and_was_made_anew_stays(self):
        self.ask_for("1 GB")
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        mine, self.browser = self.browser, self.second()
        self.ask_for("1 GB")
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog .receipt", "Freed", seconds=30)
        self.browser = mine
        # Programs fill their caches anew, under the names that the first still shows.
        for number in range(6):
            self.home.file(f".cache/pip/http-v2/{number:x}/wheel-{number}", 100_000)
        before = self.home.listing()
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog .receipt, dialog .notice')", seconds=30)
        self.shot()
        self.assertEqual(self.home.listing(), before, "what was not shown does not go")

    def test_only_one_purges_at_a_time(self):
        for number in range(8_000):
            self.home.file(f".cache/thumbnails/{number % 100}/{number}", content=b"x")
        self.program.ask("POST", "/scans", {"view": "areas"})
        other = self.second()
        for browser in (self.browser, other):
            mine, self.browser = self.browser, browser
            self.ask_for("1 GB")
            self.browser.click_text("Purge", "dialog footer")
            self.wait_text("dialog h2", "Delete")
            self.browser = mine
        self.browser.click_text("Delete", "dialog footer")
        other.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog .receipt')", seconds=60)
        other.wait("return document.querySelector('dialog .trouble, dialog .receipt')", seconds=60)
        purges = [one for one in self.program.ask("GET", "/receipts")["receipts"] if one["kind"] == "purge"]
        self.assertEqual(sum(one["removedCount"] > 0 for one in purges), 1)


if __name__ == "__main__":
    unittest.main()
