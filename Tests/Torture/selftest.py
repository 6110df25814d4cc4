# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Programs that do what must not happen, each of which has to be found."""
import os
import shutil
import tempfile

import clocks
import hardships
import races
from world import Finding

# Each stands in for the program: $2 is the directory that it is to purge.
NOTHING = """echo '{"removed":[],"skipped":[]}'"""
WRONG = {
    "takes a canary": '"$REAL" "$@"; code=$?; rm -f "$2/../../outside/canary3"; exit $code',
    "changes a canary": '"$REAL" "$@"; code=$?; echo >>"$2/../../outside/twin/a1"; exit $code',
    "takes a document": '"$REAL" "$@"; code=$?; rm -f "$2/../../home/Documents/letter1"; exit $code',
    "halves a unit": 'case $2 in */units) find "$2" -type f -print0 | head -z -n 1 | xargs -0 rm -f; '
                     f'{NOTHING};; *) "$REAL" "$@";; esac',
    "halves a database": f'rm -f "$2/../files/data1.sqlite-wal"; {NOTHING}',
    "rewrites what stays": f'for f in "$2"/*.sqlite; do echo >>"$f"; done; {NOTHING}',
    "leaves it all": NOTHING,
    "fails": "exit 1",
    "crashes": "kill -SEGV $$",
}


# What does no wrong in one purge, and is found by the case that is made for it.
CASES = {
    "lets two at once into one area": (hardships.aliases, 'exec flock "$LOCK" "$REAL" "$@"'),
    "does not mind its clock": (clocks.clocks, 'unset LD_PRELOAD; exec "$REAL" "$@"'),
    "goes by a clock that is wrong": (clocks.clocks, '"$REAL" "$@"; code=$?; rm -f "$HOME/kept/file1"; exit $code'),
}


def unable(make_context):
    """Cases whose attack cannot be carried out: they must not pass for what was tried."""

    def without_freezing():
        usual, hardships.freeze = hardships.freeze, lambda volume: False
        try:
            hardships.read_only(make_context("read-only", "tmpfs", os.environ["REAL"]))
        finally:
            hardships.freeze = usual

    def without_attacks():
        usual = races.KINDS, races.PATIENCE
        races.KINDS, races.PATIENCE = ["shuffle", "never"], 0
        try:
            races.races(make_context("races", "tmpfs", os.environ["REAL"]))
        finally:
            races.KINDS, races.PATIENCE = usual

    return {"never makes the volume read-only": without_freezing, "does not attack": without_attacks}


def is_found(what, work):
    try:
        work()
    except Finding as finding:
        print(f"found: {what}: {str(finding)[:150]}")
        return True
    print(f"torture: {what} was not found out")
    return False


def self_test(make_context):
    """Prints what was not found; returns how much that is."""
    missed = 0
    # Here it is known that more will not help.
    hardships.AT_MOST = 2
    has_strace, has_clock = shutil.which("strace"), clocks.library()
    with tempfile.TemporaryDirectory() as directory:
        os.environ["LOCK"] = os.path.join(directory, "lock")
        programs = [(what, hardships.full, script) for what, script in WRONG.items()]
        programs += [(what, case, script) for what, (case, script) in CASES.items()
                     if (has_strace if case is hardships.aliases else has_clock)]
        for what, case, script in programs:
            path = os.path.join(directory, "program")
            with open(path, "w") as file:
                file.write(f"#!/bin/bash\n{script}\n")
            os.chmod(path, 0o755)
            missed += not is_found(f"a program that {what}", lambda: case(make_context(case.__name__, "tmpfs", path)))
        for what, work in unable(make_context).items():
            if has_strace or "volume" not in what:
                missed += not is_found(f"a suite that {what}", work)
    return missed
