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
import time
import unittest
from pathlib import Path

import mock
import webdriver

TOKEN = "test-token"
DAEMON = os.environ.get("HEADROOM_DASHBOARD_URL")
SHOTS = os.environ.get("HEADROOM_DASHBOARD_SHOTS")

def promise(*clauses):
    """Marks a test that fails if one of these clauses of Sources/HeadroomPromises is broken."""
    return lambda test: test


needs_mock = unittest.skipIf(DAEMON, "a daemon is named, and they need the stand-in")


class PageTest(unittest.TestCase):
    """A browser and a daemon for each test; afterwards the consoles of all browsers must have been silent."""

    width, height, dark = 1280, 800, False
    # Whether what browsers ask for is kept.
    network = False
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
        self.browsers = []
        self.start_server()
        self.browser = self.new_browser()
        self.first_page()

    def first_page(self):
        self.open()

    def tearDown(self):
        self.shot()
        try:
            self.check_consoles()
        finally:
            self.stop_mock()

    def check_consoles(self):
        entries = [entry["message"] for browser in self.browsers for entry in browser.log()
                   if not any(part in entry["message"] for part in self.expected_log)]
        violations = [one for browser in self.browsers for one in browser.run("return window.violations ?? []")]
        self.assertEqual(entries, [], "the console is silent")
        self.assertEqual(violations, [], "the policy holds")

    def new_browser(self):
        """A window of its own, that notes what the policy of the page forbids."""
        browser = webdriver.Browser(self.driver, self.width, self.height, self.dark, self.network)
        self.addCleanup(browser.close)
        self.browsers.append(browser)
        browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
            """)
        return browser

    # MARK: The daemon

    def start_server(self):
        """What the page comes from; others put the real program here."""
        if not DAEMON:
            self.start_mock(0)

    def start_mock(self, port, daemon=None, token=TOKEN):
        """`daemon`: what an earlier one knew and was."""
        self.server = mock.make_server(port, token, daemon)
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

    def shot(self, step=None):
        """A picture of how it looks now, if somebody wants to see it."""
        if SHOTS:
            name = self.id().split(".", 1)[1]
            self.browser.screenshot(Path(SHOTS) / f"{name}{f'-{step}' if step else ''}.png")

    def open(self):
        # The address differs in its fragment only, which loads nothing anew.
        self.browser.open("about:blank")
        self.browser.open(self.address)
        self.browser.wait("return document.querySelector('.chosen-volume, #volumes .empty')", what="volumes")

    def wait_for_tree(self):
        self.browser.wait("return document.querySelector('#treemap-bar .whole')?.textContent", seconds=60,
                          what="the treemap")

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

    def show_home(self):
        self.browser.run("""const choice = document.querySelector("#tree-view");
            choice.value = "home"; choice.dispatchEvent(new Event("change"));""")

    def walk_to(self, name):
        """Focuses a cell of the treemap by arrow keys, as soon as there is one of that name."""
        end = time.monotonic() + 10
        while not self.walks_to(name):
            self.assertLess(time.monotonic(), end, f"no cell begins with {name!r}")
            time.sleep(0.05)

    def walks_to(self, name):
        return self.browser.run("""
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

    def enter(self, name):
        before = self.crumbs()
        self.walk_to(name)
        self.browser.press("Enter")
        self.browser.wait("return document.querySelectorAll('.crumbs li').length > arguments[0]", len(before),
                          what=f"{name} to open")

    def make_audit(self):
        self.browser.run("location.hash = '#audit'")
        self.browser.wait("return document.querySelector('#view-audit button')")
        self.browser.click_text("Look at what is backed up", "#view-audit")
        self.browser.wait("return [...document.querySelectorAll('dialog button')].some((one) => one.textContent === 'Show it')")
        self.browser.click_text("Show it", "dialog")
        self.wait_text("#view-audit", "3.40 GB of it could be made again")

    def make_plan(self):
        self.browser.click_text("Show plan", "#ladder")
        self.browser.wait("return document.querySelector('dialog .group')", what="the plan")

    def figure(self):
        """What the plan says it frees, when it has settled."""
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending) .figure')")
        return self.browser.text("dialog .frees .figure")


class ByKeyboard:
    """Keys alone, with a focus that can be seen."""

    def focused(self):
        return self.browser.run("""
            const one = document.activeElement;
            return one.getAttribute("aria-label") || one.textContent.trim() || one.value || one.tagName;""")

    def tab_to(self, text, most=120, key="Tab"):
        """Presses Tab until something with this text, name or value has the focus, which must be visible."""
        for _ in range(most):
            self.browser.press(key)
            if self.focused().startswith(text):
                self.assertTrue(self.browser.run("""
                    const style = getComputedStyle(document.activeElement);
                    return document.activeElement.matches(":focus-visible")
                      && (style.outlineStyle !== "none" || document.activeElement.matches(".tick, h2"));"""),
                    f"the focus on {text!r} can be seen")
                return
        self.fail(f"Tab does not lead to {text!r}")

    def in_dialog(self):
        return self.browser.run("return document.activeElement.closest('dialog') !== null")

    def steer_to(self, name):
        """By real key presses, the way a person would: to the largest, then in all directions."""
        self.browser.press("Home")
        for step in range(60):
            if (self.said() or "").startswith(name):
                return
            self.browser.press(("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")[step % 6])
        self.fail(f"arrow keys do not lead to {name!r}")


FRAMES = """
    const done = arguments[arguments.length - 1];
    const [key, span] = arguments;
    const times = [];
    const begin = performance.now();
    const frame = (time) => {
      times.push(time);
      if (performance.now() - begin < span) requestAnimationFrame(frame);
      else done(times);
    };
    requestAnimationFrame(frame);
    document.querySelector("#treemap .overlay").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));"""


class Measured:
    """When something is there, how smoothly it moves, and what it takes."""

    # Between two pictures, in milliseconds.
    longest_gap = 0

    def first_page(self):
        self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const look = () => {
              const now = performance.now();
              if (document.querySelector(".chosen-volume dl")) window.firstData ??= now;
              if (window.firstData && document.querySelector(".rungs li details")
                  && document.querySelector(".stage").dataset.nodes > 0) window.allData = now;
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);""")
        super().first_page()

    def frames(self, key, span=700, silent=False):
        """How many pictures a second came after a key was pressed in the treemap."""
        times = self.browser.run_async(FRAMES, key, span)
        gaps = [later - earlier for earlier, later in zip(times, times[1:])]
        rate = 1000 * len(gaps) / (times[-1] - times[0])
        self.longest_gap = max(self.longest_gap, *gaps)
        if not silent:
            print(f"\n    {key}: {rate:.0f} frames a second, longest {max(gaps):.0f} ms", end="", flush=True)
        return rate

    def heap(self):
        """The bytes of the page's own memory, without what is not needed any more."""
        self.browser.command("HeapProfiler.collectGarbage")
        return self.browser.run("return performance.memory.usedJSHeapSize")
