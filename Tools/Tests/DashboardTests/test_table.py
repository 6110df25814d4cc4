# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The treemap as a table: for who listens it is all there is, so it must say and do the same."""

import unittest

from page import PageTest, needs_mock

BOXES = "return [...document.querySelectorAll('#treemap tbody input')].map((one) => one.checked)"
FOCUSED = "return document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


class TableTest(PageTest):
    def show_table(self):
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return document.querySelector('.stage').hidden")

    def open_row(self, name):
        """By its key: the focus is on it."""
        self.browser.run("""[...document.querySelectorAll("#treemap tbody .path")]
            .find((one) => one.textContent.startsWith(arguments[0])).focus();""", name)
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith(arguments[0])",
                          name.rsplit("/", 1)[-1])

    def tick(self, row):
        self.browser.click(f"#treemap tbody tr:nth-child({row}) input")

    def boxes(self):
        return self.browser.run(BOXES)


class ChosenTests(TableTest):
    def setUp(self):
        super().setUp()
        self.wait_for_tree()
        self.show_table()

    @needs_mock
    def test_boxes_follow_what_is_chosen(self):
        self.tick(1)
        self.tick(2)
        self.wait_text(".basket", "2 things chosen")
        self.browser.click_text("Clear", ".basket")
        self.assertEqual(self.boxes(), [False] * 4)
        # The focus does not go with the button.
        self.assertTrue(self.browser.run("return document.querySelector('.table-holder').contains(document.activeElement)"))
        # A box means what it shows, whatever was chosen before.
        self.browser.run("""const box = document.querySelector("#treemap tbody input");
            box.checked = false; box.dispatchEvent(new Event("change"));""")
        self.assertTrue(self.browser.run("return document.querySelector('.basket').hidden"))
        self.tick(1)
        self.wait_text(".basket", "1 thing chosen")
        self.assertEqual(self.boxes(), [True, False, False, False])

    @needs_mock
    def test_nothing_is_ticked_after_it_was_moved(self):
        self.daemon.homeScanned = True
        self.show_home()
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'")
        self.wait_text("#treemap tbody", "/home/ada/")
        self.open_row("/home/ada")
        self.open_row("Documents")
        # What cannot be moved stays chosen.
        self.daemon.any_node(b"/home/ada/Documents/thesis.pdf").more["inUse"] = True
        self.tick(4)
        self.browser.click_text("Move to trash", ".basket")
        self.wait_text("dialog", "in use by firefox")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.boxes().count(True), 1)
        self.tick(1)
        self.browser.click_text("Move to trash", ".basket")
        self.wait_text("dialog", "Move 1 item")
        self.browser.click_text("Move 1 item", "dialog")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.boxes().count(True), 0)
        self.assertTrue(self.browser.run("return document.querySelector('.basket').hidden"))

    @needs_mock
    def test_chooses_after_the_colours_have_changed(self):
        self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.browser.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));")
        self.tick(1)
        self.browser.wait("return document.querySelector('#treemap > p[aria-live]').textContent.includes('1 thing chosen')")
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return !document.querySelector('.stage').hidden")
        self.walk_to("/home/ada/.cache")

    @needs_mock
    def test_names_of_controls_are_readable(self):
        self.open_row("/home/ada/.cache")
        self.open_row("nasty names")
        names = self.browser.run("""return [...document.querySelectorAll("#treemap tbody [aria-label]")]
            .map((one) => one.getAttribute("aria-label"));""")
        self.assertIn("Choose \\u{202E}gnp.exe", names)
        self.assertIn("Explain \\u{202E}gnp.exe", names)
        self.assertFalse([name for name in names if "\u202e" in name or "\x1b" in name or "\n" in name])


