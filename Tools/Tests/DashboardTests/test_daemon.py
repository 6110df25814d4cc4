# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The page with the real program behind it, as somebody new to it would try it: what was confirmed goes, and
nothing else, by what is on the disk afterwards."""

import os
import re
import unittest

import daemon
from page import ByKeyboard, PageTest

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
        foreign = [address for _, address in self.requests() if not address.startswith(own)]
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


class JourneyTests(DaemonTest):
    """From the first look to the receipt, and a file that was thrown away and comes back."""

    def fill(self, home):
        super().fill(home)
        # Enough for the progress to be seen.
        for number in range(12_000):
            home.file(f".cache/thumbs/{number % 200}/{number}.png", content=b"x" * 100)

    def watch_progress(self):
        self.browser.run("""
            window.shares = []; window.words = new Set();
            new MutationObserver(() => {
              const bar = document.querySelector("dialog progress");
              if (!bar) return;
              if (bar.hasAttribute("value")) shares.push(bar.value);
              words.add(document.querySelector("dialog .progress-words").textContent);
            }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});""")

    def test_from_the_first_look_to_the_receipt(self):
        before = self.home.listing()
        self.wait_text(".chosen-volume", "GB")
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('.rungs .cache')")
        self.shot("1-first-look")

        # Where is it?
        self.enter(str(self.home.path / ".cache"))
        self.enter("pip")
        self.assertEqual(self.crumbs()[-1], "pip")
        self.browser.press("Backspace")
        self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith('.cache')")
        self.walk_to("pip")
        self.browser.press("e")
        self.wait_text("#explain dl", "would free")
        self.shot("2-explained")
        self.browser.press("Escape")

        # What would go?
        whole = self.ask_for("50 MB")
        self.open_group("Cache")
        kept = self.take_out()
        self.shot("3-plan")
        less = self.figure()
        self.assertNotEqual(whole, less)
        entries = self.program.entries(self.shown_plan())
        going = {self.relative(entry["name"]) for entry in entries.values() if entry["selected"]}
        self.assertNotIn(self.relative(kept.encode()), going)
        self.assertEqual(self.home.listing(), before, "looking and planning change nothing")

        # It goes.
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        self.shot("4-confirmation")
        self.watch_progress()
        with self.program.slowly():
            self.browser.click_text("Delete", "dialog footer")
            self.browser.wait("return shares.some(share => 0 < share && share < 1)", seconds=60, what="progress")
            self.shot("5-progress")
        self.wait_text("dialog .receipt", f"Freed {less}", seconds=60)
        self.shot("6-receipt")
        shares = self.browser.run("return shares")
        self.assertEqual(shares, sorted(shares), "it never goes back")

        self.assert_gone(before, going)
        self.assertTrue(os.path.lexists(kept))
        receipt = self.program.ask("GET", "/receipts")["receipts"][0]
        self.assertEqual(receipt["skippedCount"], 0)
        self.assertEqual(receipt["undoable"], False)

        # And the page says so.
        self.browser.click_text("Done", "dialog")
        self.wait_text("#lately", f"Freed {less}")
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "purge")
        self.shot("7-activity")

    def test_a_file_is_thrown_away_and_comes_back(self):
        self.wait_for_tree()
        before = self.home.listing()
        self.show_whole_home()
        self.enter(str(self.home.path))
        self.shot("1-home")
        self.enter("Documents")
        self.walk_to("letter to Grandmother")
        self.browser.press(" ")
        self.wait_text(".basket", "1 thing chosen")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now")
        self.shot("2-question")
        self.assertEqual(self.home.listing(), before)
        self.browser.click_text("Move 1 item to the trash", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 1 item to the trash")
        self.shot("3-moved")
        self.assertFalse(self.home.exists("Documents/letter to Grandmother.txt"))
        trashed = self.home.listing()
        self.assertEqual(trashed[b".local/share/Trash/files/letter to Grandmother.txt"],
                         before[b"Documents/letter to Grandmother.txt"], "as it was, in the trash")
        self.assertTrue(self.program.ask("GET", "/receipts")["receipts"][0]["undoable"])

        self.browser.click_text("Undo", "dialog .receipt")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        self.assertEqual(self.browser.text("dialog h2"), "Brought back")
        self.assertIsNone(self.browser.run("return [...document.querySelectorAll('dialog button')]"
                                           ".find((one) => one.textContent.startsWith('Undo')) ?? null"))
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if not name.startswith(b".local")}, before)
        self.assertEqual([name for name, about in after.items() if name not in before and about[0] == "file"], [])

        # Nor does anybody offer to undo it once more.
        self.browser.click_text("Done", "dialog")
        receipts = self.program.ask("GET", "/receipts")["receipts"]
        self.assertEqual([(one["kind"], one["undoable"]) for one in receipts],
                         [("restoration", False), ("disposal", False)])
        self.browser.run("location.hash = '#activity'")
        self.wait_text("#view-activity", "brought back")
        self.assertNotIn("can be undone", self.browser.text("#view-activity"))
        self.browser.click("#view-activity tbody tr:nth-child(2) button.path")
        self.wait_text("dialog .receipt", "Moved 1 item to the trash")
        self.assertNotIn("Undo", self.browser.text("dialog"))

    def test_brings_one_of_two_back_from_the_trash(self):
        self.wait_for_tree()
        before = self.home.listing()
        self.show_whole_home()
        self.enter(str(self.home.path))
        self.enter("Documents")
        for name in ("letter to Grandmother", "film of 1998"):
            self.walk_to(name)
            self.browser.press(" ")
        self.wait_text(".basket", "2 things chosen")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now")
        self.browser.click_text("Move 2 items to the trash", "dialog footer")
        self.wait_text("dialog .receipt", "Moved 2 items to the trash")
        self.browser.click_text("Done", "dialog")
        self.browser.run("location.hash = '#trash'")
        self.wait_text("#view-trash", "film of 1998.mkv")
        self.shot()
        self.browser.run("[...document.querySelectorAll('#view-trash tbody tr')]"
                         ".find((one) => one.textContent.includes('film')).querySelector('input').click()")
        self.browser.click_text("Bring back 1 thing", "#view-trash")
        self.wait_text("#view-trash", "Brought back 1 thing.")
        after = self.home.listing()
        self.assertEqual(after[b"Documents/film of 1998.mkv"], before[b"Documents/film of 1998.mkv"])
        self.assertNotIn(b"Documents/letter to Grandmother.txt", after)
        # Half of it can be undone still.
        self.assertTrue(self.program.ask("GET", "/receipts")["receipts"][0]["undoable"])


class DarkJourneyTests(JourneyTests):
    dark = True


class PhoneJourneyTests(JourneyTests):
    width, height = 390, 844


class KeyboardTests(ByKeyboard, DaemonTest):
    def test_from_the_first_look_to_the_receipt(self):
        before = self.home.listing()
        self.wait_for_tree()
        self.browser.wait("return document.querySelector('.rungs .cache')")
        self.tab_to("To the contents")
        self.tab_to("How much to free")
        self.browser.press("End", *["ArrowLeft"] * 5)
        self.tab_to("Show plan")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog .group')")
        self.assertTrue(self.in_dialog())
        whole = self.figure()
        # The box of the group, and then what opens it.
        self.tab_to("Cache")
        self.browser.press("Tab", "Enter")
        self.browser.wait("return document.querySelector('dialog details[open] tbody input')")
        self.tab_to("Let ")
        kept = self.browser.run("return document.activeElement.closest('tr').querySelector('.name').title")
        self.browser.press("Space")
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending)')?.textContent.includes('taken out')")
        less = self.figure()
        self.assertNotEqual(whole, less)
        going = {self.relative(entry["name"]) for entry in self.program.entries(self.shown_plan()).values()
                 if entry["selected"]}
        self.tab_to("Purge", key="Shift+Tab")
        self.browser.press("Enter")
        self.wait_text("dialog h2", "Delete")
        self.assertEqual(self.focused(), "Back", "who presses Enter once too often deletes nothing")
        self.tab_to("Delete", most=3)
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", f"Freed {less}", seconds=30)
        self.assert_gone(before, going)
        self.assertTrue(os.path.lexists(kept))
        self.tab_to("Done")
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('dialog') === null")
        self.assertEqual(self.focused(), "Show plan")

    def test_from_the_treemap_to_the_trash_and_back(self):
        before = self.home.listing()
        self.wait_for_tree()
        self.tab_to("what may go")
        self.browser.press("ArrowDown")
        self.browser.wait("return document.querySelector('.crumbs').textContent === 'Home'", seconds=20)
        self.tab_to("Treemap of")
        for path, name in ((str(self.home.path), "home"), ("Documents", "Documents")):
            self.steer_to(path)
            self.browser.press("Enter")
            self.browser.wait("return document.querySelector('.crumbs').textContent.endsWith(arguments[0])", name)
        self.steer_to("letter to Grandmother")
        self.browser.press("e")
        self.wait_text("#explain", "never")
        self.browser.press("Escape")
        self.browser.press("Space")
        self.wait_text(".basket", "1 thing chosen")
        self.tab_to("Move to trash")
        self.browser.press("Enter")
        self.wait_text("dialog", "Frees 0 now")
        self.tab_to("Move 1 item")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Moved 1 item")
        self.assertFalse(self.home.exists("Documents/letter to Grandmother.txt"))
        self.tab_to("Undo")
        self.browser.press("Enter")
        self.wait_text("dialog .receipt", "Brought back 1 item.")
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if not name.startswith(b".local")}, before)
        self.browser.press("Escape")
        self.browser.wait("return document.querySelector('dialog') === null")


class TwoBrowserTests(DaemonTest):
    expected_log = ("409 (Conflict)", "404 (Not Found)")

    def second(self):
        """The same page in another window."""
        mine, self.browser = self.browser, self.new_browser()
        self.open()
        self.browser.wait("return document.querySelector('#free-amount')?.value")
        other, self.browser = self.browser, mine
        return other

    def test_what_another_has_changed_is_not_purged(self):
        before = self.home.listing()
        other = self.second()
        self.ask_for("30 MB")
        self.open_group("Cache")
        plan = self.shown_plan()
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        changed = other.run_async("""
            const [plan, done] = arguments;
            fetch(`api/v1/plans/${plan}/selection`, {
              method: "PUT", body: JSON.stringify({entries: [0, 1]}), headers: {
                "Content-Type": "application/json",
                Authorization: `Bearer ${sessionStorage.getItem("headroom-token")}`},
            }).then((answer) => done(answer.status));""", plan)
        self.assertEqual(changed, 200)
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog", "The plan was out of date, and was made anew.")
        self.shot()
        self.assertEqual(self.home.listing(), before)
        self.assertEqual(self.program.ask("GET", "/receipts")["receipts"], [])
        # The new one is whole, and can be read and confirmed.
        self.figure()
        self.assertFalse(self.browser.run("return document.querySelector('dialog .danger').disabled"))

    def test_what_another_has_purged_and_was_made_anew_stays(self):
        self.ask_for("1 GB")
        self.browser.click_text("Purge", "dialog footer")
        self.wait_text("dialog h2", "Delete")
        mine, self.browser = self.browser, self.second()
        self.ask_for("1 GB")
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog .receipt", "Freed", seconds=30)
        self.browser = mine
        # Programs fill their caches anew, under the names that the first still shows.
        for number in range(6):
            self.home.file(f".cache/pip/http-v2/{number:x}/wheel-{number}", 100_000)
        before = self.home.listing()
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog .receipt, dialog .notice')", seconds=30)
        self.shot()
        self.assertEqual(self.home.listing(), before, "what was not shown does not go")

    def test_only_one_purges_at_a_time(self):
        for number in range(8_000):
            self.home.file(f".cache/many/{number % 100}/{number}", content=b"x")
        self.program.ask("POST", "/scans", {"view": "areas"})
        other = self.second()
        for browser in (self.browser, other):
            mine, self.browser = self.browser, browser
            self.ask_for("1 GB")
            self.browser.click_text("Purge", "dialog footer")
            self.wait_text("dialog h2", "Delete")
            self.browser = mine
        self.browser.click_text("Delete", "dialog footer")
        other.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog .receipt')", seconds=60)
        other.wait("return document.querySelector('dialog .trouble, dialog .receipt')", seconds=60)
        purges = [one for one in self.program.ask("GET", "/receipts")["receipts"] if one["kind"] == "purge"]
        self.assertEqual(sum(one["removedCount"] > 0 for one in purges), 1)


class NamesTests(DaemonTest):
    """Names that are no text, go from right to left, are as long as they can be, or look like markup."""

    names = [
        b"caf\xe9 (latin-1).bin", b"\xff\xfe\x80", "שלום עולם.txt".encode(), "\u202egnp.exe".encode(),
        b"n" * 255, "ü".encode() * 127, b"<img src=x onerror=document.title='owned'>.html",
        b"<script>document.title='owned'<!--", b"line\nbreak\x1b[31mred", b"100% & a+b #1?.txt", b" leading and trailing ",
        b"quote\"'`\\$(id)", "👩‍👩‍👧‍👦 family.png".encode(), b"-rf", b"..a", b"~",
    ]

    def fill(self, home):
        super().fill(home)
        for number, name in enumerate(self.names):
            home.file(b".cache/names/" + name, 200_000 + 4096 * number)
        home.file(b".cache/d\xe9p\xf4t/" + b"\xe9" * 255 + b"/inside", 300_000)

    def open_names(self):
        self.wait_for_tree()
        self.enter(str(self.home.path / ".cache"))
        self.enter("names")
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return document.querySelectorAll('#treemap tbody tr').length === arguments[0]", len(self.names))

    def test_each_can_be_explained(self):
        self.open_names()
        self.shot()
        seen = set()
        for row in range(len(self.names)):
            name = self.browser.run("""
                const row = document.querySelectorAll("#treemap tbody tr")[arguments[0]];
                row.querySelector("button.quiet").click();
                return row.querySelector(".name").title;""", row)
            seen.add(name)
            self.browser.wait("""return document.querySelector("#explain dl")
                && document.querySelector("#explain h2").textContent === arguments[0]""", name, what=f"{name!r}")
            self.assertIsNone(self.browser.run("return document.querySelector('#explain .trouble')"), name)
            self.assertIn("would free", self.browser.text("#explain dl"), name)
        self.assertEqual(len(seen), len(self.names), "each is told from the others")
        self.assertNotEqual(self.browser.run("return document.title"), "owned")
        self.assertIsNone(self.browser.run("return document.querySelector('#page img, #page script')"))

    def test_directories_that_are_no_text_open(self):
        self.wait_for_tree()
        self.enter(str(self.home.path / ".cache"))
        self.enter("d\\xE9p\\xF4t")
        self.enter("\\xE9")
        self.assertEqual(self.crumbs()[2], "d\\xE9p\\xF4t", "the way to it as well")
        self.walk_to("inside")
        self.browser.press("e")
        self.wait_text("#explain dl", "would free")

    def test_those_that_are_taken_out_stay_and_the_others_go(self):
        before = self.home.listing()
        self.ask_for("1 GB")
        self.open_group("Cache")
        self.browser.run("const sort = document.querySelector('#plan-sort'); sort.value = 'bytes';"
                         " sort.dispatchEvent(new Event('change'))")
        kept = ["caf\\xE9 (latin-1).bin", "\\xFF\\xFE\\x80", "<img src=x", "n" * 255, "line\\x0Abreak"]
        for part in kept:
            found = self.browser.wait("""
                const row = [...document.querySelectorAll("dialog details[open] tbody tr")]
                  .find((one) => one.querySelector(".name")?.title.includes(arguments[0]));
                if (!row) {
                  const more = [...document.querySelectorAll("dialog details[open] button")]
                    .find((one) => one.textContent.startsWith("Show more") && !one.disabled);
                  more?.click();
                  return false;
                }
                row.querySelector("input").click();
                return true;""", f"/names/{part}", what=f"{part!r} in the plan")
            self.assertTrue(found)
        self.browser.wait("return document.querySelector('dialog .frees:not(.pending)')?.textContent"
                          ".includes('taken out')")
        self.figure()
        self.assertFalse(self.browser.run(
            "const body = document.querySelector('.dialog-body'); return body.scrollWidth > body.clientWidth"))
        self.shot("plan")
        entries = self.program.entries(self.shown_plan())
        staying = {self.relative(entry["name"]) for entry in entries.values() if not entry["selected"]}
        for name in (self.names[0], self.names[1], self.names[6], self.names[4], self.names[8]):
            self.assertIn(b".cache/names/" + name, staying)
        going = {self.relative(entry["name"]) for entry in entries.values() if entry["selected"]}
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog .receipt", "Freed", seconds=30)
        self.shot("receipt")
        self.assert_gone(before, going)

    def test_each_can_be_thrown_away_and_comes_back(self):
        for name in self.names:
            self.home.file(b"Documents/names/" + name, 50_000)
        before = self.home.listing()
        self.wait_for_tree()
        self.show_whole_home()
        for name in (str(self.home.path), "Documents", "names"):
            self.enter(name)
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return document.querySelectorAll('#treemap tbody tr').length === arguments[0]", len(self.names))
        self.browser.run("for (const one of document.querySelectorAll('#treemap tbody input')) one.click()")
        self.wait_text(".basket", f"{len(self.names)} things chosen")
        self.browser.click_text("Move to trash…", ".basket")
        self.wait_text("dialog", "Frees 0 now")
        self.browser.click_text(f"Move {len(self.names)} items to the trash", "dialog footer")
        self.wait_text("dialog .receipt", f"Moved {len(self.names)} items to the trash")
        self.assertEqual(os.listdir(os.fsencode(self.home.path / "Documents/names")), [])
        self.browser.click_text("Undo", "dialog .receipt")
        self.wait_text("dialog .receipt", f"Brought back {len(self.names)} items.")
        after = self.home.listing()
        self.assertEqual({name: about for name, about in after.items() if not name.startswith(b".local")}, before)


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
            self.home.file(f".cache/many/{number % 100}/{number}", content=b"x")
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
        self.assertGreater(len([name for name in after if name.startswith(b".cache/many/")]), 0, "it was cut off")


if __name__ == "__main__":
    unittest.main()
