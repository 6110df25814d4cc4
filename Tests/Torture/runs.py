#!/usr/bin/env python3
# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Adds up logs of the torture, as tables for Documentation/torture.md: runs.py FILE…

The first has the time and the runs of each case on each file system; the second what each of the races could do there.
"""
import json
import sys

import volumes


class Sum:
    def __init__(self):
        self.seconds, self.runs, self.findings, self.counts = 0.0, 0, 0, {}

    def add(self, entry):
        self.seconds += entry["seconds"]
        self.runs += entry["runs"]
        self.findings += entry["finding"] is not None
        for what, number in entry["counts"].items():
            self.counts[what] = self.counts.get(what, 0) + number

    def __str__(self):
        if not self.runs:
            return ""
        found = f", {self.findings} found" if self.findings else ""
        return f"{self.seconds:,.0f} s, {self.runs:,} runs{found}"


def table(head, rows):
    lines = [[head, *volumes.KINDS]] + rows
    lines.insert(1, ["---"] + ["---:"] * len(volumes.KINDS))
    return "\n".join(("| " + " | ".join(line)).rstrip() + " |" for line in lines)


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    sums, seeds = {}, set()
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as log:
            for line in log:
                entry = json.loads(line)
                seeds.add(entry["seed"])
                sums.setdefault((entry["case"], entry["on"]), Sum()).add(entry)

    def row(case):
        return [f"`{case}`"] + [str(sums.get((case, kind), "")) for kind in volumes.KINDS]

    cases = list(dict.fromkeys(case for case, _ in sums))
    total = [f"{sum(each.seconds for (_, on), each in sums.items() if on == kind):,.0f} s" for kind in volumes.KINDS]
    print(f"Seeds: {', '.join(str(seed) for seed in sorted(seeds))}\n")
    print(table("case", [row(case) for case in cases] + [["in all"] + total]))
    races = {kind: sums[("races", kind)].counts for kind in volumes.KINDS if ("races", kind) in sums}
    if races:
        attacks = list(dict.fromkeys(what for counts in races.values() for what in counts))
        print()
        print(table("`races`", [
            [what] + [f"{races[kind].get(what, 0):,}" if kind in races else "" for kind in volumes.KINDS]
            for what in attacks]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
