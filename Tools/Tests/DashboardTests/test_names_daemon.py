# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Names that break pages, with the real program behind the page, and files on the disk that have them."""

import os
import unittest

from daemon_page import DaemonTest
from page import promise


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
            home.file(b".cache/thumbnails/names/" + name, 200_000 + 4096 * number)
        home.file(b".cache/d\xe9p\xf4t/" + b"\xe9" * 255 + b"/inside", 300_000)

    def open_names(self):
        self.wait_for_tree()
        self.enter(str(self.home.path / ".cache"))
        self.enter("thumbnails")
        self.enter("names")
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return document.querySelectorAll('#treemap tbody tr').length === arguments[0]", len(self.names))

    @promise("R38c", "R38g")
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
            self.assertIn(b".cache/thumbnails/names/" + name, staying)
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


if __name__ == "__main__":
    unittest.main()
