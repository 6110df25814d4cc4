# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Cleaning by hand in the page: what is shown, what a choice frees, and that it is cleaned and undone."""

import unittest

from page import ByKeyboard, PageTest, needs_mock, promise
from test_accessibility import AXE, MISSING, LightTests
from test_hardships import NARROW_CHECK, REASONS_CHECK


class CleanPage(PageTest):
    expected_log = ("409 (Conflict)", "404 (Not Found)", "503 (Service Unavailable)")

    def first_page(self):
        super().first_page()
        self.show_clean()

    def show_clean(self):
        self.browser.run("location.hash = 'clean'")
        self.wait_text("#view-clean", "Clean")
        self.wait_text("#view-clean [role=status]", "Seen")

    def section(self, name):
        return f"[data-section={name}]"

    def click(self, selector):
        """Clicks what may lie below the bar with the figure."""
        self.browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.browser.click(selector)

    def unfold(self, name):
        self.click(f"{self.section(name)} summary")
        self.browser.wait("return document.querySelector(arguments[0]).checkVisibility()", f"{self.section(name)} tbody tr")

    def choose(self, name):
        """Clicks the box of something by its name."""
        self.browser.run("""
            const box = [...document.querySelectorAll("#view-clean tbody input")]
              .find((one) => one.getAttribute("aria-label").startsWith("Choose " + arguments[0]));
            box.scrollIntoView({block: "center"}); box.click();""", name)

    def line(self):
        """The figure, when it has settled."""
        self.browser.wait("return document.querySelector('#view-clean .frees:not(.pending)')")
        return self.browser.text("#view-clean .frees")

    def until_line(self, text):
        self.wait_text("#view-clean .frees:not(.pending)", text)

    def clean(self):
        self.browser.click_text("Clean…", "#view-clean .clean-bar")
        self.browser.wait("return document.querySelector('dialog .frees .figure')", what="the confirmation")


