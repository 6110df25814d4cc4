# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Cleaning by hand with the real program behind the page: what was chosen goes, by what is on the disk."""

import json
import os
import time
import unittest

from daemon_page import DaemonTest
from page import promise


class CleanDaemonTest(DaemonTest):
    def choose(self, section, name):
        """Opens a section, and chooses something of it."""
        self.browser.run("""
            const details = document.querySelector(`[data-section=${arguments[0]}] details`);
            details.open = true;
            const box = [...details.querySelectorAll("tbody input")]
              .find((one) => one.getAttribute("aria-label").toLowerCase().startsWith("choose " + arguments[1]));
            box.scrollIntoView({block: "center"});
            box.click();""", section, name)

    def declare(self, home, modules):
        config = home.directory / "config"
        config.mkdir(mode=0o700)
        # JSON is YAML.
        (config / "headroom.yaml").write_text(json.dumps({"modules": modules}))


class ChoosingTests(CleanDaemonTest):
    def fill(self, home):
        super().fill(home)
        first = os.path.join(os.fsencode(home.path), b".cache/pip/http-v2/0/wheel-0")
        os.makedirs(home.path / ".cache/mirror")
        # It has a name that is not chosen.
        os.link(first, os.path.join(os.fsencode(home.path), b".cache/mirror/wheel"))

    def files(self):
        return {name: about for name, about in self.home.listing().items() if about[0] == "file"}

    @promise("R31e")
    def test_what_was_chosen_goes_and_a_file_comes_back(self):
        before = self.files()
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Seen", seconds=60)
        self.choose("caches", "pip")
        self.wait_text("#view-clean .clean-bar", "6 items deleted", seconds=30)
        self.choose("video", "film of 1998.mkv")
        self.wait_text("#view-clean .frees:not(.pending)", "now, 12.0 MB when the trash is emptied", seconds=30)
        self.shot("1-chosen")
        self.browser.click_text("Clean…", "#view-clean .clean-bar")
        self.browser.wait("return document.querySelector('dialog .frees .figure')", what="the confirmation")
        self.assertEqual(self.files(), before, "looking and choosing change nothing")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog h2", "Cleaned", seconds=60)
        self.shot("2-cleaned")
        gone = {name for name in before if name.startswith(b".cache/pip/")}
        self.assertEqual(len(gone), 6, "one of them has another name elsewhere, with which its bytes stay")
        film = b"Documents/film of 1998.mkv"
        after = self.files()
        self.assertEqual({name for name in before if name not in after}, gone | {film})
        self.assertEqual(after[b".local/share/Trash/files/film of 1998.mkv"], before[film], "as it was, in the trash")

        self.browser.click_text("Undo", "dialog")
        self.wait_text("dialog", "Brought back 1 item.")
        self.browser.click_text("Done", "dialog footer")
        self.assertEqual(self.files(), {name: about for name, about in before.items() if name not in gone})
        # And the page shows what is there now.
        self.browser.wait("return !document.querySelector('[data-section=caches] tbody').textContent.includes('15.0 MB')",
                          seconds=60)


class ModuleTests(CleanDaemonTest):
    """Modules that are commands: each holds what its file says, and writes down how it was called."""

    def fill(self, home):
        super().fill(home)
        self.place = home.directory / "modules"
        self.place.mkdir()
        modules = []
        for name, title, size, then in (
                ("tiles", "Tiles", 90_000_000, "echo 5000000 > tiles"), ("mail", "Mail", 60_000_000, "exit 3"),
                ("drafts", "Drafts", 30_000_000, "echo 0 > drafts"), ("other", "Mail", 20_000_000, "echo 0 > other")):
            (self.place / name).write_text(f"{size}\n")
            modules.append({"id": f"com.example.{name}", "name": title,
                            "usage": ["/bin/cat", str(self.place / name)],
                            "clean": ["/bin/sh", "-c", f"cd '{self.place}'; cat >> {name}.asked; {then}"]})
        self.declare(home, modules)

    def requests_to(self, name):
        file = self.place / f"{name}.asked"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @promise("R26d", "R31e")
    def test_a_chosen_module_runs_its_command_and_no_other_does(self):
        before = self.home.listing()
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Seen", seconds=60)
        self.wait_text("[data-section=modules] summary", "200 MB, 4 modules")
        # Two of one name are told apart.
        for name in ("Mail (com.example.mail)", "Mail (com.example.other)"):
            self.assertIn(name, self.browser.text("[data-section=modules] tbody"))
        self.choose("modules", "tiles")
        self.choose("modules", "mail (com.example.mail)")
        self.wait_text("#view-clean .frees:not(.pending)", "150 MB are asked of 2 modules, by their own measure", seconds=30)
        self.shot("1-chosen")
        self.browser.click_text("Clean…", "#view-clean .clean-bar")
        self.wait_text("dialog h2", "Ask 2 modules to clean?", seconds=30)
        asked = self.browser.text("dialog table[aria-label='Modules that are asked']")
        self.assertIn("Mail (com.example.mail)", asked)
        self.assertEqual([self.requests_to(name) for name in ("tiles", "mail", "drafts", "other")], [[], [], [], []])
        self.browser.click_text("Ask 2 modules", "dialog footer")
        self.wait_text("dialog h2", "Cleaned, but 1 module failed", seconds=60)
        self.shot("2-cleaned")
        self.wait_text("dialog", "Modules freed 85.0 MB. By their own measure.")
        self.wait_text("dialog", "Tiles: freed 85.0 MB")
        self.assertIn("Mail (com.example.mail): failed: /bin/sh ended with exit code 3.", self.browser.text("dialog .warning-text"))
        [request] = self.requests_to("tiles")
        self.assertEqual({name: request[name] for name in ("trigger", "allowedClass", "bytesWanted")},
                         {"trigger": "byHand", "allowedClass": "lastResort", "bytesWanted": 90_000_000})
        self.assertEqual([len(self.requests_to(name)) for name in ("mail", "drafts", "other")], [1, 0, 0])
        self.assertEqual(self.home.listing(), before, "files are the business of nobody else")
        self.browser.click_text("Done", "dialog footer")
        self.wait_text("[data-section=modules] summary", "115 MB, 4 modules", seconds=60)


class StoppedLookTests(CleanDaemonTest):
    """A module that takes long to say what it holds."""

    def fill(self, home):
        super().fill(home)
        self.measured = home.directory / "measured"
        usage = ["/bin/sh", "-c", f"touch '{self.measured}'; exec sleep 60"]
        self.declare(home, [{"id": "com.example.slow", "name": "Slow", "time-limit": "20 s", "usage": usage,
                             "clean": ["/bin/true"]}])

    def test_a_stop_does_not_wait_for_a_module_that_is_measured(self):
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Looking for what can be cleaned", seconds=60)
        end = time.monotonic() + 30
        while not self.measured.exists():
            self.assertLess(time.monotonic(), end, "the module is measured")
            time.sleep(0.02)
        # The page asks how things are now, and not only in a while.
        self.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
        self.wait_text("#job:not([hidden])", "Looking for what can be cleaned")
        self.browser.click("#job")
        self.browser.wait("return document.querySelector('dialog progress')", what="the progress")
        self.browser.click_text("Stop", "dialog footer")
        self.wait_text("dialog h2", "Stopped")
        self.browser.click_text("Done", "dialog footer")
        self.wait_text("#view-clean [role=status]", "Looking was stopped")
        self.wait_text("[data-section=modules] tbody", "was not measured: looking was stopped")


# They have no tests here.
del DaemonTest, CleanDaemonTest


if __name__ == "__main__":
    unittest.main()
