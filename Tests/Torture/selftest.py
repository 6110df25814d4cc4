# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Programs that do what must not happen, each of which has to be found."""
import os
import tempfile

import hardships
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


def self_test(make_context):
    """Prints what was not found; returns how much that is."""
    missed = 0
    with tempfile.TemporaryDirectory() as directory:
        for what, script in WRONG.items():
            path = os.path.join(directory, "program")
            with open(path, "w") as file:
                file.write(f"#!/bin/bash\n{script}\n")
            os.chmod(path, 0o755)
            context = make_context("full", "tmpfs", path)
            try:
                hardships.full(context)
                print(f"torture: a program that {what} was not found out")
                missed += 1
            except Finding as finding:
                print(f"found: a program that {what}: {str(finding)[:150]}")
    return missed
