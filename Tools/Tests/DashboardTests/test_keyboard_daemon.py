# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Everything by the keyboard alone, with the real program behind the page."""

import os
import unittest

from daemon_page import DaemonTest
from page import ByKeyboard, promise


class KeyboardTests(ByKeyboard, DaemonTest):
    @promise("R38d")
    def test_from_the_first_look_to_the_receipt(self):
        before = self.home.listing()
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('.rungs .cache')")
        self.tab_to("To the contents")
        self.tab_to("How much to free")
        self.browser.press("End", *["ArrowLeft"] * 5)
        self.tab_to("Show plan")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog .group')")
        self.assertTrue(self.in_dialog())
        whole = self.figure()
        # The box of the group, and then what opens it.
        self.tab_to("Cache")
        self.browser.press("Tab", "Enter")
        self.browser.wait("return document.querySelector('dialog details[open] tbody input')")
        self.tab_to("Let ")
        kept = self.browser.run("return document.activeElement.closest('tr').querySelector('.name').title")
        self.browser.press("Space")
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending)')?.textContent.includes('taken out')")
        less = self.figure()
        self.assertNotEqual(whole, less)
        going = {self.relative(entry["name"]) for entry in self.program.entries(self.shown_plan()).values()
                 if entry["selected"]}
        self.tab_to("Purge", key="Shift+Tab")
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Delete")
        self.assertEqual(self.focused(), "Back", "who presses Enter once too often deletes nothing")
        self.tab_to("Delete", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", f"Freed {less}", seconds=30)
        self.assert_gone(before, going)
        self.assertTrue(os.path.lexists(kept))
        self.tab_to("Done")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.focused(), "Show plan")

    def test_from_the_treemap_to_the_trash_and_back(self):
        before = self.home.listing()
        self.wait_for_tree()
        self.tab_to("what may go")
        self.browser.press("ArrowDown")
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'", seconds=20)
        self.tab_to("Treemap of")
        for path, name in ((str(self.home.path), "home"), ("Documents", "Documents")):
            self.steer_to(path)
            self.browser.press("Enter")
            self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith(arguments[0])", name)
        self.steer_to("letter to Grandmother")
        self.browser.press("e")
        self.wait_text("#explain", "never")
        self.browser.press("Escape")
        self.browser.press("Space")
        self.wait_text(".basket", "1 thing chosen")
        self.tab_to("Move to trash")
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now")
        self.tab_to("Move 1 item")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.assertFalse(self.home.exists("Documents/letter to Grandmother.txt"))
        self.tab_to("Undo")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if not name.startswith(b".local")}, before)
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")


if __name__ == "__main__":
    unittest.main()
