# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The dashboard in a browser: python3 -m unittest discover -s Tools/Tests/DashboardTests"""

import json
import unittest
from pathlib import Path

from page import PageTest, needs_mock, promise


class FigureTests(PageTest):
    def test_figures_read_as_in_the_commands(self):
        table = json.loads(Path(__file__).with_name("figures.json").read_text())
        wrong = self.browser.run_async("""
            const done = arguments[1];
            import(new URL("app/format.js", location.href)).then((format) => {
              const wrong = [];
              for (const [name, rows] of Object.entries(arguments[0])) {
                if (name === "about") continue;
                for (const row of rows) {
                  const text = format[name](...row.slice(0, -1));
                  if (text !== row.at(-1)) wrong.push([name, row, text]);
                }
              }
              done(wrong);
            });""", table)
        self.assertEqual(wrong, [])


class FirstLookTests(PageTest):
    @promise("R38c")
    def test_four_questions_fit_one_screen(self):
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('#history svg, #history .empty')")
        titles = self.browser.run("return [...document.querySelectorAll('.overview h2')].map((one) => one.textContent)")
        self.assertEqual(titles[:4], ["How full?", "What will happen?", "What can go?", "Where is it?"])
        outside = self.browser.run("""
            return [...document.querySelectorAll(".overview .panel, .volumes, form.free button, .stage, .lately-panel")]
              .filter((one) => one.offsetParent !== null)
              .filter((one) => { const box = one.getBoundingClientRect();
                return box.bottom > innerHeight || box.right > innerWidth || box.height < 10; })
              .map((one) => one.className);""")
        self.assertEqual(outside, [])
        self.assertFalse(self.browser.run("return document.scrollingElement.scrollHeight > innerHeight"))

    @promise("R38c")
    @needs_mock
    def test_figures_are_those_of_the_daemon(self):
        self.wait_text(".chosen-volume", "18.2 GB (7 %) of 252 GB")
        self.wait_text(".chosen-volume", "warning")
        self.wait_text(".chosen-volume", "fills in about 41 days (31–60)")
        self.wait_text("#ladder .temporary", "1.20 GB")
        self.wait_text("#ladder", "still open in clangd 4711")
        self.wait_text("#lately", "Freed 12.9 GB")

    @promise("R38b")
    def test_nothing_comes_from_elsewhere(self):
        self.wait_for_tree()
        origins = self.browser.run("""
            return [...new Set(performance.getEntriesByType("resource").map((one) => new URL(one.name).origin))];""")
        self.assertEqual(origins, [self.browser.run("return location.origin")])

    def test_token_is_not_in_the_address(self):
        self.assertNotIn("token", self.browser.run("return location.href"))

    @needs_mock
    def test_choosing_a_volume_shows_its_history(self):
        self.browser.wait("return document.querySelector('#history svg')")
        self.browser.click(".volumes .volume:nth-child(2)")
        self.wait_text("#history", "There is no history of this volume yet")
        self.wait_text(".chosen-volume", "1.31 TB")

    @needs_mock
    def test_tick_opens_the_receipt(self):
        self.browser.wait("return document.querySelector('#history .tick')")
        self.browser.run("document.querySelector('#history .tick[tabindex=\"0\"]').focus()")
        self.browser.press("ArrowRight", "Enter")
        self.wait_text("dialog .receipt", "Freed")

    @needs_mock
    def test_history_reads_as_a_table(self):
        self.browser.wait("return document.querySelector('#history svg')")
        self.browser.click("#history-table")
        self.wait_text("#history table", "(expected)")
        self.wait_text("#history table", "purge: gained")


