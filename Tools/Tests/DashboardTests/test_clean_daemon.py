# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Cleaning by hand with the real program behind the page: what was chosen goes, by what is on the disk."""

import json
import os
import unittest

from daemon_page import DaemonTest


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


class ChoosingTests(CleanDaemonTest):
    def fill(self, home):
        super().fill(home)
        first = os.path.join(os.fsencode(home.path), b".cache/pip/http-v2/0/wheel-0")
        os.makedirs(home.path / ".cache/mirror")
        # It has a name that is not chosen.
        os.link(first, os.path.join(os.fsencode(home.path), b".cache/mirror/wheel"))

    def files(self):
        return {name: about for name, about in self.home.listing().items() if about[0] == "file"}

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
        for name, size, then in (("tiles", 90_000_000, "echo 5000000 > tiles"), ("mail", 60_000_000, "exit 3"),
                                 ("drafts", 30_000_000, "echo 0 > drafts")):
            (self.place / name).write_text(f"{size}\n")
            modules.append({"id": f"com.example.{name}", "name": name.capitalize(),
                            "usage": ["/bin/cat", str(self.place / name)],
                            "clean": ["/bin/sh", "-c", f"cd '{self.place}'; cat >> {name}.asked; {then}"]})
        config = home.directory / "config"
        config.mkdir(mode=0o700)
        # JSON is YAML.
        (config / "headroom.yaml").write_text(json.dumps({"modules": modules}))

    def requests_to(self, name):
        file = self.place / f"{name}.asked"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def test_a_chosen_module_runs_its_command_and_no_other_does(self):
        before = self.home.listing()
        self.browser.run("location.hash = '#clean'")
        self.wait_text("#view-clean [role=status]", "Seen", seconds=60)
        self.wait_text("[data-section=modules] summary", "180 MB, 3 items")
        self.choose("modules", "tiles")
        self.choose("modules", "mail")
        self.wait_text("#view-clean .frees:not(.pending)", "150 MB are asked of 2 modules, by their own measure", seconds=30)
        self.shot("1-chosen")
        self.browser.click_text("Clean…", "#view-clean .clean-bar")
        self.wait_text("dialog h2", "Ask 2 modules to clean?", seconds=30)
        self.assertEqual([self.requests_to(name) for name in ("tiles", "mail", "drafts")], [[], [], []])
        self.browser.click_text("Ask 2 modules", "dialog footer")
        self.wait_text("dialog h2", "Cleaned", seconds=60)
        self.shot("2-cleaned")
        self.wait_text("dialog", "Modules freed 85.0 MB. By their own measure.")
        self.wait_text("dialog", "Tiles: freed 85.0 MB")
        self.assertIn("Mail: failed: /bin/sh ended with exit code 3.", self.browser.text("dialog .warning-text"))
        [request] = self.requests_to("tiles")
        self.assertEqual({name: request[name] for name in ("trigger", "allowedClass", "bytesWanted")},
                         {"trigger": "byHand", "allowedClass": "lastResort", "bytesWanted": 90_000_000})
        self.assertEqual((len(self.requests_to("mail")), self.requests_to("drafts")), (1, []))
        self.assertEqual(self.home.listing(), before, "files are the business of nobody else")
        self.browser.click_text("Done", "dialog footer")
        self.wait_text("[data-section=modules] summary", "95.0 MB, 3 items", seconds=60)


# They have no tests here.
del DaemonTest, CleanDaemonTest


if __name__ == "__main__":
    unittest.main()
