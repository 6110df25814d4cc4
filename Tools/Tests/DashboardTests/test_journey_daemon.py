# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The page with the real program behind it, as somebody new to it would try it: what was confirmed goes, and
nothing else, by what is on the disk afterwards."""

import os
import unittest

from daemon_page import DaemonTest
from page import promise


class JourneyTests(DaemonTest):
    """From the first look to the receipt, and a file that was thrown away and comes back."""

    def fill(self, home):
        super().fill(home)
        # Enough for the progress to be seen.
        for number in range(12_000):
            home.file(f".cache/thumbnails/{number % 200}/{number}.png", content=b"x" * 100)

    def watch_progress(self):
        self.browser.run("""
            window.shares = []; window.words = new Set();
            new MutationObserver(() => {
              const bar = document.querySelector("dialog progress");
              if (!bar) return;
              if (bar.hasAttribute("value")) shares.push(bar.value);
              words.add(document.querySelector("dialog .progress-words").textContent);
            }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});""")

    @promise("R31e", "R38c")
    def test_from_the_first_look_to_the_receipt(self):
        before = self.home.listing()
        self.wait_text(".chosen-volume", "GB")
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('.rungs .cache')")
        self.shot("1-first-look")

        # Where is it?
        self.enter(str(self.home.path / ".cache"))
        self.enter("pip")
        self.assertEqual(self.crumbs()[-1], "pip")
        self.browser.press("Backspace")
        self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith('.cache')")
        self.walk_to("pip")
        self.browser.press("e")
        self.wait_text("#explain dl", "would free")
        self.shot("2-explained")
        self.browser.press("Escape")

        # What would go?
        whole = self.ask_for("50 MB")
        self.open_group("Cache")
        kept = self.take_out()
        self.shot("3-plan")
        less = self.figure()
        self.assertNotEqual(whole, less)
        entries = self.program.entries(self.shown_plan())
        going = {self.relative(entry["name"]) for entry in entries.values() if entry["selected"]}
        self.assertNotIn(self.relative(kept.encode()), going)
        self.assertEqual(self.home.listing(), before, "looking and planning change nothing")

        # It goes.
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        self.shot("4-confirmation")
        self.watch_progress()
        with self.program.slowly():
            self.browser.click_text("Delete", "dialog footer")
            self.browser.wait("return shares.some(share => 0 < share && share < 1)", seconds=60, what="progress")
            self.shot("5-progress")
        self.wait_text("dialog .receipt", f"Freed {less}", seconds=60)
        self.shot("6-receipt")
        shares = self.browser.run("return shares")
        self.assertEqual(shares, sorted(shares), "it never goes back")

        self.assert_gone(before, going)
        self.assertTrue(os.path.lexists(kept))
        receipt = self.program.ask("GET", "/receipts")["receipts"][0]
        self.assertEqual(receipt["skippedCount"], 0)
        self.assertEqual(receipt["undoable"], False)

        # And the page says so.
        self.browser.click_text("Done", "dialog")
        self.wait_text("#lately", f"Freed {less}")
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "purge")
        self.shot("7-activity")

    @promise("R31e")
    def test_a_file_is_thrown_away_and_comes_back(self):
        self.wait_for_tree()
        before = self.home.listing()
        self.show_whole_home()
        self.enter(str(self.home.path))
        self.shot("1-home")
        self.enter("Documents")
        self.walk_to("letter to Grandmother")
        self.browser.press(" ")
        self.wait_text(".basket", "1 thing chosen")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now")
        self.shot("2-question")
        self.assertEqual(self.home.listing(), before)
        self.browser.click_text("Move 1 item to the trash", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 1 item to the trash")
        self.shot("3-moved")
        self.assertFalse(self.home.exists("Documents/letter to Grandmother.txt"))
        trashed = self.home.listing()
        self.assertEqual(trashed[b".local/share/Trash/files/letter to Grandmother.txt"],
                         before[b"Documents/letter to Grandmother.txt"], "as it was, in the trash")
        self.assertTrue(self.program.ask("GET", "/receipts")["receipts"][0]["undoable"])

        self.browser.click_text("Undo", "dialog .receipt")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        self.assertEqual(self.browser.text("dialog h2"), "Brought back")
        self.assertIsNone(self.browser.run("return [...document.querySelectorAll('dialog button')]"
                                           ".find((one) => one.textContent.startsWith('Undo')) ?? null"))
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if not name.startswith(b".local")}, before)
        self.assertEqual([name for name, about in after.items() if name not in before and about[0] == "file"], [])

        # Nor does anybody offer to undo it once more.
        self.browser.click_text("Done", "dialog")
        receipts = self.program.ask("GET", "/receipts")["receipts"]
        self.assertEqual([(one["kind"], one["undoable"]) for one in receipts],
                         [("restoration", False), ("disposal", False)])
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "brought back")
        self.assertNotIn("can be undone", self.browser.text("#view-activity"))
        self.browser.click("#view-activity tbody tr:nth-child(2) button.path")
        self.wait_text("dialog .receipt", "Moved 1 item to the trash")
        self.assertNotIn("Undo", self.browser.text("dialog"))

    def test_brings_one_of_two_back_from_the_trash(self):
        self.wait_for_tree()
        before = self.home.listing()
        self.show_whole_home()
        self.enter(str(self.home.path))
        self.enter("Documents")
        for name in ("letter to Grandmother", "film of 1998"):
            self.walk_to(name)
            self.browser.press(" ")
        self.wait_text(".basket", "2 things chosen")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now")
        self.browser.click_text("Move 2 items to the trash", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 2 items to the trash")
        self.browser.click_text("Done", "dialog")
        self.browser.run("location.hash = '#trash'")
        self.wait_text("#view-trash", "film of 1998.mkv")
        self.shot()
        self.browser.run("[...document.querySelectorAll('#view-trash tbody tr')]"
                         ".find((one) => one.textContent.includes('film')).querySelector('input').click()")
        self.browser.click_text("Bring back 1 thing", "#view-trash")
        self.wait_text("#view-trash", "Brought back 1 thing.")
        after = self.home.listing()
        self.assertEqual(after[b"Documents/film of 1998.mkv"], before[b"Documents/film of 1998.mkv"])
        self.assertNotIn(b"Documents/letter to Grandmother.txt", after)
        # Half of it can be undone still.
        self.assertTrue(self.program.ask("GET", "/receipts")["receipts"][0]["undoable"])


class DarkJourneyTests(JourneyTests):
    dark = True


class PhoneJourneyTests(JourneyTests):
    width, height = 390, 844


if __name__ == "__main__":
    unittest.main()
