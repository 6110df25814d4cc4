# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What could not be loaded: that it is said, that it can be tried again, and that it comes back by itself."""

import unittest

from page import ByKeyboard, PageTest, needs_mock


@needs_mock
class TroubleTests(ByKeyboard, PageTest):
    expected_log = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_SOCKET_NOT_CONNECTED",
                    "ERR_CONNECTION_CLOSED", "500 (Internal Server Error)")

    def show(self, view):
        self.browser.run("location.hash = arguments[0]", view)

    def hurry(self):
        """A page that waits a tenth of its time."""
        self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const {timeout} = AbortSignal;
            AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, milliseconds / 10);""")
        self.open()

    def rows(self, view):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", f"#view-{view} tbody tr")

    def test_a_view_that_could_not_be_loaded_can_be_tried_again(self):
        self.daemon.throw_away("/home/ada/letter.txt")
        for view, shown in (("activity", "Events"), ("trash", "letter.txt"), ("settings", "/etc/headroom")):
            self.daemon.settings["fail"] = 500
            self.show(view)
            self.wait_text(f"#view-{view}", "A mistake in Headroom.")
            # Who presses it by the keyboard is still there afterwards, whatever comes of it.
            self.browser.run("document.querySelector(arguments[0]).focus()", f"#view-{view} .failure button")
            self.browser.run("window.pressed = document.activeElement")
            self.browser.press("Enter")
            self.browser.wait("return ![window.pressed, document.body].includes(document.activeElement)")
            self.assertEqual(self.focused(), "Try again")
            self.daemon.settings["fail"] = 0
            self.browser.press("Enter")
            self.wait_text(f"#view-{view}", shown)
            self.browser.wait("return document.activeElement.matches('h2')")
            self.assertIsNone(self.browser.run("return document.querySelector(arguments[0])", f"#view-{view} .trouble"))

    def test_a_view_that_could_not_be_loaded_comes_back_with_the_daemon(self):
        self.daemon.throw_away("/home/ada/letter.txt")
        self.make_audit()
        port = self.server.server_port
        for view, shown in (("audit", "3.40 GB of it"), ("activity", "Events"), ("trash", "letter.txt"),
                            ("settings", "/etc/headroom")):
            self.show("overview")
            self.stop_mock()
            self.wait_text("#connection", "The daemon does not answer", seconds=15)
            self.show(view)
            self.wait_text(f"#view-{view}", "This page comes back by itself.")
            self.start_mock(port, self.daemon)
            self.wait_text(f"#view-{view}", shown, seconds=15)
            self.assertIsNone(self.browser.run("return document.querySelector(arguments[0])", f"#view-{view} .trouble"))

    def test_the_rest_of_a_list_that_could_not_be_loaded_can_be_tried_again(self):
        for number in range(60):
            self.daemon.add_receipt("purge", number, 1, 1_790_000_000 - number, "level", "reach level normal")
        for number in range(210):
            self.daemon.throw_away(f"/home/ada/letter {number}.txt")
        for view, words, first in (("activity", "Show earlier ones", 50), ("trash", "Show more", 200)):
            self.show(view)
            self.wait_text(f"#view-{view}", words)
            self.daemon.settings["fail"] = 500
            self.browser.click_text(words, f"#view-{view}")
            self.wait_text(f"#view-{view} .failure", "A mistake in Headroom.")
            self.assertEqual(self.rows(view), first)
            self.assertEqual(self.focused(), "Try again")
            self.daemon.settings["fail"] = 0
            self.browser.press("Enter")
            self.browser.wait("return document.querySelectorAll(arguments[0]).length > arguments[1]",
                              f"#view-{view} tbody tr", first)
            self.assertIsNone(self.browser.run("return document.querySelector(arguments[0])", f"#view-{view} .failure"))
            # That was the last of it: the keyboard is at the list.
            self.assertTrue(self.browser.run("return document.activeElement.matches('.scroller')"))

    def test_a_daemon_that_hangs_is_told_and_waited_for(self):
        self.hurry()
        self.wait_text("#seen", "items seen")
        self.daemon.settings["hang"] = "before"
        self.wait_text("#connection", "The daemon does not answer", seconds=15)
        self.wait_text("#connection", "It takes what is asked and says nothing")
        # What was known is still there, and what is asked now is not waited for without end either.
        self.wait_text(".chosen-volume", "18.2 GB")
        self.show("settings")
        self.wait_text("#view-settings .failure", "It may have too much to do.")
        self.daemon.used -= 10 ** 10
        self.daemon.settings["hang"] = ""
        self.browser.wait("return document.querySelector('#connection').hidden", seconds=15)
        self.wait_text(".chosen-volume", "28.2 GB")
        self.wait_text("#view-settings", "/etc/headroom")

    def test_a_daemon_that_hangs_in_the_middle_of_an_answer_is_told_as_well(self):
        self.hurry()
        self.daemon.settings["hang"] = "within"
        self.wait_text("#connection", "It takes what is asked and says nothing", seconds=15)
        self.daemon.settings["hang"] = ""
        self.browser.wait("return document.querySelector('#connection').hidden", seconds=15)

    def test_what_takes_long_is_waited_for(self):
        self.hurry()
        self.wait_for_tree()
        self.daemon.settings["slowAt"] = {"/plans": 3}
        self.make_plan()
        self.assertTrue(self.browser.run("return document.querySelector('#connection').hidden"))


if __name__ == "__main__":
    unittest.main()
