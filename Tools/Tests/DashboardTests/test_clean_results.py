# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What is said of a cleaning: when its window was closed, when modules failed, and when a list was cut."""

import unittest

from page import needs_mock
from test_clean import CleanPage


class ResultPage(CleanPage):
    def begin(self, *choices):
        """Chooses by section and name, and confirms."""
        for section in dict.fromkeys(section for section, _ in choices):
            self.unfold(section)
        for _, name in choices:
            self.choose(name)
        self.line()
        self.clean()
        self.browser.click("dialog footer .danger")

    def close(self):
        self.browser.wait("return document.querySelector('dialog progress')", what="the progress")
        self.browser.click_text("Close, let it go on", "dialog footer")
        self.browser.wait("return document.querySelector('dialog') === null")

    def kinds(self):
        return [job["kind"] for job in self.daemon.jobs.values()]


@needs_mock
class ClosedTests(ResultPage):
    def test_all_steps_go_on_when_the_window_is_closed(self):
        self.daemon.settings["purgeSeconds"] = 1.5
        self.begin(("caches", "pip"), ("video", "old holiday film.mov"), ("modules", "Map tiles"), ("modules", "Mail"))
        self.wait_text("dialog", "begun by this page: keep it open")
        self.close()
        # Wherever somebody is by then.
        self.browser.run("location.hash = 'activity'")
        self.wait_text("#outcome[role=status]", "Cleaned, but 1 module failed.")
        said = self.browser.text("#outcome")
        for part in ("Freed 4.10 GB", "Moved 1 item to the trash", "Modules freed 280 MB."):
            self.assertIn(part, said)
        self.assertEqual(self.kinds(), ["purge", "disposal", "modules"])
        self.shot("1-said")
        self.browser.click_text("Show it", "#outcome")
        self.wait_text("dialog h2", "Cleaned, but 1 module failed")
        self.wait_text("dialog .module-results", "Mail: failed")
        self.browser.click_text("Undo", "dialog")
        self.wait_text("dialog", "Brought back 1 item.")
        self.browser.click_text("Done", "dialog footer")
        self.assertEqual(self.browser.text("#outcome"), "")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")

    def test_a_step_that_cannot_begin_is_said_though_the_window_is_closed(self):
        self.daemon.settings["purgeSeconds"] = 1.5
        self.begin(("caches", "pip"), ("modules", "Map tiles"))
        self.close()
        self.daemon.cleanables.runs.clear()
        self.wait_text("#outcome", "Stopped. Freed 4.10 GB")
        self.wait_text("#outcome", "What was confirmed is not known any more.")
        self.wait_text("#outcome", "Nothing more was begun: no module was asked.")
        self.browser.click_text("Dismiss", "#outcome")
        self.assertEqual(self.browser.text("#outcome"), "")
        self.assertEqual(self.kinds(), ["purge"])

    def test_a_stop_from_elsewhere_holds_for_what_was_to_come(self):
        self.daemon.settings["purgeSeconds"] = 20
        self.begin(("caches", "pip"), ("modules", "Map tiles"))
        self.close()
        # As soon as the page has asked how things are.
        self.wait_text("#job:not([hidden])", "Purging")
        self.browser.click("#job")
        self.browser.wait("return document.querySelector('dialog progress')", what="the progress")
        self.browser.click_text("Stop", "dialog footer")
        self.wait_text("dialog h2", "Stopped")
        self.wait_text("#outcome", "It was stopped: no module was asked.")
        self.assertEqual(self.kinds(), ["purge"])


@needs_mock
class WordTests(ResultPage):
    def summary(self, name):
        return self.browser.text(f"[data-section={name}] summary")

    def test_things_are_called_what_they_are(self):
        self.assertIn("380 MB, 3 modules", self.summary("modules"))
        self.assertIn("480 MB, 1 directory", self.summary("directories"))
        self.assertIn("12 files", self.summary("video"))

    def test_nothing_was_cleaned_where_all_modules_failed(self):
        self.daemon.settings["purgeSeconds"] = 0.2
        self.begin(("modules", "Mail"))
        self.wait_text("dialog h2", "Nothing was cleaned: 1 module failed")
        self.wait_text("dialog", "Modules freed nothing.")

    def test_a_list_of_modules_that_was_cut_says_so(self):
        self.daemon.settings.update(purgeSeconds=0.2, reported=1)
        self.begin(("modules", "Map tiles"), ("modules", "Mail"))
        # Also by one that is not listed.
        self.wait_text("dialog h2", "Cleaned, but 1 module failed")
        self.wait_text("dialog .module-results", "Modules freed 280 MB.")
        self.wait_text("dialog .module-results", "and 1 more")
        self.assertEqual(self.browser.run("return document.querySelectorAll('dialog .module-results tr').length"), 1)

    def test_lists_of_a_receipt_that_were_cut_say_so(self):
        receipt = self.daemon.receipts[0]
        receipt.update(
            skipped=[{"path": "/home/ada/.cache/x", "reason": {"code": "in-use", "text": "in use"}}], skippedCount=41,
            perDirectory=[{"name": f"/home/ada/{number}", "bytes": 1, "count": 1} for number in range(130)])
        more = receipt["removedCount"] - len(receipt["removed"])
        self.browser.run("location.hash = 'activity'")
        self.browser.wait("return document.querySelector('#view-activity tbody button')")
        self.browser.click("#view-activity tbody button")
        self.wait_text("dialog .receipt", "Kept 41: in use 1, and 40 more")
        for part in (f"and 40 more: headroom log --receipt {receipt['id']}", "and 30 more"):
            self.assertIn(part, self.browser.text("dialog .receipt"))
        self.browser.click_text("What went", "dialog")
        self.browser.click_text("Show more", "dialog")
        self.wait_text("dialog .receipt", f"and {more:,} more, which the receipt does not name")

    def test_a_receipt_whose_answer_names_nothing_that_stayed(self):
        self.daemon.receipts[0].update(skipped=[], skippedCount=12)
        self.browser.run("location.hash = 'activity'")
        self.browser.wait("return document.querySelector('#view-activity tbody button')")
        self.browser.click("#view-activity tbody button")
        self.wait_text("dialog .receipt", "Kept 12.")
        self.wait_text("dialog .receipt", "and 12 more: headroom log --receipt")


# They have no tests here.
del CleanPage, ResultPage


if __name__ == "__main__":
    unittest.main()
