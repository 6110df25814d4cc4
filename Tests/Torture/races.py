# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""Others who rename, relink, mount and swap while purges run."""
import contextlib
import ctypes
import mmap
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import FILES, UNITS, command
from world import Finding

MS_BIND, MNT_DETACH = 4096, 2
# An attack that has done nothing in so many seconds beyond its time is none.
PATIENCE = 90


class Attack:
    """Runs in a process of its own, in a loop, until it is told to stop."""

    def __init__(self, base, seed):
        import random

        def opened(path):
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)

        self.random = random.Random(seed)
        self.outside = Path(base) / "outside"
        self.base, self.area = opened(base), opened(f"{base}/area")
        self.files, self.units = opened(f"{base}/area/files"), opened(f"{base}/area/units")
        self.libc = ctypes.CDLL(None, use_errno=True)

    def __call__(self, kind, tally):
        work = getattr(self, kind)
        with open(tally, "r+b") as file:
            successes = mmap.mmap(file.fileno(), 8)
        done = 0
        stop = []
        signal.signal(signal.SIGTERM, lambda *_: stop.append(1))
        parent = os.getppid()
        print("ready", flush=True)
        sys.stdin.readline()
        count = 0
        while not stop and os.getppid() == parent:
            try:
                if work(count):
                    done += 1
                    successes[:] = struct.pack("q", done)
            except OSError:
                # Others were faster: what it is about to attack is gone, or has another name.
                pass
            count += 1

    # Each returns whether it has done what it says. What is a link to outside for a moment must not lead the attack there: it is the program that is attacked.

    def entries(self, directory, wanted):
        with os.scandir(directory) as entries:
            return [e.name for e in entries if getattr(e, wanted)(follow_symlinks=False)]

    def inner(self, root):
        """A directory in one of the roots, opened; its name."""
        name = self.random.choice(self.entries(root, "is_dir") or [""])
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root), name

    def any_root(self):
        return self.random.choice([self.files, self.units])

    def swap(self, count):
        """A directory is a link to outside for a moment."""
        root = self.any_root()
        name = self.random.choice(self.entries(root, "is_dir") or [""])
        aside = f"aside{os.getpid()}"
        os.rename(name, aside, src_dir_fd=root, dst_dir_fd=self.base)
        try:
            os.symlink(self.outside / "twin", name, dir_fd=root)
            os.unlink(name, dir_fd=root)
        finally:
            try:
                os.rename(aside, name, src_dir_fd=self.base, dst_dir_fd=root)
            except OSError:
                # Somebody has made one of that name meanwhile. Left where it is it would be in the way of every other swap.
                os.rename(aside, f"back{os.getpid()}-{count}", src_dir_fd=self.base, dst_dir_fd=root)
        return True

    def root(self, count):
        """The area itself is a link to outside for a moment."""
        name = self.random.choice(["files", "units"])
        aside = f"root{os.getpid()}"
        os.rename(name, aside, src_dir_fd=self.area, dst_dir_fd=self.base)
        try:
            os.symlink(self.outside, name, dir_fd=self.area)
            os.unlink(name, dir_fd=self.area)
        finally:
            os.rename(aside, name, src_dir_fd=self.base, dst_dir_fd=self.area)
        time.sleep(0.002)
        return True

    def relink(self, count):
        """A file becomes a link to a canary, hard or soft, or another file with its times and its size."""
        directory, _ = self.inner(self.files)
        fresh = f"fresh{os.getpid()}"
        try:
            names = self.entries(directory, "is_file")
            if not names:
                return False
            name = self.random.choice(names)
            canary = self.outside / f"canary{count % 40}"
            how = count % 3
            if how == 0:
                os.link(canary, fresh, dst_dir_fd=self.base)
            elif how == 1:
                os.symlink(canary, fresh, dir_fd=self.base)
            else:
                status = os.stat(name, dir_fd=directory, follow_symlinks=False)
                file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, dir_fd=self.base)
                os.write(file, b"x" * status.st_size)
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
                os.close(file)
            os.rename(fresh, name, src_dir_fd=self.base, dst_dir_fd=directory)
            return True
        finally:
            # What was not renamed, as of two names of one file, would be in the way of all that follow.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(fresh, dir_fd=self.base)
            os.close(directory)

    def mount(self, count):
        """Outside appears inside of what may go."""
        directory, _ = self.inner(self.any_root())
        try:
            name = f"mount{os.getpid()}"
            try:
                os.mkdir(name, dir_fd=directory)
            except FileExistsError:
                pass
            target = f"/proc/self/fd/{directory}/{name}".encode()
            is_mounted = self.libc.mount(os.fsencode(self.outside), target, None, MS_BIND, None) == 0
            if is_mounted:
                time.sleep(0.001)
                # What it is in may have been renamed: the descriptor knows it all the same.
                self.libc.umount2(target, MNT_DETACH)
            os.rmdir(name, dir_fd=directory)
            return is_mounted
        finally:
            os.close(directory)

    def shuffle(self, count):
        """Units change their names, and files their directories."""
        names = self.entries(self.units, "is_dir")
        moved = 0
        if names:
            os.rename(self.random.choice(names), f"moved{count % 50}", src_dir_fd=self.units, dst_dir_fd=self.units)
            moved += 1
        directory, _ = self.inner(self.files)
        try:
            for source, target in ((self.files, directory), (directory, self.files)):
                names = self.entries(source, "is_file")
                if names:
                    name = self.random.choice(names)
                    os.rename(name, name, src_dir_fd=source, dst_dir_fd=target)
                    moved += 1
        finally:
            os.close(directory)
        return moved > 0

    def write(self, count):
        """Somebody goes on writing in what is on its way out."""
        written = 0
        for name in self.entries(self.units, "is_dir"):
            if name.startswith(".headroom-going-"):
                unit = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=self.units)
                try:
                    file = os.open(f"late{count}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, dir_fd=unit)
                    os.write(file, b"late")
                    os.close(file)
                    written += 1
                finally:
                    os.close(unit)
        # A unit is on its way out for a moment only.
        time.sleep(0.0001)
        return written > 0

    def never(self, count):
        """Nothing: for the test of the suite itself."""
        time.sleep(0.001)
        raise OSError


KINDS = ["swap", "root", "relink", "mount", "shuffle", "write"]


def unmount_below(root, libc=None):
    libc = libc or ctypes.CDLL(None, use_errno=True)
    root = os.fsencode(root)
    with open("/proc/self/mountinfo", "rb") as mounts:
        points = [line.split()[4].decode("unicode_escape").encode("latin-1") for line in mounts]
    for point in reversed(points):
        if point.startswith(root + b"/"):
            libc.umount2(point, MNT_DETACH)


class Attacker:
    """A process that attacks in one way, and counts how often it could."""

    def __init__(self, world, kind, seed, directory):
        self.tally = Path(directory) / kind
        self.tally.write_bytes(bytes(8))
        self.child = subprocess.Popen(
            [sys.executable, __file__, str(world.base), kind, str(seed), str(self.tally)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.child.stdout.readline()

    def go(self):
        self.child.stdin.write("go\n")
        self.child.stdin.flush()

    def end(self):
        self.child.terminate()
        self.child.communicate()

    @property
    def successes(self):
        return struct.unpack("q", self.tally.read_bytes())[0]


def races(context):
    """Purges run while others are at work in the same directories."""
    with context.volume() as volume:
        world = context.world(volume)
        kinds = KINDS if context.is_root else [kind for kind in KINDS if kind != "mount"]
        # Not on the volume: it may be full, or slow.
        support = tempfile.TemporaryDirectory(prefix="headroom-races-", dir="/dev/shm")
        attackers = {kind: Attacker(world, kind, context.random.random(), support.name) for kind in kinds}
        limit = time.monotonic() + context.seconds + PATIENCE
        roots = [os.stat(root).st_ino for root in (world.files, world.units)]

        strace = "write" in attackers and shutil.which("strace")

        def idle():
            # Without strace nobody can be sure to come in time to write.
            return [kind for kind, attacker in attackers.items()
                    if attacker.successes == 0 and (strace or kind != "write")]

        try:
            # All at once: each has to find the area where it is.
            for attacker in attackers.values():
                attacker.go()
            rounds = 0
            while context.goes_on() or idle() and time.monotonic() < limit:
                for words in (FILES, UNITS):
                    # A unit is on its way out for a moment only: at times a longer one, and the longer the busier
                    # the machine seems to be.
                    is_missed = not attackers["write"].successes if strace else False
                    microseconds = 300 << min(rounds, 6) if is_missed else 300
                    is_slow = strace and (is_missed or context.random.random() < 0.3)
                    outcome = context.program.run(
                        world, *command(world, words),
                        injection=f"unlinkat:delay_enter={microseconds}" if is_slow else None)
                    context.count("removed", len((outcome.document or {}).get("removed", [])))
                    context.count("stayed", len((outcome.document or {}).get("skipped", [])))
                    context.done()
                # A canary that became a file of the area went with it only as that name.
                world.check_precious(others_write=True)
                world.fill()
                rounds += 1
        finally:
            for kind, attacker in attackers.items():
                attacker.end()
                context.count(kind, attacker.successes)
            without = idle()
            support.cleanup()
            unmount_below(world.base)
        if roots != [os.stat(root).st_ino for root in (world.files, world.units)]:
            raise Finding("what was attacked is not the area any more: the case itself is wrong")
        if without:
            raise Finding(f"nothing was attacked by {', '.join(without)}: none of what they tried could be done")
        world.check_precious(others_write=True)
        for words in (FILES, UNITS):
            outcome = context.program.run(world, *command(world, words))
            if outcome.code not in (0, 4):
                raise Finding(f"the last purge ends with {outcome.code}: {outcome.errors.decode()[-800:]}")
        world.check_precious(others_write=True)


if __name__ == "__main__":
    Attack(sys.argv[1], sys.argv[3])(sys.argv[2], sys.argv[4])
