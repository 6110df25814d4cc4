# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""The wall clock of the program jumps, back and forward, between its runs and in the middle of them."""
import atexit
import functools
import mmap
import shutil
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from faults import FILES, UNITS, command
from world import Finding, shown, snapshot

HOUR, DAY = 3600, 86_400
# Seconds by which it is wrong: more than a day, after which nothing goes by its age; and less.
JUMPS = [sign * days * DAY for sign in (1, -1) for days in (1.1, 3, 30, 400, 4_000)]
SMALL = [sign * hours * HOUR for sign in (1, -1) for hours in (1, 12, 20)]
RETENTION = "2d"


@functools.cache
def library():
    """What gives a program a wall clock of its own; None if it cannot be made here."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return None
    directory = tempfile.mkdtemp(prefix="headroom-clock-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    made = Path(directory) / "clock.so"
    source = Path(__file__).parent.with_name("clock.c")
    result = subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", made, source], capture_output=True)
    return made if result.returncode == 0 else None


class Clock:
    """The wall clock of the program, set at any moment; those that nobody can set stay as they are."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="headroom-clock-", dir="/dev/shm")
        self.file.write(bytes(8))
        self.file.flush()
        self.page = mmap.mmap(self.file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library()), "CLOCK_OFFSET_FILE": self.file.name}

    def set(self, seconds):
        self.page[:] = struct.pack("q", int(seconds))


class Jumping:
    """`with Jumping(clock, random):` it jumps all the while."""

    def __init__(self, clock, random):
        self.clock, self.random = clock, random
        self.count = 0
        self.stop = threading.Event()

    def __enter__(self):
        def work():
            while not self.stop.wait(self.random.uniform(0.0005, 0.01)):
                self.clock.set(self.random.choice(JUMPS + SMALL + [0]))
                self.count += 1

        self.thread = threading.Thread(target=work)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
        self.clock.set(0)


class Keeping:
    """A directory in which nothing is as old as it may become, whatever the clock says."""

    def __init__(self, context, world, clock):
        self.context, self.world, self.clock = context, world, clock
        self.place = world.home / "kept"
        self.place.mkdir(exist_ok=True)

    def begin(self):
        """With a ledger that knows nothing yet."""
        shutil.rmtree(self.world.state, ignore_errors=True)
        for number in range(5):
            (self.place / f"file{number}").write_bytes(self.context.random.randbytes(3_000))
        self.before = {path: entry for path, entry in snapshot(self.place).items() if path.startswith(b"file")}
        self.run("dir", "add", str(self.place), "--retention", RETENTION)
        self.check(0, is_paused=False)

    def run(self, *words):
        outcome = self.context.program.run(self.world, *words, "--json", environment=self.clock.environment)
        if outcome.code != 0:
            raise Finding(f"{' '.join(words)} ends with {outcome.code}: {outcome.errors.decode()[-800:]}")
        return outcome

    def check(self, seconds, is_paused=None):
        """Nothing goes by its age, with a clock that is so wrong."""
        self.clock.set(seconds)
        self.context.note(f"dir check, {seconds / DAY:+.2f} days")
        document = self.run("dir", "check").document or {}
        now = snapshot(self.place)
        for path, entry in self.before.items():
            if path not in now:
                raise Finding(f"{shown(path)} has expired, of {RETENTION}, by a clock that is {seconds} s off")
            if now[path] != entry:
                raise Finding(f"{shown(path)}: {entry.difference(now[path])}")
        if is_paused is not None and document.get("ageRulesPaused") != is_paused:
            word = "did not pause" if is_paused else "paused"
            raise Finding(f"rules that go by age {word} with a clock that is {seconds} s off")
        self.context.done()

    def looks(self):
        """What only looks works with any clock, and what was done can be read."""
        self.run("status")
        if self.run("log").lines is None:
            raise Finding("the log cannot be read")


def clocks(context):
    """The clock jumps between runs and while they are at work; nothing is old by it that came just now."""
    with context.volume() as volume:
        world = context.world(volume)
        clock = Clock()
        keeping = Keeping(context, world, clock)
        while context.goes_on():
            keeping.begin()
            # Less than a day is what clocks are set by.
            small = context.random.choice(SMALL)
            keeping.check(small, is_paused=False)
            jump = context.random.choice(JUMPS)
            keeping.check(jump, is_paused=True)
            # From then on for a day, whatever it says meanwhile.
            for seconds in (context.random.choice(JUMPS), small, 0):
                keeping.check(seconds, is_paused=True)
            for words in (FILES, UNITS):
                before = snapshot(world.base / "area")
                with Jumping(clock, context.random) as jumping:
                    outcome = context.program.run(world, *command(world, words), environment=clock.environment)
                context.count("jumps", jumping.count)
                context.count("removed", (outcome.document or {}).get("removedCount", 0))
                if outcome.code not in (0, 4):
                    raise Finding(f"{words[1]} ends with {outcome.code}: {outcome.errors.decode()[-800:]}")
                world.check_precious()
                world.check_whole(before, may_halve=outcome.names("skipped"))
                context.done()
            clock.set(jump)
            keeping.looks()
            clock.set(0)
            keeping.looks()
            # By a right clock the rest goes, as always.
            for words in (FILES, UNITS):
                outcome = context.program.run(world, *command(world, words))
                if outcome.code != 0:
                    raise Finding(f"the next purge ends with {outcome.code}: {outcome.errors.decode()[-800:]}")
            world.check_precious()
            world.check_empty()
            world.fill()
