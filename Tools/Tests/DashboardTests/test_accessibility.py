# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""axe-core on every view, light and dark, and the contrast of the colours.

HEADROOM_AXE names axe.min.js (in axe-playwright-python of PyPI)."""

import os
import unittest
from pathlib import Path

from page import PageTest, needs_mock, promise

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

    @promise("R38e")
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

    @promise("R38e")
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


class ContrastTests(PageTest):
    """What is written, and the classes beside what they lie on (WCAG 2.2, 1.4.3 and 1.4.11)."""

    def colors(self, *names):
        style = "const style = getComputedStyle(document.documentElement);"
        texts = self.browser.run(f"{style} return arguments[0].map((name) => style.getPropertyValue('--' + name).trim());",
                                 names)
        return [[int(text[at:at + 2], 16) for at in (1, 3, 5)] for text in texts]

    @staticmethod
    def luminance(color):
        shares = [value / 255 for value in color]
        red, green, blue = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, one, other):
        darker, lighter = sorted((self.luminance(one), self.luminance(other)))
        return (lighter + 0.05) / (darker + 0.05)

    def test_colors_are_told_from_what_they_lie_on(self):
        is_dark = self.luminance(self.colors("panel")[0]) < 0.2
        self.assertEqual(is_dark, self.dark)
        written = ("ink", "faint", "primary", "warning", "critical", "normal")
        classes = [f"class-{name}" for name in ("temporary", "cache", "trash", "lastResort", "essential")]
        pairs = [(ink, ground, 4.5) for ink in written for ground in ("panel", "page", "track")]
        pairs += [("danger-ink", "danger", 4.5), ("primary-ink", "primary", 4.5), ("focus", "panel", 3), ("focus", "page", 3)]
        pairs += [(name, "panel", 3) for name in classes]
        wrong = [(one, other) for one, other, least in pairs if self.contrast(*self.colors(one, other)) < least]
        self.assertEqual(wrong, [])


class DarkContrastTests(ContrastTests):
    dark = True


if __name__ == "__main__":
    unittest.main()
