# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The real program behind the page is killed, and another one begins: what the page says and asks for, and what
cannot be confirmed any more."""

import unittest

from daemon_page import DaemonTest


class GoneTests(DaemonTest):
    expected_log = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED",
                    "ERR_SOCKET_NOT_CONNECTED", "ERR_CONNECTION_CLOSED", "401 (Unauthorized)")

    def start_again(self):
        self.program.kill()
        self.wait_text("#connection", "The daemon does not answer", seconds=20)
        self.shot("gone")
        port = self.program.port
        old = self.program.token
        self.serve(port)
        self.assertNotEqual(self.program.token, old)

    def test_says_that_it_is_gone_and_asks_for_the_new_token(self):
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('.rungs .cache')")
        self.start_again()
        self.wait_text("#unlock", "The daemon was started anew", seconds=20)
        self.shot("started-anew")
        self.browser.click("#token")
        self.browser.type(self.program.token)
        self.browser.press("Enter")
        self.browser.wait("return !document.querySelector('#page').hidden")
        self.browser.wait("return document.querySelector('#connection').hidden")
        # Everything is as it should be: it is not only drawn.
        before = self.home.listing()
        self.ask_for("1 MB")
        self.assertEqual(self.home.listing(), before)

    def test_the_printed_address_opens_it_again_in_the_same_window(self):
        self.wait_for_tree()
        self.start_again()
        self.wait_text("#unlock", "The daemon was started anew", seconds=20)
        self.browser.open(self.program.address)
        self.browser.wait("return !document.querySelector('#page').hidden")
        self.wait_text(".chosen-volume", "GB")
        self.assertNotIn("token", self.browser.run("return location.href"))
        self.assertTrue(self.browser.run("return document.querySelector('#unlock').hidden"))

    def test_a_plan_of_the_one_that_died_purges_nothing(self):
        before = self.home.listing()
        self.ask_for("10 MB")
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        self.start_again()
        # The question lies not over what asks for the token.
        self.wait_text("#unlock", "The daemon was started anew", seconds=20)
        self.browser.wait("return document.querySelector('dialog') === null")
        self.browser.click("#token")
        self.browser.type(self.program.token)
        self.browser.press("Enter")
        self.browser.wait("return !document.querySelector('#page').hidden")
        self.assertEqual(self.home.listing(), before)
        self.assertEqual(self.program.ask("GET", "/receipts")["receipts"], [])

    def test_a_purge_that_was_cut_off_is_told(self):
        for number in range(20_000):
            self.home.file(f".cache/thumbnails/{number % 100}/{number}", content=b"x")
        self.program.ask("POST", "/scans", {"view": "areas"})
        documents = {name: about for name, about in self.home.listing().items() if name.startswith(b"Documents")}
        self.ask_for("1 GB")
        self.browser.click_text("Purge", "dialog footer")
        with self.program.slowly():
            self.browser.click_text("Delete", "dialog footer")
            self.browser.wait("return document.querySelector('dialog progress')?.value > 0", seconds=60, what="progress")
            self.program.kill()
        self.wait_text("#connection", "The daemon does not answer", seconds=20)
        self.wait_text("dialog", "The daemon does not answer")
        self.shot("gone")
        self.serve(self.program.port)
        self.wait_text("#unlock", "The daemon was started anew", seconds=30)
        self.browser.open(self.program.address)
        self.browser.wait("return !document.querySelector('#page').hidden")
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "crashed")
        self.shot("told")
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if name.startswith(b"Documents")}, documents)
        self.assertGreater(len([name for name in after if name.startswith(b".cache/thumbnails/")]), 0, "it was cut off")


if __name__ == "__main__":
    unittest.main()
