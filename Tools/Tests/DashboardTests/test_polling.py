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


class SpokenTests(PollingTest):
    @needs_mock
    def test_what_is_unchanged_is_not_said_again(self):
        notices, status = ["The journal was mended."], self.daemon.status
        self.daemon.status = lambda: {**status(), "notices": notices}
        self.poll()
        self.wait_text("#notices", "The journal was mended.")
        self.browser.run("""
            window.writes = [];
            for (const selector of [".sum", "#notices"]) {
              new MutationObserver(() => writes.push(selector))
                .observe(document.querySelector(selector), {childList: true, characterData: true, subtree: true});
            }""")
        self.poll()
        self.poll()
        self.assertEqual(self.browser.run("return writes"), [])
        notices.append("A file of marks could not be read.")
        self.slide("PageDown")
        self.poll()
        self.wait_text("#notices", "A file of marks could not be read.")
        self.assertEqual(set(self.browser.run("return writes")), {".sum", "#notices"})
        notices.clear()
        self.poll()
        self.browser.wait("return document.querySelector('#notices').hidden")


class FocusTests(PollingTest):
    def hold(self, selector, text=""):
        """Puts the focus on something, which must stay the same thing."""
        self.browser.run("""
            window.held = [...document.querySelectorAll(arguments[0])].find((one) => one.textContent.startsWith(arguments[1]));
            held.focus();""", selector, text)
        self.assert_held()

    def assert_held(self):
        self.assertTrue(self.browser.run("return document.activeElement === held"), "the focus is where it was")

    @needs_mock
    def test_ladder_is_not_drawn_under_the_focus(self):
        for selector, text in ((".quick button", "What has expired"), (".quick button", "Until normal"),
                               (".rungs summary", "cache")):
            self.hold(selector, text)
            self.poll()
            self.assert_held()

    @needs_mock
    def test_what_goes_with_the_focus_on_it_leaves_it_beside(self):
        self.hold(".quick button", "Until normal")
        self.daemon.settings["level"] = "normal"
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.browser.wait("return held.hidden || !held.isConnected")
        self.assertEqual(self.browser.run("return document.activeElement.textContent"), "Show plan")

    def unfold_ladder(self):
        self.browser.run("for (const one of document.querySelectorAll('.rungs details')) one.open = true")

    def change_places(self, change):
        """The places of each rung are others from now on, and it has half as many bytes."""
        ladder = self.daemon.ladder()
        self.daemon.ladder = lambda: [{**rung, "bytes": rung["bytes"] // 2, "areas": change(rung["areas"])}
                                      for rung in ladder]
        self.poll()

    def places(self):
        return self.browser.run("""
            return [...document.querySelectorAll("#ladder li.cache .places li")].map((one) => one.textContent);""")

    @needs_mock
    def test_places_of_the_ladder_are_of_now_around_the_focus(self):
        self.unfold_ladder()
        self.hold("#ladder li.cache .places li:nth-child(3) button")
        before, sum_before = self.places(), self.browser.text("#ladder li.cache summary")
        scrolled = self.browser.run("return document.querySelector('.rungs').scrollTop")
        self.change_places(lambda areas: [{**area, "bytes": area["bytes"] // 2} for area in areas])
        self.assert_held()
        after = self.places()
        self.assertEqual(len(after), len(before))
        self.assertNotEqual(after[0], before[0])
        self.assertNotEqual(after[2], before[2], "the one with the focus as well")
        self.assertNotEqual(self.browser.text("#ladder li.cache summary"), sum_before)
        self.assertEqual(self.browser.run("return document.querySelector('.rungs').scrollTop"), scrolled)
        # Now the last is the first, and one has gone.
        self.change_places(lambda areas: areas[:0:-1])
        self.assert_held()
        self.assertEqual(self.places(), after[:0:-1])
        self.browser.press("Enter")
        self.wait_text("#explain dl", "would free")
        self.assertEqual(self.browser.text("#explain .whole-path"), self.browser.run("return held.querySelector('.name').title"))
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assert_held()

    @needs_mock
    def test_rung_of_the_ladder_is_of_now_under_the_focus(self):
        self.hold(".rungs summary", "cache")
        before = self.browser.text("#ladder li.cache summary")
        self.change_places(lambda areas: areas)
        self.assert_held()
        self.assertNotEqual(self.browser.text("#ladder li.cache summary"), before)

    @needs_mock
    def test_place_that_is_not_there_any_more_leaves_the_focus_to_its_rung(self):
        self.unfold_ladder()
        self.hold("#ladder li.cache .places button")
        self.change_places(lambda areas: areas[1:])
        self.assertEqual(self.browser.run("return document.activeElement.dataset.key"), "cache")
        self.assertEqual(self.browser.run("return document.activeElement.localName"), "summary")

    @needs_mock
    def test_history_table_keeps_focus_and_place(self):
        self.browser.wait("return document.querySelector('#history svg')")
        self.browser.click("#history-table")
        self.wait_text("#history table", "purge: gained")
        self.hold("#history tbody button")
        self.browser.run("document.querySelector('#history .scroller').scrollTop = 90")
        before = self.browser.text("#history tbody")
        self.daemon.used += 5 * GB
        # As after a minute; a click of the page's own moves no focus.
        self.browser.run("document.querySelector('.volume[aria-pressed=true]').click()")
        self.browser.wait("return document.querySelector('#history tbody').textContent !== arguments[0]", before)
        self.assert_held()
        self.assertEqual(self.browser.run("return document.querySelector('#history .scroller').scrollTop"), 90)


if __name__ == "__main__":
    unittest.main()
