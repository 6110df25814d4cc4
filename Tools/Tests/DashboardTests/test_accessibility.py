# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""axe-core on every view, light and dark. HEADROOM_AXE names its axe.min.js (in axe-playwright-python of PyPI)."""

import os
import unittest
from pathlib import Path

from page import PageTest, needs_mock

AXE = os.environ.get("HEADROOM_AXE")
MISSING = "axe-core is not installed: HEADROOM_AXE names no axe.min.js"

RUN = """
    const done = arguments[arguments.length - 1];
    axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
      .then(({violations}) => done(violations.map(({id, help, nodes}) =>
        [id, help, nodes.slice(0, 4).map((node) => [node.html.slice(0, 160), node.failureSummary])])));"""


@unittest.skipUnless(AXE, MISSING)
class LightTests(PageTest):
    expected_log = ("409 (Conflict)",)

    def check(self, what):
        # Evaluated by the tools of the browser: the page's own policy lets no foreign script in.
        self.browser.command("Runtime.evaluate", expression=Path(AXE).read_text())
        self.assertEqual(self.browser.run_async(RUN), [], what)

    @needs_mock
    def test_overview(self):
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('#history svg')")
        self.browser.run("for (const one of document.querySelectorAll('.rungs details')) one.open = true")
        self.check("overview")
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.click("#history-table")
        self.wait_text("#treemap table", "/home/ada/.cache/")
        self.check("tables")

    @needs_mock
    def test_explanation(self):
        self.wait_for_tree()
        self.browser.run("document.querySelector('.overlay').focus()")
        self.browser.press("e")
        self.wait_text("#explain", "would free")
        self.check("explanation")

    @needs_mock
    def test_plan_and_purge(self):
        self.daemon.settings["purgeSeconds"] = 3
        self.make_plan()
        self.browser.click("dialog .group:nth-child(3) summary")
        self.browser.wait("return document.querySelector('dialog .group:nth-child(3) tbody input')")
        self.browser.click("dialog .group:nth-child(3) tbody input")
        self.figure()
        self.check("plan")
        self.browser.click_text("Purge", "dialog footer")
        self.check("confirmation")
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')?.value > 0")
        self.check("progress")
        self.wait_text("dialog .receipt", "Freed")
        self.check("receipt")

    @needs_mock
    def test_other_views(self):
        self.daemon.settings["mode"] = "ask"
        self.daemon.trash.append({"id": "t1", "path": "/home/ada/letter.txt", "deleted": "2026-11-01T00:00:00Z",
                                  "expires": "2026-12-01T00:00:00Z", "kind": "file", "restorable": True, "bytes": 1})
        self.open()
        for view in ("activity", "trash", "audit", "settings"):
            self.browser.run("location.hash = arguments[0]", view)
            self.browser.wait("return document.querySelector('#view-' + arguments[0]).textContent.length > 40", view)
            self.check(view)
        self.browser.click_text("Activity")

    @needs_mock
    def test_audit_with_findings(self):
        self.make_audit()
        self.browser.run("for (const one of document.querySelectorAll('#view-audit details')) one.open = true")
        self.check("audit")

    @needs_mock
    def test_token(self):
        self.browser.run("sessionStorage.clear(); location.reload()")
        self.browser.wait("return document.querySelector('#unlock') && !document.querySelector('#unlock').hidden")
        self.check("token")


class DarkTests(LightTests):
    dark = True


class PhoneTests(LightTests):
    width, height = 390, 844


if __name__ == "__main__":
    unittest.main()
