# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Volumes that are full, have no inodes or no quota left, or cannot be written to any more; times that are far off;
one area by two names."""
import os
import subprocess
import threading
import time
from pathlib import Path

from faults import FILES, UNITS, command
from program import PATIENCE
from volumes import Volume, run
from world import Finding, snapshot


def fill_up(path):
    """Takes all bytes that there are."""
    with open(path, "wb", buffering=0) as file:
        size = 1 << 20
        while size >= 1:
            try:
                if file.write(b"f" * size) < size:
                    size //= 2
            except OSError:
                size //= 2


def take_inodes(directory):
    directory.mkdir(exist_ok=True)
    number = 0
    try:
        while True:
            (directory / f"i{number}").touch(exist_ok=False)
            number += 1
    except OSError:
        return number


def purge_all(context, world, codes=(0,)):
    for words in (FILES, UNITS):
        before = snapshot(world.base / "area")
        outcome = context.program.run(world, *command(world, words))
        if outcome.code not in codes:
            told = outcome.errors or outcome.output
            raise Finding(f"{words[1]} ends with {outcome.code}: {told.decode()[-800:]}")
        world.check_precious()
        world.check_whole(before, may_halve=outcome.names("skipped"))
        context.done()


def full(context):
    """No byte is free, also for the ledger, which lies there too."""
    with context.volume(64 if context.kind != "xfs" else 320) as volume:
        world = context.world(volume)
        while context.goes_on():
            filler = volume.path / "filler"
            fill_up(filler)
            purge_all(context, world)
            world.check_empty()
            filler.unlink()
            world.fill()


def inodes(context):
    """No inode is free."""
    formatting = {"ext4": ["-N", "2000"]}.get(context.kind, [])
    with context.volume(32, inodes=2000, formatting=formatting) as volume:
        world = context.world(volume)
        while context.goes_on():
            take_inodes(volume.path / "inodes")
            purge_all(context, world)
            world.check_empty()
            subprocess.run(["rm", "-rf", volume.path / "inodes"], check=True)
            world.fill()


def quota(context):
    """A quota is used up: EDQUOT in place of ENOSPC."""
    with context.volume(256) as volume:
        run("btrfs", "quota", "enable", volume.path)
        place = volume.path / "limited"
        run("btrfs", "subvolume", "create", place)
        run("btrfs", "qgroup", "limit", "24M", place)
        world = context.world(volume, place)
        while context.goes_on():
            filler = place / "filler"
            fill_up(filler)
            os.sync()
            purge_all(context, world)
            world.check_empty()
            filler.unlink()
            os.sync()
            world.fill()


# So often a case is tried again that has not yet met what it is about, however short its time is.
AT_MOST = 60


def freeze(volume):
    """Whether the volume can only be read from now on."""
    return subprocess.run(["mount", "-o", "remount,ro", volume.path], capture_output=True).returncode == 0


def met_read_only(outcome):
    """Whether a run has seen that nothing can be written."""
    skipped = (outcome.document or {}).get("skipped", [])
    return any(item["reason"]["code"] == "read-only" for item in skipped) \
        or b"ead-only file system" in outcome.errors + outcome.output


def read_only(context):
    """The volume can only be read, from some moment on."""
    rounds = met = 0
    with context.volume(64 if context.kind != "xfs" else 320) as volume, Volume("tmpfs", 64) as elsewhere:
        # A remount is refused while something is open for writing, such as a ledger that lies there.
        world = context.world(volume, state=elsewhere.path / "state")
        while context.goes_on() or not met and rounds < AT_MOST:
            rounds += 1
            for words in (FILES, UNITS):
                before = snapshot(world.base / "area")
                child = Background(context.program, world, command(world, words), "unlinkat:delay_enter=300")
                time.sleep(context.random.uniform(0, 0.15))
                context.count("read-only" if freeze(volume) else "refused")
                outcome = child.join()
                met += met_read_only(outcome)
                run("mount", "-o", "remount,rw", volume.path)
                world.check_precious()
                world.check_whole(before, may_halve=outcome.names("skipped"))
                context.done()
            purge_all(context, world)
            world.check_empty()
            world.fill()
    context.count("met", met)
    if not met:
        raise Finding(f"in {rounds} rounds no run has met a volume that could only be read")


class Background:
    """A run of the program in a thread."""

    def __init__(self, program, world, words, injection=None):
        self.outcome = self.error = None

        def work():
            try:
                self.outcome = program.run(world, *words, injection=injection)
            except BaseException as error:
                self.error = error

        self.thread = threading.Thread(target=work)
        self.thread.start()

    def join(self):
        self.thread.join(PATIENCE)
        if self.error:
            raise self.error
        return self.outcome


def aliases(context):
    """Two names of one area are purged at once: one is refused, and says who is at it."""
    with context.volume() as volume:
        world = context.world(volume)
        alias = volume.path / "alias"
        alias.mkdir()
        volume.bind(world.base / "area", alias)
        rounds = refused = 0
        while context.goes_on() or not refused and rounds < AT_MOST:
            rounds += 1
            before = snapshot(world.base / "area")
            words = command(world, FILES)
            other = [word.replace(str(world.files), str(alias / "files")) for word in words]
            child = Background(context.program, world, words, "unlinkat:delay_enter=2000")
            time.sleep(context.random.uniform(0, 0.12))
            second = context.program.run(world, *other)
            first = child.join()
            removed = [(outcome.document or {}).get("removedCount", 0) for outcome in (first, second)]
            refusals = [first.code, second.code].count(1)
            refused += refusals
            context.count("refused", refusals)
            world.check_precious()
            world.check_whole(before)
            for outcome in (first, second):
                if outcome.code == 1 and b"purg" not in outcome.errors + outcome.output:
                    raise Finding(f"a refusal does not say why: {outcome.errors.decode()[-500:]}")
            total = sum(1 for path, e in before.items() if path.startswith(b"files/") and path != b"files/out"
                        and e.kind == 0o100000)
            if sum(removed) > total:
                raise Finding(f"{sum(removed)} of {total} files are said to be removed")
            context.done()
            purge_all(context, world)
            world.fill()
        if not refused:
            raise Finding(f"in {rounds} rounds no run was refused because another was at work in the same area")


# Seconds since 1970: of before it, of its beginning, of the ends of 32 bits, and as late as file systems go.
TIMES = [-10_000_000, 0, 1, 946_684_799, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 15_000_000_000]


def times(context):
    """Files whose times are far off: what came a moment ago is not old, whatever it says of itself."""
    with context.volume() as volume:
        world = context.world(volume)
        while context.goes_on():
            before = {}
            for path in snapshot(world.base / "area"):
                whole = os.path.join(os.fsencode(world.base / "area"), path)
                # A link from outside would carry it there.
                if not os.path.islink(whole) and path != b"files/link":
                    modified, accessed = context.random.choice(TIMES), context.random.choice(TIMES)
                    os.utime(whole, (accessed, modified))
            before = snapshot(world.base / "area")
            unused = ["purge", str(world.files), "--as", "cache", "--older-than", "1d", "--min-idle", "0s", "--yes", "--json"]
            outcome = context.program.run(world, *unused)
            if outcome.code != 0 or snapshot(world.base / "area").keys() != before.keys():
                raise Finding(f"something that has just come counted as unused: {outcome.output[-800:]}")
            context.program.run(world, *unused, "--age-by", "modified")
            world.check_precious()
            now = time.time()
            after = world.check_whole(before)
            for path, entry in before.items():
                is_young = entry.modified / 1e9 > now - 86_400
                if entry.kind == 0o100000 and is_young and b".sqlite" not in path and path not in after:
                    raise Finding(f"{path!r} of {entry.modified} went by the time when it was changed")
            context.count("old", len(before) - len(after))
            purge_all(context, world)
            world.check_empty()
            world.fill()
