# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The page in a browser, as the tests use it.

By default it is served by the stand-in of mock.py. With HEADROOM_DASHBOARD_URL (the address that
`headroom serve` prints, with its token) the same tests run against a daemon; those that need the stand-in
to misbehave are skipped.
"""

import os
import threading
import unittest
from pathlib import Path

import mock
import webdriver

TOKEN = "test-token"
DAEMON = os.environ.get("HEADROOM_DASHBOARD_URL")
SHOTS = os.environ.get("HEADROOM_DASHBOARD_SHOTS")

needs_mock = unittest.skipIf(DAEMON, "needs the stand-in")


class PageTest(unittest.TestCase):
    """A browser and a daemon for each test; afterwards the console must have been silent."""

    width, height, dark = 1280, 800, False
    # What the console may say, since the test makes it so.
    expected_log = ()

    @classmethod
    def setUpClass(cls):
        cls.driver = webdriver.Driver()

    @classmethod
    def tearDownClass(cls):
        cls.driver.stop()

    def setUp(self):
        self.server = None
        if not DAEMON:
            self.start_mock(0)
        self.browser = webdriver.Browser(self.driver, self.width, self.height, self.dark)
        self.addCleanup(self.browser.close)
        self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
            """)
        self.first_page()

    def first_page(self):
        self.open()

    def tearDown(self):
        if SHOTS:
            self.browser.screenshot(Path(SHOTS) / f"{self.id().split('.', 1)[1]}.png")
        entries = [entry["message"] for entry in self.browser.log()
                   if not any(part in entry["message"] for part in self.expected_log)]
        self.stop_mock()
        self.assertEqual(entries, [], "the console is silent")
        self.assertEqual(self.browser.run("return window.violations ?? []"), [], "the policy holds")

    # MARK: The daemon

    def start_mock(self, port):
        self.server = mock.make_server(port, TOKEN)
        self.daemon = self.server.RequestHandlerClass.daemon
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop_mock(self):
        if self.server:
            self.server.end()
            self.server = None

    @property
    def address(self):
        return DAEMON or f"http://127.0.0.1:{self.server.server_port}/#token={TOKEN}"

    # MARK: The page

    def open(self):
        # The address differs in its fragment only, which loads nothing anew.
        self.browser.open("about:blank")
        self.browser.open(self.address)
        self.browser.wait("return document.querySelector('.chosen-volume, #volumes .empty')", what="volumes")

    def wait_for_tree(self):
        self.browser.wait("return document.querySelector('#treemap-bar .whole')?.textContent", what="the treemap")

    def wait_text(self, selector, text, seconds=10):
        try:
            self.browser.wait("return document.querySelector(arguments[0])?.textContent.includes(arguments[1])",
                              selector, text, seconds=seconds)
        except AssertionError:
            self.fail(f"{selector} has no {text!r}, but {self.browser.text(selector)!r}")

    def crumbs(self):
        return self.browser.run("return [...document.querySelectorAll('.crumbs li')].map((one) => one.textContent)")

    def said(self):
        """What was last said of the treemap."""
        return self.browser.text("#treemap > p[aria-live]")

    def walk_to(self, name):
        """Focuses a cell of the treemap by arrow keys."""
        found = self.browser.run("""
            const overlay = document.querySelector("#treemap .overlay");
            const spoken = document.querySelector("#treemap > p[aria-live]");
            const press = (key) => overlay.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            overlay.focus();
            const ways = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
            press("Home");
            for (let step = 0; step < 4000; step += 1) {
              if (spoken.textContent.startsWith(arguments[0])) return true;
              press(ways[Math.floor(Math.random() * 4)]);
            }
            return false;""", name)
        self.assertTrue(found, f"no cell begins with {name!r}")

    def enter(self, name):
        before = self.crumbs()
        self.walk_to(name)
        self.browser.press("Enter")
        self.browser.wait("return document.querySelectorAll('.crumbs li').length > arguments[0]", len(before),
                          what=f"{name} to open")

    def make_plan(self):
        self.browser.click_text("Show plan", "#ladder")
        self.browser.wait("return document.querySelector('dialog .group')", what="the plan")

    def figure(self):
        """What the plan says it frees, when it has settled."""
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending) .figure')")
        return self.browser.text("dialog .frees .figure")
