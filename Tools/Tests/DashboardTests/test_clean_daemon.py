# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Cleaning by hand with the real program behind the page: what was chosen goes, by what is on the disk."""

import os
import unittest

from test_daemon import DaemonTest


class ChoosingTests(DaemonTest):
    def fill(self, home):
        super().fill(home)
        first = os.path.join(os.fsencode(home.path), b".cache/pip/http-v2/0/wheel-0")
        os.makedirs(home.path / ".cache/mirror")
        # It has a name that is not chosen.
        os.link(first, os.path.join(os.fsencode(home.path), b".cache/mirror/wheel"))

    def files(self):
        return {name: about for name, about in self.home.listing().items() if about[0] == "file"}

    def choose(self, section, name):
        """Opens a section, and chooses something of it."""
        self.browser.run("""
            const details = document.querySelector(`[data-section=${arguments[0]}] details`);
            details.open = true;
            const box = [...details.querySelectorAll("tbody input")]
              .find((one) => one.getAttribute("aria-label").toLowerCase().startsWith("choose " + arguments[1]));
            box.scrollIntoView({block: "center"});
            box.click();""", section, name)

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


# It is that of its own file.
del DaemonTest


if __name__ == "__main__":
    unittest.main()
