# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The page with the real program behind it, and a million files in its inventory.

Takes minutes and some 7 GB of memory, so it runs only when it is asked for, with a program built for release: by
`make million`. HEADROOM_DASHBOARD_MILLION is how many millions. The files lie in a tmpfs that goes with the test, in the layouts of
caches that people have.
"""

import itertools
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import daemon
from daemon_page import DaemonTest
from page import Measured

SCALE = float(os.environ.get("HEADROOM_DASHBOARD_MILLION") or 0)


def names(scale):
    """Directories with how many files each has, as programs make them."""
    def count(number):
        return max(1, round(number * scale))
    for high, low in itertools.product("0123456789abcdef", repeat=2):
        yield f"go-build/{high}{low}", count(1000)
        for third in range(16):
            yield f"npm/_cacache/content-v2/sha512/{high}{low}/{third:02x}", count(40)
            yield f"pip/http-v2/{high}/{low}/{third:x}/0", count(20)
    yield "thumbnails/large", count(120_000)
    yield "mozilla/firefox/x1.default/cache2/entries", count(70_000)
    yield "chromium/Default/Cache/Cache_Data", count(60_000)
    for package in range(5000):
        yield f"yarn/v6/npm-package-{package}/node_modules/package-{package}", count(50)


def fill(cache, scale):
    made = 0
    page, pages = b"x", [b"x" * (4096 * (2 ** number)) for number in range(5)]
    for directory, count in names(scale):
        root = os.path.join(cache, directory)
        os.makedirs(root, exist_ok=True)
        at = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        for number in range(count):
            file = os.open(f"{number * 2654435761 % 2 ** 32:08x}-{number}", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=at)
            # One in a hundred is larger than a page, up to sixteen of them.
            os.write(file, page if number % 100 else pages[number // 100 % 5])
            os.close(file)
        os.close(at)
        made += count
    return made


@unittest.skipUnless(SCALE, "make million runs it alone: it takes minutes and much memory")
class MillionTests(Measured, DaemonTest):
    width, height = 1920, 1080

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = Path(tempfile.mkdtemp(prefix="headroom-million-", dir="/dev/shm"))
        # As one tmpfs it goes at once, and is nobody else's.
        cls.is_mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={int(8 * max(1, SCALE))}g,nr_inodes=0", "headroom-million", cls.place],
            check=False).returncode == 0
        cls.made = daemon.Home(cls.place)
        start = time.monotonic()
        cls.files = fill(cls.made.path / ".cache", SCALE)
        print(f"\n    {cls.files:,} files made in {time.monotonic() - start:.0f} s", end="", flush=True)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        if cls.is_mounted:
            subprocess.run(["umount", cls.place], check=True)
        shutil.rmtree(cls.place)

    def start_server(self):
        self.home = self.made
        self.asked = []
        self.largest = 0
        self.most_memory = 0
        self.serve()

    def first_page(self):
        super().first_page()
        self.seconds_to_the_tree("first of all, with the scan")

    def requests(self, browser=None):
        """Notes the largest of what was sent and received on the way."""
        for event in self.browser.events():
            if event["method"] == "Network.loadingFinished":
                self.largest = max(self.largest, event["params"]["encodedDataLength"])
            if event["method"] == "Network.requestWillBeSent":
                request = event["params"]["request"]
                self.largest = max(self.largest, len(request.get("postData", "")))
                self.asked.append((request["method"], request["url"]))
        return self.asked

    def seconds_to_the_tree(self, what):
        """How long after it was opened all four questions were answered."""
        self.browser.wait("""return document.querySelector('.stage').dataset.nodes > 0
            && document.querySelector('.rungs .cache') && document.querySelector('.chosen-volume dl')""", seconds=300)
        found = self.browser.run("return [window.firstData, window.allData]")
        print(f"\n    {what}: data after {found[0]:.0f} ms, everything after {found[1]:.0f} ms", end="", flush=True)
        return found

    def page_memory(self):
        """What the process of the page has for itself alone, in bytes; the most of it is kept."""
        private = 0
        for process in descendants(self.driver.process.pid):
            try:
                command = Path(f"/proc/{process}/cmdline").read_bytes()
                if b"--type=renderer" not in command or b"--extension-process" in command:
                    continue
                rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            own = sum(int(row.split()[1]) * 1024 for row in rows if row.startswith("Private_"))
            private = max(private, own)
        self.most_memory = max(self.most_memory, private)
        return private

    def walk_in(self, name):
        """Goes into a directory and around in it; answers with the lowest rate of frames."""
        self.walk_to(name)
        rates = [self.frames("Enter", 2500, silent=True)]
        self.browser.wait("return document.querySelector('.crumbs li:last-child').textContent"
                          ".startsWith(arguments[0].split('/').at(-1))", name, seconds=20)
        rates += [self.frames(key, 400, silent=True) for key in ("ArrowRight", "ArrowDown")]
        self.browser.wait("return !document.querySelector('.stage').classList.contains('loading')", seconds=60)
        nodes = self.browser.run("return Number(document.querySelector('.stage').dataset.nodes)")
        print(f"\n    {name.rsplit('/', 1)[-1]}: {nodes:,} nodes, {min(rates):.0f} frames a second, "
              f"heap {self.heap() / 1e6:.0f} MB, the page's process {self.page_memory() / 1e6:.0f} MB", end="", flush=True)
        self.requests()
        return min(rates)

    def test_is_quick_and_small(self):
        # What is there already is drawn at once.
        self.open()
        first, everything = self.seconds_to_the_tree("again")
        self.assertLess(first, 1000)
        self.assertLess(everything, 1000)
        items = self.program.ask("GET", "/status")["inventory"]["items"]
        print(f"\n    {items:,} items in the inventory", end="")
        self.assertGreaterEqual(items, self.files)

        cache = str(self.home.path / ".cache")
        rates = []
        for way in ([cache, "thumbnails", "large"], [cache, "yarn", "v6", "npm-package-"],
                    [cache, "go-build", "3"], [cache, "npm", "_cacache", "content-v2", "sha512", "a"]):
            for name in way:
                rates.append(self.walk_in(name))
            for _ in way:
                rates.append(self.frames("Backspace", 700, silent=True))
                self.requests()
            self.browser.wait("return document.querySelectorAll('.crumbs li').length === 1", seconds=20)
        print(f"\n    at least {min(rates):.0f} frames a second; longest gap {self.longest_gap:.0f} ms", end="")
        self.assertGreaterEqual(min(rates), 30, "frames a second")

        # All of it in a plan.
        start = time.monotonic()
        self.ask_for("900 GB")
        print(f"\n    a plan of everything after {time.monotonic() - start:.1f} s", end="")
        self.open_group("Cache")
        start = time.monotonic()
        self.take_out()
        print(f"; one taken out of it after {time.monotonic() - start:.1f} s", end="")
        self.shot("plan")
        self.requests()

        used, private = self.heap() / 1e6, self.page_memory() / 1e6
        most = self.most_memory / 1e6
        print(f"\n    heap {used:.0f} MB, the page's process {private:.0f} MB of its own, at most {most:.0f} MB", end="")
        print(f"\n    the largest answer {self.largest:,} bytes", end="")
        print(f"\n    the daemon {resident(self.program.process.pid) / 1e6:.0f} MB", end="", flush=True)
        self.assertLess(used, 150)
        self.assertLess(most, 150)
        self.assertLessEqual(self.largest, 1_000_000)


def resident(process):
    row = next(row for row in Path(f"/proc/{process}/status").read_text().splitlines() if row.startswith("VmRSS"))
    return int(row.split()[1]) * 1024


def descendants(process):
    """A process and all that it has started."""
    found, left = [], [process]
    while left:
        one = left.pop()
        found.append(one)
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                left += [int(child) for child in Path(f"/proc/{one}/task/{thread}/children").read_text().split()]
        except OSError:
            pass
    return found


if __name__ == "__main__":
    unittest.main()