class TreemapTests(PageTest):
    def setUp(self):
        super().setUp()
        self.wait_for_tree()

    @promise("R38c")
    @needs_mock
    def test_walks_in_by_mouse_and_out_by_crumbs(self):
        box = self.browser.run("""const box = document.querySelector(".overlay").getBoundingClientRect();
            return [box.left, box.top];""")
        # The header of the first rectangle.
        self.browser.click_at(box[0] + 20, box[1] + 6)
        self.browser.wait("return document.querySelectorAll('.crumbs li').length === 2")
        self.assertEqual(self.crumbs(), ["All", ".cache"])
        self.browser.click(".crumbs li:first-child button")
        self.browser.wait("return document.querySelectorAll('.crumbs li').length === 1")

    @needs_mock
    def test_walks_by_keyboard(self):
        self.enter("/home/ada/.cache")
        self.enter("pip")
        self.assertEqual(self.crumbs()[-1], "pip")
        self.browser.press("Backspace")
        self.browser.wait("return document.querySelectorAll('.crumbs li').length === 2")
        # One is where one came from.
        self.browser.press("e")
        self.wait_text("#explain h2", "pip")
        self.wait_text("#explain dl", "would free")
        # What is not protected has no such line.
        self.assertNotIn("protected", self.browser.text("#explain dl"))
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#explain').hidden")
        self.assertTrue(self.browser.run("return document.activeElement.classList.contains('overlay')"))

    @needs_mock
    def test_reads_as_a_table(self):
        self.browser.click_text("Table", "#treemap-bar")
        self.wait_text("#treemap table", "/home/ada/.cache/")
        self.browser.click_text("/home/ada/.cache/", "#treemap table")
        self.wait_text("#treemap table", "pip/")
        self.wait_text("#treemap table", "in use")

    @needs_mock
    def test_scans_before_anything_is_known(self):
        self.daemon.settings["inventory"] = "none"
        self.open()
        self.wait_text(".message", "Nothing was scanned yet.")
        self.wait_text("#ladder", "Nothing was scanned yet")
        self.browser.click_text("Scan now", ".message")
        self.wait_text("dialog", "1,004,213 items seen.")
        self.browser.click_text("Done", "dialog")
        self.browser.wait("return document.querySelector('.message').hidden")
        self.wait_text("#ladder", "temporary")

    expected_log = ("409 (Conflict)",)