class SaidTests(TableTest):
    expected_log = ("409 (Conflict)", "ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET",
                    "ERR_SOCKET_NOT_CONNECTED", "ERR_CONNECTION_CLOSED")

    def assert_said(self, words):
        self.wait_text(".message", words)
        self.assertTrue(self.browser.run("return document.querySelector('.message').checkVisibility()"), words)
        self.assertGreater(self.browser.run("return document.querySelector('.message').clientHeight"), 100)

    @needs_mock
    def test_a_home_that_was_not_scanned(self):
        self.wait_for_tree()
        self.show_table()
        self.show_home()
        self.assert_said("was not scanned yet")
        self.browser.click_text("Look through the home directory", ".table-holder")
        self.wait_text("dialog", "items seen")
        self.browser.click_text("Done", "dialog")
        self.wait_text("#treemap tbody", "/home/ada/")
        self.assertTrue(self.browser.run("return document.querySelector('.message').hidden"))

    @needs_mock
    def test_it_is_said_whichever_is_shown(self):
        self.wait_for_tree()
        self.show_home()
        self.assert_said("was not scanned yet")
        self.show_table()
        self.assert_said("was not scanned yet")
        self.browser.click_text("Table", "#treemap-bar")
        self.assert_said("was not scanned yet")

    @needs_mock
    def test_a_daemon_that_is_gone(self):
        self.wait_for_tree()
        self.show_table()
        port = self.server.server_port
        self.stop_mock()
        self.browser.run("document.querySelector('#treemap tbody .path').focus()")
        self.browser.press("Enter")
        self.assert_said("The daemon does not answer")
        # The focus is on what can be done.
        self.assertEqual(self.browser.run(FOCUSED), "Try again")
        self.start_mock(port)
        self.wait_text("#treemap tbody", "pip/", seconds=15)
        self.browser.wait("return document.querySelector('.table-holder tbody').contains(document.activeElement)")

    @needs_mock
    def test_an_empty_directory(self):
        self.daemon.any_node(b"/home/ada/.cache/thumbnails").made = []
        self.wait_for_tree()
        self.show_table()
        self.open_row("/home/ada/.cache")
        self.open_row("thumbnails")
        self.assert_said("This directory is empty.")


class FocusTests(TableTest):
    def setUp(self):
        super().setUp()
        self.wait_for_tree()
        self.show_table()

    def focused(self):
        return self.browser.run(FOCUSED)

    @needs_mock
    def test_goes_along_on_the_way_in_and_out(self):
        self.open_row("/home/ada/.cache")
        first = self.browser.text("#treemap tbody tr:first-child .path")
        self.assertEqual(self.focused(), first)
        self.open_row("pip")
        self.browser.run("document.querySelector('.crumbs li:nth-child(2) button').focus()")
        self.browser.press("Enter")
        self.wait_text("#treemap tbody", "mozilla/")
        # One is where one came from.
        self.browser.wait("return document.activeElement.textContent === 'pip/'")

    @needs_mock
    def test_stays_when_it_was_scanned_again(self):
        self.open_row("/home/ada/.cache")
        self.browser.wait("return document.querySelectorAll('#treemap tbody tr').length > 20")
        self.browser.run("""document.querySelector("#treemap tbody [aria-label='Explain mozilla']").focus();
            document.querySelector(".table-holder .scroller").scrollTop = 70;
            window.held = document.activeElement;""")
        # It becomes larger, and the next one has gone.
        cache = self.daemon.any_node(b"/home/ada/.cache")
        self.daemon.any_node(b"/home/ada/.cache/mozilla").bytes += 10 ** 9
        cache.remove(self.daemon.any_node(b"/home/ada/.cache/ccache"))
        cache.children.sort(key=lambda node: -node.bytes)
        self.daemon.scanned += 60
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.browser.wait("return !document.querySelector('#treemap tbody').textContent.includes('ccache')")
        self.assertEqual(self.focused(), "Explain mozilla")
        self.assertEqual(self.browser.run("return document.querySelector('.table-holder .scroller').scrollTop"), 70)
        # What is as it was is not drawn.
        self.browser.run("window.held = document.activeElement")
        self.browser.run("window.drawn = 0; new MutationObserver(() => { drawn += 1; }).observe("
                         "document.querySelector('#treemap tbody'), {childList: true, subtree: true});")
        self.daemon.scanned += 60
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.browser.wait("return !document.querySelector('.stage').classList.contains('loading')")
        self.browser.run_async("const done = arguments[0]; setTimeout(done, 600);")
        self.assertEqual(self.browser.run("return drawn"), 0)
        self.assertTrue(self.browser.run("return document.activeElement === held"))


if __name__ == "__main__":
    unittest.main()
