# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The page with the real program behind it, as the tests use it: a home and a daemon for each test, and what
is on the disk before and after."""

import os
import re
import unittest

import daemon
from page import PageTest

MEGABYTE = 1_000_000


@unittest.skipUnless(daemon.PROGRAM and os.access(daemon.PROGRAM, os.X_OK), daemon.MISSING)
class DaemonTest(PageTest):
    """A home and a daemon for each test; whatever was asked for was asked of that daemon."""

    network = True

    def start_server(self):
        self.home = daemon.Home()
        self.addCleanup(self.home.remove)
        self.fill(self.home)
        self.asked = {}
        self.serve()

    def serve(self, port=None):
        self.program = daemon.Daemon(self.home, port)
        self.addCleanup(self.program.stop)

    def tearDown(self):
        super().tearDown()
        own = f"http://127.0.0.1:{self.program.port}/"
        foreign = [address for _, address in self.requests() if not address.startswith(own)] if self.network else []
        self.program.stop()
        self.assertEqual(foreign, [], "nothing was asked of anybody else")

    @property
    def address(self):
        return self.program.address

    def fill(self, home):
        """What a home has: caches of two programs, something temporary, and what a person has made."""
        for number in range(6):
            home.file(f".cache/pip/http-v2/{number:x}/wheel-{number}", 3 * MEGABYTE)
        for number in range(400):
            home.file(f".cache/weather/{number % 20}/{number}.tile", 20_000)
        for number in range(5):
            home.file(f"tmp/build-{number}.o", 400_000)
        home.file("Documents/letter to Grandmother.txt", content=b"Dear Grandmother,\n" * 4000)
        home.file("Documents/film of 1998.mkv", 12 * MEGABYTE)
        home.file("Documents/thesis/chapter 1.tex", content=b"\\chapter{One}\n" * 500)
        home.file(".config/weather/settings.ini", content=b"units = metric\n")

    # MARK: What happened

    def requests(self, browser=None):
        """All that a page has asked for so far, as method and address."""
        browser = browser or self.browser
        asked = self.asked.setdefault(browser, [])
        asked += [(event["params"]["request"]["method"], event["params"]["request"]["url"])
                  for event in browser.events() if event["method"] == "Network.requestWillBeSent"]
        return asked

    def shown_plan(self, browser=None):
        """The id of the plan that a page shows."""
        plans = [found.group(1) for _, address in self.requests(browser)
                 if (found := re.search(r"/api/v1/plans/(\w+)/", address))]
        self.assertTrue(plans, "the page has asked for entries of a plan")
        return plans[-1]

    def relative(self, path):
        """The name below the home of an absolute path as bytes."""
        return os.path.relpath(path, os.fsencode(self.home.path))

    def assert_gone(self, before, names):
        """Just these went, each whole, and all else is as it was."""
        after = self.home.listing()
        expected = {name for name in before
                    if name in names or any(name.startswith(one + b"/") for one in names)}
        self.assertEqual({name for name in before if name not in after}, expected)
        self.assertEqual({name: about for name, about in before.items() if name not in expected}, after)

    def ask_for(self, amount):
        self.browser.wait("return document.querySelector('#free-amount')?.value")
        self.browser.run("document.querySelector('#free-amount').value = ''")
        self.browser.click("#free-amount")
        self.browser.type(amount)
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog .group')", what="the plan")
        return self.figure()

    def open_group(self, title):
        """Opens a group of the plan, and waits for what is in it."""
        self.browser.click_text(title, "dialog .groups")
        self.browser.wait("return document.querySelector('dialog details[open] tbody input')")

    def take_out(self, row=1):
        """Takes an entry of the open group out of the plan; answers with its path."""
        selector = f"dialog details[open] tbody tr:nth-child({row})"
        path = self.browser.run("return document.querySelector(arguments[0] + ' .name').title", selector)
        self.browser.click(f"{selector} input")
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending)')?.textContent.includes('taken out')")
        return path

    def show_whole_home(self):
        self.show_home()
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'", seconds=20)
