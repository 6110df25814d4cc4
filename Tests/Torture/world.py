# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""A tree in which something may go, what stands around it, and who knows what must still be there.

The judgement is made by reading the disk, with nothing of Headroom's own: what it says of itself is compared
with that.
"""
import contextlib
import hashlib
import os
import shutil
import sqlite3
import stat
import time
from pathlib import Path

GOING = b".headroom-going-"


class Finding(Exception):
    """Something that must not happen."""


class Entry:
    """What a name leads to, as far as nobody may change it."""

    __slots__ = ("kind", "inode", "size", "mode", "modified", "content")

    def __init__(self, path, status):
        self.kind = stat.S_IFMT(status.st_mode)
        self.inode = status.st_ino
        self.mode = status.st_mode
        is_directory = stat.S_ISDIR(status.st_mode)
        # A directory changes with what goes from it.
        self.size = 0 if is_directory else status.st_size
        self.modified = 0 if is_directory else status.st_mtime_ns
        self.content = None
        if stat.S_ISLNK(status.st_mode):
            self.content = os.readlink(path)
        elif stat.S_ISREG(status.st_mode):
            with open(path, "rb") as file:
                self.content = hashlib.blake2b(file.read(), digest_size=16).digest()

    def __eq__(self, other):
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def difference(self, other):
        return ", ".join(
            f"{name} {getattr(self, name)!r} is now {getattr(other, name)!r}"
            for name in self.__slots__
            if getattr(self, name) != getattr(other, name)
        )


def snapshot(root):
    """All below a directory, by its path from there."""
    root = os.fsencode(root)
    found = {}
    pending = [b""]
    while pending:
        directory = pending.pop()
        for entry in os.scandir(os.path.join(root, directory)):
            path = os.path.join(directory, entry.name)
            status = entry.stat(follow_symlinks=False)
            found[path] = Entry(entry.path, status)
            if stat.S_ISDIR(status.st_mode):
                pending.append(path)
    return found


def shown(path):
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def database_template(directory):
    """A database with a part of it in its log, as a program that was killed leaves it."""
    path = Path(directory) / "template"
    path.mkdir()
    connection = sqlite3.connect(path / "d.sqlite")
    connection.execute("pragma journal_mode=wal")
    connection.execute("create table t(x)")
    connection.executemany("insert into t values (?)", [(n,) for n in range(50)])
    connection.commit()
    files = {s: (path / f"d.sqlite{s}").read_bytes() for s in ("", "-wal", "-shm")}
    connection.close()
    shutil.rmtree(path)
    return files


class World:
    """`area/files` holds files that may go one by one, `area/units` directories that go whole, `outside` is
    nobody's business, `home` has what a person made."""

    NAMES = [b"plain", b"with space", b"new\nline", b"quote\"'", b"raw\xff\xfe", "ümläut".encode(), b"-rf", b"*"]

    def __init__(self, base, random, state=None, size=60):
        self.base = Path(base)
        self.random = random
        self.size = size
        self.state = Path(state) if state else self.base / "state"
        self.files = self.base / "area" / "files"
        self.units = self.base / "area" / "units"
        self.outside = self.base / "outside"
        self.home = self.base / "home"
        self.database = None
        self.round = 0

    @property
    def environment(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "HEADROOM_"))}
        environment.update(
            HOME=str(self.home), TMPDIR=str(self.home / "tmp"),
            HEADROOM_STATE_DIRECTORY=str(self.state), LC_ALL="C.UTF-8")
        return environment

    def make(self):
        for directory in (self.home / "Documents", self.home / "tmp", self.files, self.units, self.outside / "twin"):
            directory.mkdir(parents=True)
        self.database = database_template(self.base)
        for number in range(40):
            (self.outside / f"canary{number}").write_bytes(self.random.randbytes(self.random.randrange(3000)))
            (self.outside / "twin" / f"a{number}").write_bytes(b"not what was planned")
        (self.outside / "linked").write_bytes(self.random.randbytes(5000))
        for number in range(10):
            (self.home / "Documents" / f"letter{number}").write_bytes(self.random.randbytes(2000))
        self.fill()
        self.precious = self.looked_at()

    def looked_at(self):
        places = {"outside": self.outside, "documents": self.home / "Documents"}
        return {name: snapshot(path) for name, path in places.items()}

    # MARK: - What may go

    def name(self, number):
        return self.random.choice(self.NAMES) + str(number).encode()

    def fill(self):
        """Makes the area anew, as far as it is gone."""
        self.round += 1
        with self.root(self.files) as files, self.root(self.units) as units:
            self.fill_roots(files, units)

    @staticmethod
    @contextlib.contextmanager
    def root(path):
        """A path of a directory that stays the same while others rename it. Made by its name, it would be made a second
        time while it has another, and those who attack the first would attack nothing from then on."""
        end = time.monotonic() + 10
        while True:
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                break
            except OSError:
                # Somebody has put it aside for a moment.
                if time.monotonic() > end:
                    raise
        try:
            yield b"/proc/self/fd/%d" % descriptor
        finally:
            os.close(descriptor)

    def fill_roots(self, files, units):
        random = self.random
        for number in range(self.size):
            directory = os.path.join(files, *(b"d%d" % random.randrange(4) for _ in range(random.randrange(4))))
            self.attempt(os.makedirs, directory, exist_ok=True)
            self.write(os.path.join(directory, self.name(number)), random.randrange(40_000))
        for number in range(3):
            for suffix, content in self.database.items():
                self.write(os.path.join(files, b"data%d.sqlite%s" % (number, suffix.encode())), content)
        self.attempt(os.symlink, "../../outside", os.path.join(files, b"out"))
        self.attempt(os.symlink, "../../outside/twin", os.path.join(units, b"out"))
        self.attempt(os.link, self.outside / "linked", os.path.join(files, b"link"))
        for number in range(max(4, self.size // 8)):
            unit = os.path.join(units, b"u%d" % number)
            for part in range(random.randrange(1, 12)):
                directory = os.path.join(unit, *(b"s%d" % random.randrange(3) for _ in range(random.randrange(3))))
                self.attempt(os.makedirs, directory, exist_ok=True)
                self.write(os.path.join(directory, self.name(part)), random.randrange(9000))
            self.attempt(os.symlink, "../../../outside/canary1", os.path.join(unit, b"out"))

    def write(self, path, content):
        """Content, or so many bytes of any; never into what is there: that may be a link to outside."""

        def make():
            with open(path, "xb") as file:
                file.write(content if isinstance(content, bytes) else self.random.randbytes(content))

        self.attempt(make)

    @staticmethod
    def attempt(work, *arguments, **options):
        """What is there already, or is being changed by others, may be."""
        try:
            work(*arguments, **options)
        except OSError:
            pass

    # MARK: - Judging

    def check_precious(self, others_write=False):
        """What nobody may touch; with others at work something may have come beside it."""
        for name, now in self.looked_at().items():
            before = self.precious[name]
            for path, entry in before.items():
                if path not in now:
                    raise Finding(f"{name}: {shown(path)} is gone")
                if entry != now[path]:
                    raise Finding(f"{name}: {shown(path)}: {entry.difference(now[path])}")
            for path in () if others_write else now.keys() - before.keys():
                raise Finding(f"{name}: {shown(path)} has come")

    def check_whole(self, before, may_halve=()):
        """Nothing in the area is half itself: `before` is a snapshot of it.

        `may_halve`: units of which it was said that something of them could not be removed.
        """
        now = snapshot(self.base / "area")
        for path, entry in now.items():
            if path in before:
                if entry != before[path]:
                    raise Finding(f"area: {shown(path)}: {before[path].difference(entry)}")
            elif GOING not in path:
                raise Finding(f"area: {shown(path)} has come")
        for path in now:
            if path.endswith(b".sqlite"):
                for suffix in (b"-wal", b"-shm"):
                    if path + suffix in before and path + suffix not in now:
                        raise Finding(f"area: {shown(path)} has lost its {suffix.decode()}")
        units = {path for path in before if path.startswith(b"units/") and path.count(b"/") == 1}
        for unit in units & now.keys():
            lost = [p for p in before if p.startswith(unit + b"/") and p not in now]
            if lost and os.path.basename(unit) not in may_halve:
                raise Finding(f"area: {shown(unit)} is there without {shown(lost[0])}")
        return now

    def check_empty(self):
        """Nothing that may go is left, nor anything on its way."""
        # The other name of a file outside frees nothing, and is kept.
        left = [p for p, e in snapshot(self.base / "area").items()
                if not stat.S_ISDIR(e.mode) and p != b"files/link"]
        if left:
            raise Finding(f"area: {shown(left[0])} is left, of {len(left)}")
