# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Where the focus is when something was closed whose opener was drawn anew meanwhile, disabled or gone."""

import unittest

from page import ByKeyboard, PageTest, needs_mock


@needs_mock
class FocusTests(ByKeyboard, PageTest):
    expected_log = ("500 (Internal Server Error)",)

    def focus(self, selector):
        self.browser.run("document.querySelector(arguments[0]).focus()", selector)

    def ask(self):
        """The page asks how things are."""
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")

    def close(self):
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")

    def test_receipts_of_lately_stay_while_nothing_happens(self):
        self.browser.wait("return document.querySelector('#lately button')")
        self.browser.run("window.before = document.querySelector('#lately button')")
        self.daemon.used -= 10 ** 10
        self.ask()
        self.wait_text(".chosen-volume", "28.2 GB")
        self.assertTrue(self.browser.run("return window.before.isConnected"))

    def test_receipt_of_lately_that_was_drawn_anew(self):
        self.browser.wait("return document.querySelector('#lately button')")
        self.focus("#lately button")
        self.browser.run("window.before = document.activeElement")
        name = self.focused()
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Freed")
        self.daemon.settings["event"] = "The volume /data was mounted."
        self.ask()
        self.wait_text("#lately", "The volume /data was mounted.")
        self.assertFalse(self.browser.run("return window.before.isConnected"))
        self.close()
        self.assertTrue(self.browser.run("return document.activeElement.closest('#lately') !== null"))
        self.assertEqual(self.focused(), name)

    def test_receipt_of_lately_that_is_not_there_any_more(self):
        self.browser.wait("return document.querySelector('#lately button')")
        self.focus("#lately button")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Freed")
        self.daemon.receipts.clear()
        self.ask()
        self.browser.wait("return document.querySelector('#lately button') === null")
        self.close()
        self.assertEqual(self.focused(), "Lately")

    def test_place_of_the_ladder_that_was_drawn_anew(self):
        self.browser.wait("return document.querySelector('#ladder .places button')")
        self.browser.run("for (const one of document.querySelectorAll('.rungs details')) one.open = true")
        self.focus("#ladder .places button")
        self.browser.run("window.before = document.activeElement")
        name = self.focused()
        self.browser.press("Enter")
        self.wait_text("#explain", "would free")
        self.daemon.used -= 10 ** 10
        self.ask()
        self.browser.wait("return !window.before.isConnected")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assertTrue(self.browser.run("return document.activeElement.closest('#ladder') !== null"))
        self.assertEqual(self.focused(), name)

    def test_basket_that_is_empty_by_then(self):
        self.daemon.homeScanned = True
        self.wait_for_tree()
        self.show_home()
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'")
        self.enter("/home/ada")
        self.enter("Documents")
        self.walk_to("thesis.pdf")
        self.browser.press("Space")
        self.wait_text(".basket", "1 thing chosen")
        self.focus(".basket button")
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now, 48.0 MB when emptied.")
        self.browser.click_text("Move 1 item", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.close()
        self.assertEqual(self.focused(), "Where is it?")

    def test_scan_now(self):
        self.wait_text("#seen", "items seen")
        self.focus("#scan")
        self.browser.press("Enter")
        self.wait_text("dialog", "items seen")
        self.browser.wait("return !document.querySelector('#scan').disabled")
        self.close()
        self.assertEqual(self.focused(), "Scan now")
        # It cannot be pressed while one is under way.
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog progress') && document.querySelector('#scan').disabled")
        self.close()
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")

    def test_what_was_brought_back_is_said_where_it_is_heard(self):
        self.daemon.throw_away("/home/ada/letter.txt")
        self.browser.run("location.hash = '#trash'")
        self.wait_text("#view-trash", "letter.txt")
        self.browser.run("window.region = document.querySelector('#view-trash [role=status]')")
        self.browser.click("#view-trash tbody input")
        self.tab_to("Bring back 1 thing", most=3)
        # In vain at first: then it can be pressed again.
        self.daemon.settings["fail"] = 500
        self.browser.press("Enter")
        self.wait_text("#view-trash", "A mistake in Headroom.")
        self.assertEqual(self.focused(), "Bring back 1 thing")
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.wait_text("#view-trash", "Brought back 1 thing.")
        # A region that comes with its words is not read out.
        self.assertTrue(self.browser.run("return window.region.isConnected"))
        self.assertEqual(self.browser.run("return window.region.textContent"), "Brought back 1 thing.")
        self.assertEqual(self.focused(), "Trash")


if __name__ == "__main__":
    unittest.main()
