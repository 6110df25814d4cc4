# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Everything by the keyboard alone, with a focus that can be seen."""

import unittest

from page import ByKeyboard, PageTest, needs_mock, promise


class KeyboardTests(ByKeyboard, PageTest):
    expected_log = ("409 (Conflict)",)

    @needs_mock
    def test_from_first_look_to_purge(self):
        self.wait_for_tree()
        self.tab_to("To the contents")
        self.tab_to("How much to free")
        self.browser.press("ArrowRight", "ArrowRight")
        self.tab_to("Show plan")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog .group')")
        self.assertTrue(self.in_dialog())
        # The rest of the page cannot be reached meanwhile.
        for _ in range(16):
            self.browser.press("Tab")
            self.assertTrue(self.in_dialog() or self.focused() == "BODY"
                            or self.browser.run("return document.activeElement === document.body"))
        self.figure()
        self.tab_to("Cache, expired: all")
        self.browser.press("Space")
        self.browser.wait("return document.querySelector('dialog .frees').textContent.includes('taken out')")
        less = self.figure()
        self.tab_to("Purge", key="Shift+Tab")
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Delete")
        # Who presses Enter once too often deletes nothing.
        self.assertEqual(self.focused(), "Back")
        self.tab_to("Delete", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", f"Freed {less}")
        self.tab_to("Done")
        self.browser.press("Enter")
        # A window tells that it is closed in a later task.
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.focused(), "Show plan")

    @needs_mock
    def test_from_the_treemap_to_the_trash_and_back(self):
        self.daemon.homeScanned = True
        self.wait_for_tree()
        self.tab_to("what may go")
        self.browser.run("document.querySelector('#tree-view').value")
        self.browser.press("ArrowDown")
        self.browser.wait("return document.querySelector('#tree-view').value === 'home'")
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'")
        self.tab_to("Treemap of")
        for name in ("/home/ada", "Documents"):
            self.steer_to(name)
            self.browser.press("Enter")
            self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith(arguments[0])",
                              name.rsplit("/", 1)[1] if "/" in name else name)
        self.steer_to("thesis.pdf")
        self.browser.press("Space")
        self.wait_text(".basket", "1 thing chosen")
        self.tab_to("Move to trash")
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now, 48.0 MB when emptied.")
        self.tab_to("Move 1 item")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.tab_to("Undo")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        self.browser.press("Escape")
        self.assertEqual(self.daemon.trash, [])

    def test_the_skip_link_leads_to_the_contents_of_the_view_that_is_shown(self):
        self.browser.run("location.hash = '#settings'")
        self.wait_text("#view-settings h2", "Settings")
        self.browser.run("document.activeElement.blur()")
        self.tab_to("To the contents", most=2)
        self.browser.press("Enter")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")
        # A change of the address would be told in a later task.
        self.browser.run_async("setTimeout(arguments[0], 100)")
        self.assertEqual(self.browser.run("return location.hash"), "#settings")
        self.assertFalse(self.browser.run("return document.querySelector('#view-settings').hidden"))
        self.browser.press("Tab")
        self.assertTrue(self.browser.run("return document.activeElement.closest('#view-settings') !== null"))

    @needs_mock
    def test_escape_closes_the_panel_and_then_the_window(self):
        self.make_plan()
        self.figure()
        self.browser.click("dialog .group:nth-child(1) summary")
        self.browser.wait("return document.querySelector('dialog table.entries .path')")
        self.browser.click("dialog table.entries .path")
        self.wait_text("dialog #explain", "would free")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assertTrue(self.browser.run("return document.querySelector('dialog').open"))
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")
        # The panel is part of the page again.
        self.assertTrue(self.browser.run("return document.querySelector('#explain').parentNode === document.body"))

    @needs_mock
    def test_every_control_has_a_name(self):
        self.wait_for_tree()
        nameless = self.browser.run("""
            return [...document.querySelectorAll("button, a[href], input, select, [tabindex='0']")]
              .filter((one) => one.offsetParent !== null)
              .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
              .map((one) => one.outerHTML);""")
        self.assertEqual(nameless, [])


class ExplainedPathTests(ByKeyboard, PageTest):
    expected_log = ("404 (Not Found)",)

    def ask(self, path):
        self.browser.run("document.querySelector('#explain-path').value = ''")
        self.browser.run("document.querySelector('#explain-path').focus()")
        self.browser.type(path)
        self.browser.press("Enter")

    @promise("R38c")
    @needs_mock
    def test_any_path_is_explained_and_what_is_wrong_with_it_is_said(self):
        self.wait_for_tree()
        self.tab_to("what may go")
        self.tab_to("Table", most=1)
        self.browser.press("Tab")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "explain-path")
        self.browser.type("/home/ada/Documents/thesis.pdf")
        self.browser.press("Enter")
        self.wait_text("#explain", "would free")
        self.wait_text("#explain .whole-path", "/home/ada/Documents/thesis.pdf")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "explain-path")
        # What is not there is said in the panel, what is no path at the field.
        self.ask("/nowhere/at all")
        self.wait_text("#explain", "There is no such file.")
        self.browser.press("Escape")
        self.ask("thesis.pdf")
        self.browser.wait("return document.querySelector('#explain-path').validationMessage === arguments[0]",
                          "Write a whole path, such as /home/ada/.cache/pip.")
        self.assertTrue(self.browser.run("return document.querySelector('#explain').hidden"))
        # Corrected, it is asked.
        self.ask("/home/ada/Documents/thesis.pdf")
        self.wait_text("#explain", "would free")


if __name__ == "__main__":
    unittest.main()