class PurgeTests(PageTest):
    expected_log = ("409 (Conflict)", "404 (Not Found)")

    @needs_mock
    def test_plans_deselects_purges_and_shows_the_receipt(self):
        self.make_plan()
        whole = self.figure()
        self.browser.click("dialog .group:nth-child(3) summary")
        self.browser.wait("return document.querySelector('dialog .group:nth-child(3) tbody input')")
        # The first is one of two names of a file: without it neither frees anything.
        self.browser.click("dialog .group:nth-child(3) tbody input")
        self.browser.wait("return document.querySelector('dialog .frees').textContent.includes('2 taken out')")
        less = self.figure()
        self.assertNotEqual(whole, less)
        plan = next(iter(self.daemon.plans.values()))
        frees = self.daemon.selection(plan)["freesBytes"]
        total = sum(entry["bytes"] for entry in plan["entries"])
        self.assertEqual(total - frees, 700_000_000)
        state = self.browser.run("""const check = document.querySelector("dialog .group:nth-child(3) > input");
            return [check.checked, check.indeterminate];""")
        self.assertEqual(state, [True, True])
        self.wait_text("dialog .group:nth-child(3) tbody tr:nth-child(2)", "stays too, with what was taken out")
        self.assertIn(less, self.browser.text("dialog footer"))
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')?.value > 0.1", what="progress")
        self.wait_text("dialog .receipt", f"Freed {less}")
        self.wait_text("dialog .receipt", "Kept 12: in use 9, changed 3")
        self.assertEqual(self.daemon.receipts[0]["removedCount"], len(plan["entries"]) - 2)
        self.browser.click_text("Done", "dialog")
        self.wait_text("#lately", f"Freed {less}")

    @needs_mock
    def test_deselects_groups_and_selects_one_of_them_again(self):
        self.make_plan()
        self.browser.click("dialog .group:nth-child(1) > input")
        self.browser.wait("return document.querySelector('dialog .frees').textContent.includes('2,600 taken out')")
        self.browser.click("dialog .group:nth-child(1) summary")
        self.browser.wait("return document.querySelectorAll('dialog .group:nth-child(1) tbody input').length === 200")
        self.browser.click("dialog .group:nth-child(1) tbody tr:nth-child(5) input")
        self.browser.wait("return document.querySelector('dialog .frees').textContent.includes('2,599 taken out')")
        self.browser.click_text("Show more", "dialog .group:nth-child(1)")
        self.browser.wait("return document.querySelectorAll('dialog .group:nth-child(1) tbody input').length === 400")
        self.assertEqual(self.browser.run(
            "return document.querySelectorAll('dialog .group:nth-child(1) tbody input:checked').length"), 1)

    @needs_mock
    def test_stops_a_purge(self):
        self.daemon.settings["purgeSeconds"] = 60
        self.make_plan()
        self.figure()
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')?.value > 0")
        self.browser.click_text("Stop", "dialog")
        self.wait_text("dialog .receipt", "It was stopped: the rest stays.")

    @needs_mock
    def test_purge_goes_on_when_its_window_is_closed(self):
        self.daemon.settings["purgeSeconds"] = 4
        self.make_plan()
        self.figure()
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')?.value > 0")
        self.browser.press("Escape")
        self.wait_text("#job", "Purging")
        self.browser.click("#job")
        self.wait_text("dialog .receipt", "Freed", seconds=20)

    @needs_mock
    def test_forgotten_plan_is_made_anew_and_purges_nothing(self):
        self.make_plan()
        self.figure()
        self.browser.click_text("Purge", "dialog footer")
        receipts = len(self.daemon.receipts)
        self.daemon.plans.clear()
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog", "The plan was out of date, and was made anew.")
        self.assertEqual(len(self.daemon.receipts), receipts)
        self.figure()

    @needs_mock
    def test_plan_that_another_browser_has_changed_is_not_purged(self):
        self.make_plan()
        self.figure()
        self.browser.click_text("Purge", "dialog footer")
        name = next(iter(self.daemon.plans))
        self.daemon.select(name, {"entries": [0, 1, 2]})
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog", "The plan was out of date")
        self.assertFalse(any(job["kind"] == "purge" for job in self.daemon.jobs.values()))

    @needs_mock
    def test_more_than_there_is_says_what_is_missing(self):
        self.browser.wait("return document.querySelector('#free-amount')?.value")
        self.browser.run("document.querySelector('#free-amount').value = ''")
        self.browser.click("#free-amount")
        self.browser.type("900 GB")
        self.browser.press("Enter")
        self.wait_text("dialog .warning-text", "Not enough")
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.browser.run("document.querySelector('#free-amount').value = 'much'")
        self.browser.click("#free-amount")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('#free-amount').validationMessage === arguments[0]",
                          "Write an amount with its unit, such as 5 GB or 800 MB.")

    @needs_mock
    def test_what_is_proposed_is_looked_at_and_confirmed_as_every_plan(self):
        self.daemon.settings["mode"] = "ask"
        self.open()
        self.wait_text("#asking", "Waits for your word: 5.00 GB in 71,402 items")
        self.browser.click_text("See what would go", "#asking")
        self.browser.wait("return document.querySelector('dialog .group')", what="the plan")
        whole = self.figure()
        # It has check boxes, and what was taken out stays.
        self.browser.click("dialog .group:nth-child(1) > input")
        self.browser.wait("return document.querySelector('dialog .frees').textContent.includes('taken out')")
        less = self.figure()
        self.assertNotEqual(whole, less)
        self.browser.click_text(f"Purge {less}", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog .receipt", f"Freed {less}")
        self.browser.click_text("Done", "dialog")
        self.browser.wait("return document.querySelector('#asking').hidden")

    @needs_mock
    def test_a_proposal_that_is_over_says_so(self):
        self.daemon.settings["mode"] = "ask"
        self.open()
        self.wait_text("#asking", "Waits for your word")
        # Helped meanwhile, before the page has asked again.
        self.daemon.proposal = None
        self.browser.click_text("See what would go", "#asking")
        self.wait_text("dialog", "What was proposed does not wait any more.")
        self.assertNotIn("Try again", self.browser.text("dialog footer"))
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('#asking').hidden")


class DisposalTests(PageTest):
    expected_log = ("409 (Conflict)",)

    @needs_mock
    def test_throws_a_file_away_and_brings_it_back(self):
        self.wait_for_tree()
        self.browser.run("""const choice = document.querySelector("#tree-view");
            choice.value = "home"; choice.dispatchEvent(new Event("change"));""")
        self.wait_text(".message", "was not scanned yet")
        self.browser.click_text("Look through the home directory", ".message")
        self.wait_text("dialog", "items seen")
        self.browser.click_text("Done", "dialog")
        self.wait_for_tree()
        self.enter("/home/ada")
        self.enter("Documents")
        self.walk_to("old holiday film")
        self.browser.press(" ")
        self.wait_text(".basket", "1 thing chosen, 2.40 GB")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now, 2.40 GB when emptied.")
        self.browser.click_text("Move 1 item to the trash", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 1 item to the trash")
        self.assertEqual(len(self.daemon.trash), 1)
        self.browser.click_text("Undo", "dialog .receipt")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        self.assertEqual(self.daemon.trash, [])

    @needs_mock
    def test_brings_back_from_the_trash(self):
        self.daemon.trash.append({"id": "t1", "path": "/home/ada/Documents/<i>letter</i>.txt", "deleted": "2026-11-01T00:00:00Z",
                                  "expires": "2026-12-01T00:00:00Z", "kind": "file", "restorable": True, "bytes": 4_096})
        self.browser.run("location.hash = '#trash'")
        self.wait_text("#view-trash", "<i>letter</i>.txt")
        self.browser.click("#view-trash tbody input")
        self.browser.click_text("Bring back 1 thing", "#view-trash")
        self.wait_text("#view-trash", "Brought back 1 thing.")
        self.wait_text("#view-trash", "The trash is empty")


class ViewTests(PageTest):
    @promise("R38c")
    @needs_mock
    def test_audit(self):
        self.make_audit()
        self.browser.run("for (const one of document.querySelectorAll('#view-audit details')) one.open = true")
        self.wait_text("#view-audit", "video, protected: complete")
        self.assertIsNone(self.browser.run("return document.querySelector('#view-audit b')"))

    @promise("R36e")
    @needs_mock
    def test_protection_is_explained(self):
        self.make_audit()
        self.browser.run("for (const one of document.querySelectorAll('#view-audit details')) one.open = true")
        self.browser.click_text("/home/ada/Documents/old holiday film.mov", "#view-audit")
        self.wait_text("#explain dl", "protected")
        self.wait_text("#explain dl", "complete, readable while unlocked")

    def test_settings(self):
        self.browser.run("location.hash = '#settings'")
        self.browser.wait("return document.querySelector('#view-settings table')")
        self.wait_text("#view-settings", "mode")

    @needs_mock
    def test_settings_name_file_and_line(self):
        self.browser.run("location.hash = '#settings'")
        self.wait_text("#view-settings", "/etc/headroom/headroom.yaml:3")
        self.browser.click("#settings-filter")
        self.browser.type("areas")
        self.browser.wait(
            "return document.querySelectorAll('#view-settings tbody tr:not([hidden])').length === 3")

    def test_activity(self):
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "Receipts")
        self.wait_text("#view-activity", "Events")

    @needs_mock
    def test_activity_is_whole_when_it_is_what_is_opened_first(self):
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "Events")
        # The receipts come before the status.
        self.daemon.settings["slowAt"] = {"/status": 0.5}
        self.browser.run("location.reload()")
        self.wait_text("#view-activity", "Receipts")
        self.assertNotIn("Nothing happened", self.browser.text("#view-activity"))
        self.wait_text("#view-activity .events", "grew by 2.10 GB in a day")
        self.daemon.settings["slowAt"] = {}
        # And what happens meanwhile is told there as well.
        self.daemon.settings["event"] = "The volume /data was mounted."
        self.wait_text("#view-activity .events", "The volume /data was mounted.")

    @promise("R41f")
    def test_unusual_growth_is_shown_with_its_cause(self):
        told = "~/.cache/pip grew by 2.10 GB in a day; 120 MB is usual. Largest: http-v2/a/3/a31f."
        self.wait_text("#lately", told)
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity .events", told)


if __name__ == "__main__":
    unittest.main()
