# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan shows when answers fail, come late, or come in another order than they were asked for."""

import threading
import unittest

from mock_refusal import Refusal
from page import PageTest, needs_mock

PURGE_IS_OFF = "return document.querySelector('dialog footer .danger').disabled"


class PlanTest(PageTest):
    expected_log = ("404 (Not Found)", "409 (Conflict)", "500 (Internal Server Error)")

    def setUp(self):
        super().setUp()
        self.make_plan()
        self.whole = self.figure()

    def tick_group(self, number):
        self.browser.click(f"dialog .group:nth-child({number}) > input")

    def hold(self, name, refusal=None):
        """The next answer waits for what is returned, and is perhaps a refusal; then all is as before."""
        answer, begun, goes_on = getattr(self.daemon, name), threading.Event(), threading.Event()

        def held(*arguments):
            setattr(self.daemon, name, answer)
            begun.set()
            goes_on.wait(10)
            if refusal:
                raise refusal
            return answer(*arguments)

        setattr(self.daemon, name, held)
        self.addCleanup(goes_on.set)
        return begun, goes_on


class LateSelectionTests(PlanTest):
    def tick_two_while_the_first_fails(self, refusal):
        begun, goes_on = self.hold("select", refusal)
        self.tick_group(1)
        self.assertTrue(begun.wait(10))
        self.tick_group(2)
        goes_on.set()

    @needs_mock
    def test_a_choice_made_while_another_fails_can_be_sent_again(self):
        self.tick_two_while_the_first_fails(Refusal(500, "internal", "A mistake in Headroom."))
        self.wait_text("dialog .frees", "A mistake in Headroom.")
        self.assertEqual(self.figure(), self.whole)
        self.assertTrue(self.browser.run(PURGE_IS_OFF))
        self.browser.click_text("Try again", "dialog .frees")
        self.wait_text("dialog .frees", "taken out")
        self.assertFalse(self.browser.run(PURGE_IS_OFF))
        plan = next(iter(self.daemon.plans.values()))
        taken_out = {entry["group"] for entry in plan["entries"] if entry["index"] in plan["out"]}
        self.assertEqual(taken_out, {0, 1})
        self.assertIn(self.figure(), self.browser.text("dialog footer"))

    def remade(self, refusal):
        self.tick_two_while_the_first_fails(refusal)
        self.wait_text("dialog", "was made anew")
        self.assertEqual(self.figure(), self.whole)
        self.assertFalse(self.browser.run(PURGE_IS_OFF))
        # It can be chosen from.
        self.tick_group(1)
        self.wait_text("dialog .frees", "taken out")
        self.assertFalse(self.browser.run(PURGE_IS_OFF))

    @needs_mock
    def test_a_choice_made_while_the_plan_is_forgotten(self):
        self.remade(Refusal(404, "plan-unknown", "This plan is not known any more."))

    @needs_mock
    def test_a_choice_made_while_the_plan_is_changed(self):
        self.remade(Refusal(409, "conflict", "Somebody else is at it."))

    @needs_mock
    def test_trouble_ends_with_the_plan_that_had_it(self):
        self.daemon.settings["fail"] = 500
        self.tick_group(1)
        self.wait_text("dialog .frees", "A mistake in Headroom.")
        self.daemon.settings["fail"] = 0
        self.daemon.plans.clear()
        self.browser.click_text("Try again", "dialog .frees")
        self.wait_text("dialog", "was made anew")
        self.assertEqual(self.figure(), self.whole)
        self.assertNotIn("A mistake", self.browser.text("dialog .frees"))
        self.assertFalse(self.browser.run(PURGE_IS_OFF))


class OrderTests(PlanTest):
    def rows(self):
        return self.browser.run("""return [...document.querySelectorAll("dialog .group:nth-child(1) tbody .name")]
            .map((one) => one.title);""")

    @needs_mock
    def test_a_page_of_another_order_is_not_listed(self):
        self.browser.click("dialog .group:nth-child(1) summary")
        self.browser.wait("return document.querySelectorAll('dialog .group:nth-child(1) tbody input').length === 200")
        begun, goes_on = self.hold("entries")
        self.browser.click_text("Show more", "dialog .group:nth-child(1)")
        self.assertTrue(begun.wait(10))
        self.browser.run("""const sort = document.querySelector("#plan-sort");
            sort.value = "bytes"; sort.dispatchEvent(new Event("change"));""")
        goes_on.set()
        self.browser.wait("return document.querySelectorAll('dialog .group:nth-child(1) tbody input').length >= 200")
        self.browser.click_text("Show more", "dialog .group:nth-child(1)")
        self.browser.wait("return document.querySelectorAll('dialog .group:nth-child(1) tbody input').length >= 400")
        plan = next(iter(self.daemon.plans.values()))
        largest = sorted((entry for entry in plan["entries"] if entry["group"] == 0), key=lambda entry: -entry["bytes"])
        self.assertEqual(self.rows(), [entry["path"].decode() for entry in largest[:400]])


if __name__ == "__main__":
    unittest.main()
