# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Where the focus is when something was closed whose opener was drawn anew meanwhile, disabled or gone, and when what
was pressed goes with its press."""

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
        ladder = self.daemon.ladder()
        self.daemon.ladder = lambda: [{**rung, "bytes": rung["bytes"] // 2} for rung in ladder]
        self.ask()
        self.browser.wait("return !window.before.isConnected")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assertTrue(self.browser.run("return document.activeElement.closest('#ladder') !== null"))
        self.assertEqual(self.focused(), name)

    def test_basket_that_is_empty_by_then(self):
        self.open_documents()
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

    def open_documents(self):
        self.daemon.homeScanned = True
        self.wait_for_tree()
        self.show_home()
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'")
        self.enter("/home/ada")
        self.enter("Documents")

    def test_explanation_that_has_gone_with_what_was_moved(self):
        self.open_documents()
        self.walk_to("thesis.pdf")
        self.browser.press("e")
        self.wait_text("#explain dl", "would free")
        self.tab_to("Move to trash…", most=10)
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now, 48.0 MB when emptied.")
        self.tab_to("Move 1 item to the trash", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.close()
        # Where one was before the explanation was opened.
        self.assertTrue(self.browser.run("return document.querySelector('#explain').hidden"))
        self.assertTrue(self.browser.run("return document.activeElement.matches('#treemap .overlay')"))

    def test_what_could_not_be_moved_can_be_moved_again(self):
        self.open_documents()
        self.walk_to("thesis.pdf")
        self.browser.press("Space")
        self.wait_text(".basket", "1 thing chosen")
        self.focus(".basket button")
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now, 48.0 MB when emptied.")
        self.tab_to("Move 1 item to the trash", most=3)
        self.daemon.settings["fail"] = 500
        self.browser.press("Enter")
        self.wait_text("dialog .trouble", "A mistake in Headroom.")
        self.assertEqual(self.focused(), "Move 1 item to the trash")
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Moved 1 item")

    def test_plan_that_is_asked_for_again(self):
        self.browser.wait("return document.querySelector('#free-amount')?.value")
        self.daemon.settings["fail"] = 500
        self.browser.click_text("Show plan", "#ladder")
        self.wait_text("dialog footer", "Try again")
        self.assertEqual(self.focused(), "No plan")
        for answer in (500, 0):
            self.tab_to("Try again", most=5)
            self.daemon.settings["fail"] = answer
            self.browser.run("window.before = document.activeElement")
            self.browser.press("Enter")
            self.browser.wait("return !window.before.isConnected && !document.querySelector('dialog .waiting')")
            self.assertEqual(self.focused(), "No plan" if answer else "Plan")
        self.assertTrue(self.browser.run("return document.querySelector('dialog .group') !== null"))

    def test_choice_that_is_sent_again(self):
        self.make_plan()
        self.figure()
        self.daemon.settings["fail"] = 500
        self.browser.click("dialog .group:nth-child(1) > input")
        self.wait_text("dialog .frees", "A mistake in Headroom.")
        self.focus("dialog .frees button")
        self.browser.run("window.before = document.activeElement")
        self.browser.press("Enter")
        self.browser.wait("return !window.before.isConnected")
        self.assertEqual(self.focused(), "Try again")
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.wait_text("dialog .frees", "taken out")
        self.assertEqual(self.focused(), "Plan")

    def test_more_of_a_plan(self):
        self.make_plan()
        group = "dialog .group:nth-child(1)"
        rows = f"return document.querySelectorAll('{group} tbody input').length"
        self.browser.click(f"{group} summary")
        self.browser.wait(f"{rows} === 200")
        self.focus(f"{group} details > button")
        self.daemon.settings["fail"] = 500
        self.browser.press("Enter")
        self.wait_text(f"{group} tbody .trouble", "A mistake in Headroom.")
        self.assertTrue(self.focused().startswith("Show more"))
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.browser.wait(f"{rows} === 400")
        # What was said of the failure has gone with it, and one goes on with what is new.
        self.assertEqual(self.browser.run(f"return document.querySelectorAll('{group} tbody tr').length"), 400)
        self.assertEqual(self.browser.run(f"""
            return [...document.querySelectorAll("{group} tbody input")].indexOf(document.activeElement);"""), 200)
        # To the end, where there is nothing left to press.
        self.browser.run(f"""
            const more = document.querySelector("{group} details > button");
            window.timer = setInterval(() => {{
              if (more.hidden) return void clearInterval(timer);
              more.focus();
              more.click();
            }}, 20);""")
        self.browser.wait(f"return document.querySelector('{group} details > button').hidden", seconds=30)
        self.assertTrue(self.browser.run(f"return document.activeElement.matches('{group} tbody input')"))

    def test_more_of_what_can_be_cleaned(self):
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Seen")
        self.browser.run("document.querySelector('[data-section=caches] details').open = true")
        self.focus("[data-section=caches] details > button")
        self.daemon.settings["fail"] = 500
        self.browser.press("Enter")
        self.wait_text("[data-section=caches] .trouble", "A mistake in Headroom.")
        self.assertTrue(self.focused().startswith("Show more of"))
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.browser.wait("return document.querySelectorAll('[data-section=caches] tbody tr').length > 100")
        self.assertEqual(self.browser.run("""
            return [...document.querySelectorAll("[data-section=caches] tbody tr")]
              .indexOf(document.activeElement.closest("tr"));"""), 100)

    def test_choice_to_clean_that_is_sent_again(self):
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Seen")
        self.daemon.settings["fail"] = 500
        self.browser.click("#clean-deep")
        self.wait_text("#view-clean .frees", "A mistake in Headroom.")
        self.focus("#view-clean .frees button")
        self.daemon.settings["fail"] = 0
        self.browser.press("Enter")
        self.wait_text("#view-clean .frees", "when the trash is emptied")
        self.assertEqual(self.focused(), "Clean")

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
