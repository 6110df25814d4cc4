#!/usr/bin/env python3
# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Attacks the program on real file systems, for as long as one likes, and reads from the disk what became of it.

  torture.py --program PATH [--time SECONDS] [--seed N] [--on KIND,…] [--only CASE,…] [--log FILE]

Each case has its share of the time on each file system. A finding ends with its seed, by which the case can be
repeated, as far as it does not depend on who is faster. Needs root, strace and the programs that make file systems;
what is missing is left out, and said.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback

import clocks
import faults
import hardships
import races
import selftest
import volumes
from program import Program
from world import Finding, World

ALL = volumes.KINDS
# What each case needs of the file system.
CASES = {
    "faults": (faults.faults, ALL),
    "kills": (faults.kills, ALL),
    "races": (races.races, ALL),
    "full": (hardships.full, ["tmpfs", "ext4", "xfs", "btrfs"]),
    "inodes": (hardships.inodes, ["tmpfs", "ext4"]),
    "quota": (hardships.quota, ["btrfs"]),
    "read-only": (hardships.read_only, ["tmpfs", "ext4", "xfs", "btrfs"]),
    "aliases": (hardships.aliases, ALL),
    "times": (hardships.times, ["tmpfs", "ext4", "xfs", "btrfs"]),
    "clocks": (clocks.clocks, ALL),
}


class Context:
    """One case on one file system."""

    def __init__(self, options, name, kind, seconds, seed, program=None):
        self.name, self.kind, self.seconds, self.seed = name, kind, seconds, seed
        self.random = random.Random(f"{seed} {name} {kind}")
        self.program = Program(program or options.program)
        self.is_root = os.geteuid() == 0
        self.end = time.monotonic() + seconds
        self.runs = 0
        self.counts = {}
        self.last = ""

    def volume(self, mebibytes=96, **options):
        return volumes.Volume(self.kind, mebibytes, **options)

    def world(self, volume, place=None, state=None):
        world = World((place or volume.path) / "world", self.random, state)
        world.make()
        return world

    def goes_on(self):
        # Once in any case: a case that does nothing is no test.
        return self.runs == 0 or time.monotonic() < self.end

    def done(self):
        self.runs += 1

    def note(self, text):
        self.last = text

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program to torture")
    parser.add_argument("--time", type=float, default=120, help="seconds in all (120)")
    parser.add_argument("--seed", type=int, default=None, help="of what is random; the time if none is given")
    parser.add_argument("--on", default="", help=f"file systems: {', '.join(ALL)}")
    parser.add_argument("--only", default="", help=f"cases: {', '.join(CASES)}")
    parser.add_argument("--self-test", action="store_true", help="show that programs that do wrong are found out")
    parser.add_argument("--log", help="a file to which a line of JSON is added for each case")
    options = parser.parse_args()
    options.on = [kind for kind in options.on.split(",") if kind]
    options.only = [name for name in options.only.split(",") if name]
    for wrong in set(options.on) - set(ALL) | set(options.only) - set(CASES):
        parser.error(f"there is no {wrong}")
    if options.seed is None:
        options.seed = int(time.time())
    options.program = os.path.abspath(options.program)
    if not os.access(options.program, os.X_OK):
        parser.error(f"{options.program} cannot be run: build it first")
    return options


def schedule(options):
    """The cases that can be run here, each with its file system; says which cannot."""
    if os.geteuid() != 0:
        print("torture: skipped: making and mounting file systems needs root")
        return []
    kinds = [kind for kind in volumes.possible() if not options.on or kind in options.on]
    for kind in set(options.on or ALL) - set(kinds):
        print(f"torture: skipped on {kind}: it cannot be made or mounted here")
    plan = []
    for name, (_, wanted) in CASES.items():
        if options.only and name not in options.only:
            continue
        missing = None
        if name in ("faults", "kills", "read-only", "aliases") and not shutil.which("strace"):
            missing = "strace"
        if name == "clocks" and not clocks.library():
            missing = "a C compiler"
        if missing:
            print(f"torture: skipped: {name}, without {missing}")
            continue
        plan += [(name, kind) for kind in kinds if kind in wanted]
    return plan


def commit():
    """Of the sources; empty where that is not known."""
    words = ["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "--short=10", "HEAD"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def main():
    # Whoever ends it: what was mounted goes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = arguments()
    if options.self_test:
        os.environ["REAL"] = options.program
        return selftest.self_test(lambda name, kind, program: Context(options, name, kind, 0, 1, program)) and 1
    plan = schedule(options)
    print(f"torture: {len(plan)} cases, {options.time:.0f} s, seed {options.seed}", flush=True)
    findings = 0
    begun = time.monotonic()
    for number, (name, kind) in enumerate(plan):
        left = options.time - (time.monotonic() - begun)
        context = Context(options, name, kind, max(0, left) / (len(plan) - number), options.seed)
        start = time.monotonic()
        finding = None
        try:
            CASES[name][0](context)
        except Finding as error:
            finding = str(error)
        except Exception:
            finding = "the case itself failed: " + traceback.format_exc()
        took = time.monotonic() - start
        counts = ", ".join(f"{what} {count}" for what, count in context.counts.items())
        word = "FOUND" if finding else "ok"
        print(f"{word:5} {name:9} {kind:7} {took:6.1f} s  {context.runs:5} runs  {counts}", flush=True)
        if finding:
            findings += 1
            print(f"      seed {options.seed}, run {context.runs}, {context.last}\n      {finding}", flush=True)
        if options.log:
            with open(options.log, "a") as log:
                log.write(json.dumps({
                    "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "case": name, "on": kind,
                    "commit": commit(), "seed": options.seed, "seconds": round(took, 1), "runs": context.runs, "counts": context.counts,
                    "finding": finding}) + "\n")
    print(f"torture: {findings} findings in {time.monotonic() - begun:.0f} s")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