@needs_mock
class CleanTests(CleanPage):
    def test_sections_have_bars_and_sizes(self):
        shown = self.browser.run("""
            return [...document.querySelectorAll("#view-clean .clean-section")].filter((one) => !one.hidden)
              .map((one) => one.querySelector("summary").textContent);""")
        self.assertEqual([text[:12] for text in shown],
                         ["System cache", "Modules380 M", "Directories4", "Downloads1.2", "Videos5.30 G", "Trash640 MB,"])
        widths = self.browser.run("""
            return [...document.querySelectorAll("#view-clean .share .filled")].map((one) => one.offsetWidth);""")
        self.assertGreater(widths[0], widths[2])
        self.assertEqual(self.line(), "Choose what is to go.")
        self.assertTrue(self.browser.run("return document.querySelector('.clean-bar .danger').disabled"))
        # The list scrolls, and the figure stays.
        self.unfold("trash")
        self.assertEqual(self.browser.run("return scrollY"), 0)
        self.assertFalse(self.browser.run("return document.scrollingElement.scrollHeight > innerHeight"))

    @promise("R31e")
    def test_one_figure_is_the_daemons(self):
        self.unfold("caches")
        self.choose("linked-one")
        self.until_line("frees 0 B now, 0 B when the trash is emptied")
        self.wait_text(".clean-bar", "1 item deleted. 1 of these frees nothing: its file has another name, which stays.")
        self.clean()
        # It goes all the same, since it was chosen.
        self.wait_text("dialog h2", "Delete 1 item?")
        self.assertIn("1 of these frees nothing", self.browser.text("dialog"))
        self.browser.click_text("Cancel", "dialog footer")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.until_line("frees 0 B now")
        self.choose("linked-two")
        self.until_line("frees 700 MB now")
        self.assertNotIn("frees nothing", self.browser.text(".clean-bar"))
        self.unfold("video")
        self.choose("old holiday film.mov")
        self.until_line("frees 700 MB now, 2.40 GB when the trash is emptied")
        self.choose("in use.mkv")
        self.wait_text(".clean-bar", "1 thing cannot be moved there")
        # Looking leaves nothing behind that could be confirmed.
        self.assertEqual((self.daemon.plans, self.daemon.disposals), ({}, {}))

    @promise("R31e")
    def test_what_was_chosen_is_cleaned_and_a_file_comes_back(self):
        self.daemon.settings["purgeSeconds"] = 0.3
        self.unfold("caches")
        self.choose("pip")
        self.unfold("video")
        self.choose("old holiday film.mov")
        self.until_line("frees 4.10 GB now, 2.40 GB when the trash is emptied")
        self.clean()
        self.wait_text("dialog h2", "Delete 1 item, move 1 file to the trash?")
        self.assertEqual(self.browser.text("dialog .frees"), "frees 4.10 GB now, 2.40 GB when the trash is emptied")
        self.browser.click_text("Delete 1 item", "dialog footer")
        self.wait_text("dialog h2", "Cleaned")
        self.wait_text("dialog", "Freed 4.10 GB")
        self.wait_text("dialog", "Moved 1 item to the trash: frees 0 now, 2.40 GB when emptied.")
        self.assertEqual(len(self.daemon.trash), 1)
        self.browser.click_text("Undo", "dialog")
        self.wait_text("dialog", "Brought back 1 item.")
        self.browser.click_text("Done", "dialog footer")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.daemon.trash, [])
        self.assertEqual(self.line(), "Choose what is to go.")
        self.wait_text("[data-section=video]", "old holiday film.mov")
        names = self.browser.text("[data-section=caches] tbody")
        self.assertNotIn("pip", names)
        self.assertIn("SwiftPM", names)

    def test_deep_clean_is_everything_that_can_be_made_again(self):
        self.browser.click("#clean-deep")
        self.wait_text("#view-clean .frees:not(.pending)", "GB now, 0 B when the trash is emptied")
        state = self.browser.run("""
            const of = (name) => document.querySelector(`[data-section=${name}] > input`);
            return ["caches", "modules", "directories", "video", "trash"]
              .map((name) => [of(name).checked, of(name).disabled]);""")
        self.assertEqual(state, [[True, True]] * 3 + [[False, False]] * 2)
        self.assertIn("and 380 MB are asked of 2 modules, by their own measure", self.line())
        self.unfold("trash")
        before = self.line()
        self.choose("letters")
        self.browser.wait("return document.querySelector('#view-clean .frees:not(.pending)')?.textContent !== arguments[0]",
                          before)
        self.clean()
        self.browser.click_text("Cancel", "dialog footer")
        # Nobody can confirm it any more.
        self.browser.wait("return document.querySelector('dialog') === null")
        self.browser.click_text("Choose nothing")
        self.until_line("Choose what is to go.")
        self.assertEqual(len(self.daemon.cleanables.sections["trash"].children), 1)

    @promise("R31e")
    def test_modules_that_were_chosen_are_asked_and_say_what_they_did(self):
        self.daemon.settings["purgeSeconds"] = 1.5
        self.unfold("modules")
        # One that does not say what it holds cannot be chosen, and says why.
        self.assertEqual(self.browser.run("return document.querySelectorAll('[data-section=modules] tbody input').length"), 2)
        self.assertIn("did not say in its time what it holds", self.browser.text("[data-section=modules] tbody"))
        self.assertIn("not to be asked now", self.browser.text("[data-section=modules] tbody"))
        self.choose("Map tiles, quota 500 MB")
        self.until_line("frees 0 B now, 0 B when the trash is emptied, and 300 MB are asked of 1 module, by its own measure")
        self.wait_text(".clean-bar", "1 module asked to clean.")
        self.choose("Mail")
        self.until_line("and 380 MB are asked of 2 modules")
        self.assertEqual(self.daemon.cleanables.runs, {}, "looking leaves nothing that could be confirmed")
        self.clean()
        self.wait_text("dialog h2", "Ask 2 modules to clean?")
        self.assertEqual(self.browser.text("dialog table[aria-label='Modules that are asked']"), "300 MBMap tiles80.0 MBMail")
        self.shot("1-confirmation")
        self.browser.click_text("Ask 2 modules", "dialog footer")
        self.wait_text("dialog .place", "Cleaning: Map tiles")
        self.wait_text("dialog h2", "Cleaned, but 1 module failed")
        self.shot("2-cleaned")
        self.wait_text("dialog", "Modules freed 280 MB. By their own measure.")
        self.wait_text("dialog", "Map tiles: freed 280 MB, 20 MB in use")
        self.assertEqual(self.browser.text("dialog .module-results .warning-text"),
                         "Mail: failed: mail-clean ended with exit code 3.")
        self.browser.click_text("Done", "dialog footer")
        self.wait_text("[data-section=modules] summary", "Modules100 MB, 3 modules")

    @promise("R31e")
    def test_modules_are_asked_last_and_not_after_a_stop(self):
        self.daemon.settings["purgeSeconds"] = 20
        self.unfold("caches")
        self.choose("pip")
        self.unfold("modules")
        self.choose("Map tiles")
        self.until_line("frees 4.10 GB now, 0 B when the trash is emptied, and 300 MB are asked of 1 module")
        self.clean()
        self.browser.click_text("Delete 1 item, ask 1 module to clean", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')", what="the progress")
        self.browser.click_text("Stop", "dialog footer")
        self.wait_text("dialog h2", "Stopped")
        self.wait_text("dialog", "It was stopped: no module was asked.")
        self.assertEqual([job["kind"] for job in self.daemon.jobs.values()], ["purge"])

    def test_a_whole_section_and_the_rest_of_it(self):
        self.unfold("caches")
        rows = "return document.querySelectorAll('[data-section=caches] tbody tr').length"
        self.assertEqual(self.browser.run(rows), 100)
        self.click("[data-section=caches] button.quiet:not(.path)")
        self.browser.wait(f"{rows.replace('.length', '.length > 100')}")
        self.click("[data-section=caches] > input")
        self.until_line("GB now")
        # What only its own tool cleans cannot be chosen.
        count = self.browser.run("return document.querySelectorAll('[data-section=caches] tbody input').length")
        self.assertEqual(count, self.browser.run(rows) - 1)
        self.wait_text(".clean-bar", f"{count} items deleted")
        self.choose("pip")
        self.wait_text(".clean-bar", f"{count - 1} items deleted")
        self.assertTrue(self.browser.run("return document.querySelector('[data-section=caches] > input').indeterminate"))

    def test_names_are_only_ever_text(self):
        self.unfold("video")
        text = self.browser.text("[data-section=video] tbody")
        for part in ("<img src=x onerror=document.title='owned'>", "\\xFF\\xFE not utf-8 \\x80.bin", "\\u{202E}gnp.exe",
                     "line\\x0Abreak\\x1B[31mred", "\u05e9\u05dc\u05d5\u05dd", "100% & a+b #1?.txt"):
            self.assertIn(part, text)
        self.assertIsNone(self.browser.run("return document.querySelector('#page img, #page script')"))
        # Each can be chosen, whatever its name is.
        self.click("[data-section=video] > input")
        self.wait_text(".clean-bar", "11 files moved to the trash, 1 thing cannot be moved there.")


@needs_mock
class HardshipTests(CleanPage):
    def test_more_is_found_while_somebody_chooses(self):
        self.daemon.settings["searching"] = True
        self.open()
        self.browser.run("location.hash = 'clean'")
        self.wait_text("#view-clean [role=status]", "Looking for what can be cleaned…")
        self.unfold("caches")
        self.choose("pip")
        self.until_line("frees 4.10 GB now")
        self.daemon.settings["searching"] = False
        self.wait_text("#view-clean [role=status]", "Seen")
        self.assertEqual(self.line(), "frees 4.10 GB now, 0 B when the trash is emptied")
        self.browser.run("document.activeElement.blur()")
        self.browser.wait("return document.querySelectorAll('[data-section=caches] tbody tr').length === 100")
        self.assertTrue(self.browser.run("""
            return [...document.querySelectorAll("#view-clean tbody input")]
              .find((one) => one.getAttribute("aria-label") === "Choose pip, downloads them again").checked;"""))

    def test_there_is_nothing(self):
        self.daemon.settings["nothing"] = True
        self.browser.click_text("Look again", "#view-clean")
        self.wait_text("#view-clean .empty", "There is nothing to clean")
        self.browser.wait("return document.querySelector('#view-clean .empty').checkVisibility()")

    @promise("R31e")
    def test_a_choice_that_is_gone_is_made_again(self):
        self.unfold("caches")
        self.choose("pip")
        self.until_line("frees 4.10 GB")
        caches = self.daemon.cleanables.sections["caches"]
        caches.remove(next(node for node in caches.children if node.more.get("label") == "SwiftPM"))
        self.choose("SwiftPM")
        self.until_line("What you had chosen is not all there any more. Choose again.")
        self.assertTrue(self.browser.run("return document.querySelector('.clean-bar .danger').disabled"))

    def test_what_was_shown_and_is_no_longer_so_is_shown_anew(self):
        self.unfold("caches")
        self.choose("pip")
        self.until_line("frees 4.10 GB")
        self.clean()
        self.daemon.plans.clear()
        self.browser.click_text("Delete 1 item", "dialog footer")
        self.wait_text("dialog", "This plan is not known any more.")
        self.wait_text("dialog h2", "Delete 1 item?")
        self.browser.click_text("Delete 1 item", "dialog footer")
        self.wait_text("dialog", "Freed 4.10 GB")

    def test_modules_that_were_shown_and_are_no_longer_known_are_shown_anew(self):
        self.daemon.settings["purgeSeconds"] = 0.3
        self.unfold("modules")
        self.choose("Map tiles")
        self.until_line("are asked of 1 module")
        self.clean()
        self.daemon.cleanables.runs.clear()
        self.browser.click_text("Ask 1 module", "dialog footer")
        self.wait_text("dialog", "What was confirmed is not known any more.")
        self.assertEqual(self.daemon.jobs, {})
        self.wait_text("dialog h2", "Ask 1 module to clean?")
        self.browser.click_text("Ask 1 module", "dialog footer")
        self.wait_text("dialog", "Modules freed 280 MB.")

    def test_what_cannot_be_chosen_any_more_leaves_the_choice(self):
        self.unfold("caches")
        self.choose("pip")
        self.unfold("modules")
        self.choose("Map tiles")
        self.until_line("frees 4.10 GB now, 0 B when the trash is emptied, and 300 MB are asked of 1 module")
        tiles = next(node for node in self.daemon.cleanables.sections["modules"].children if node.name == b"tiles")
        tiles.bytes = 0
        self.browser.click_text("Look again", "#view-clean")
        self.wait_text("#view-clean", "or has nothing left to clean")
        self.browser.wait("return !document.querySelector('#view-clean .frees').textContent.includes('asked')")
        self.assertIn("frees 4.10 GB now", self.line())
        self.clean()
        self.wait_text("dialog h2", "Delete 1 item?")

    def test_an_error_is_a_sentence(self):
        self.daemon.settings["fail"] = 503
        self.browser.click_text("Look again", "#view-clean")
        self.wait_text("#view-clean .trouble", "A mistake in Headroom.")
        self.daemon.settings["fail"] = 0
        self.browser.click_text("Try again", "#view-clean")
        self.wait_text("#view-clean [role=status]", "Seen")
        self.browser.wait("return document.querySelector('#view-clean .trouble') === null")


@needs_mock
class KeyboardTests(ByKeyboard, CleanPage):
    @promise("R31e")
    def test_chosen_and_cleaned_by_keys_alone(self):
        self.daemon.settings["purgeSeconds"] = 0.3
        self.tab_to("Deep clean")
        self.tab_to("Downloads: all that is listed")
        self.tab_to("Downloads1.29 GB")
        self.browser.press("Enter")
        self.tab_to("Choose installer.iso")
        self.browser.press("Space")
        self.until_line("frees 0 B now, 1.20 GB when the trash is emptied")
        self.tab_to("Clean…")
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Move 1 file to the trash?")
        # Who presses Enter once too often cleans nothing.
        self.assertEqual(self.focused(), "Cancel")
        self.tab_to("Move 1 file", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Cleaned")
        self.tab_to("Undo")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.daemon.trash, [])

    def test_a_module_is_chosen_and_asked_by_keys_alone(self):
        self.daemon.settings["purgeSeconds"] = 0.3
        self.tab_to("Modules: all that is listed")
        self.tab_to("Modules380 MB")
        self.browser.press("Enter")
        self.tab_to("Choose Map tiles, quota 500 MB")
        self.browser.press("Space")
        self.until_line("300 MB are asked of 1 module")
        self.tab_to("Clean…")
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Ask 1 module to clean?")
        self.assertEqual(self.focused(), "Cancel")
        self.tab_to("Ask 1 module to clean", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Cleaned")

    def test_every_control_has_a_name(self):
        for name in ("caches", "modules", "video", "trash"):
            self.unfold(name)
        nameless = self.browser.run("""
            return [...document.querySelectorAll("#view-clean :is(button, a[href], input, summary)")]
              .filter((one) => one.offsetParent !== null)
              .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
              .map((one) => one.outerHTML);""")
        self.assertEqual(nameless, [])


@needs_mock
class NarrowTests(CleanPage):
    width, height = 390, 844

    def test_nothing_lies_outside(self):
        for name in ("caches", "modules", "video", "downloads"):
            self.unfold(name)
        count, wrong = self.browser.run(REASONS_CHECK)
        self.assertGreater(count, 100)
        self.assertEqual(wrong, [])
        self.choose("pip")
        self.choose("Map tiles")
        self.until_line("frees 4.10 GB now, 0 B when the trash is emptied, and 300 MB")
        self.assertEqual(self.browser.run(NARROW_CHECK), [])
        self.assertFalse(self.browser.run("return document.scrollingElement.scrollWidth > innerWidth"))
        self.clean()
        self.assertEqual(self.browser.run(NARROW_CHECK), [])


@needs_mock
@unittest.skipUnless(AXE, MISSING)
class AxeTests(CleanPage):
    check = LightTests.check

    def test_view_and_windows(self):
        for name in ("caches", "modules", "video"):
            self.unfold(name)
        self.check("view")
        self.choose("pip")
        self.choose("in use.mkv")
        self.choose("Mail")
        self.until_line("frees 4.10 GB now, 0 B when the trash is emptied, and 80.0 MB")
        self.check("chosen")
        self.clean()
        self.check("confirmation")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog h2", "Cleaned")
        self.check("result")


class DarkAxeTests(AxeTests):
    dark = True


class PhoneAxeTests(AxeTests):
    width, height = 390, 844


# They are those of their own file.
del LightTests


if __name__ == "__main__":
    unittest.main()
