# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The real program, serving a home of its own.

Purges of these tests are real, and they may run as root. So the program sees nothing of the machine's
homes and temporary directories: its environment is made from nothing, and all that it names lies in one
directory that is made for the test and removed after it.
"""

import contextlib
import hashlib
import json
import os
import selectors
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PROGRAM = os.environ.get("HEADROOM_DASHBOARD_PROGRAM")
MISSING = "HEADROOM_DASHBOARD_PROGRAM names no program. Build one: make test"


class Home:
    """A home in a directory of its own, in memory where there is a place for that."""

    def __init__(self, directory=None):
        memory = "/dev/shm"
        self.directory = Path(directory or tempfile.mkdtemp(
            prefix="headroom-test-", dir=memory if os.access(memory, os.W_OK) else None))
        self.path = self.directory / "home"
        for name in ("home/.cache", "home/Documents", "home/tmp", "state", "run"):
            (self.directory / name).mkdir(parents=True, mode=0o700)

    def remove(self):
        shutil.rmtree(self.directory)

    @property
    def environment(self):
        return {
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.path), "TMPDIR": str(self.path / "tmp"),
            "HEADROOM_STATE_DIRECTORY": str(self.directory / "state"), "HEADROOM_TRASH_VOLUMES": "",
            "XDG_CACHE_HOME": str(self.path / ".cache"), "XDG_CONFIG_HOME": str(self.path / ".config"),
            "XDG_DATA_HOME": str(self.path / ".local/share"), "XDG_STATE_HOME": str(self.path / ".local/state"),
            "XDG_RUNTIME_DIR": str(self.directory / "run"),
        }

    def file(self, name, size=4096, content=None):
        """A file below the home; the name may be bytes."""
        path = os.path.join(os.fsencode(self.path), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if content is not None else os.urandom(size))
        return path

    def listing(self):
        """All there is, by its name as bytes: what it is, and for files what is in them and from when."""
        root = os.fsencode(self.path)
        found = {}
        for directory, names, files in os.walk(root):
            for name in names + files:
                path = os.path.join(directory, name)
                status = os.lstat(path)
                if stat.S_ISREG(status.st_mode):
                    content = hashlib.sha256(Path(os.fsdecode(path)).read_bytes()).hexdigest()
                    about = ("file", status.st_mode, status.st_mtime_ns, status.st_size, content)
                elif stat.S_ISLNK(status.st_mode):
                    about = ("link", os.readlink(path))
                else:
                    about = ("directory", status.st_mode)
                found[os.path.relpath(path, root)] = about
        return found

    def exists(self, name):
        return os.path.lexists(os.path.join(os.fsencode(self.path), os.fsencode(name)))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def clock_library(directory):
    """A library by which the files that a test has just written count as idle."""
    library = directory / "clock.so"
    if not library.exists():
        source = Path(__file__).parents[3] / "Tests/clock.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


class Daemon:
    """`headroom serve` as a process, and its API with the token it has printed.

    It goes by what is built in, or by the configuration in `config` beside the home.
    """

    def __init__(self, home, port=None):
        self.home = home
        self.port = port or free_port()
        config = home.directory / "config"
        chosen = ["--directory", str(config)] if config.exists() else ["--defaults"]
        with open(home.directory / "serve.log", "ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", *chosen, "--listen", f"127.0.0.1:{self.port}", "--show-token"],
                env={**home.environment, "LD_PRELOAD": str(clock_library(home.directory)),
                     "CLOCK_OFFSET": "7200"}, cwd=home.directory,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        self.address = self.first_line().removeprefix("Dashboard: ")
        if "#token=" not in self.address:
            self.kill()
            raise RuntimeError(f"headroom serve did not print its address:\n{self.log()}")
        self.token = self.address.split("#token=")[1]

    def first_line(self, seconds=60):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return ""
        return self.process.stdout.readline().decode().strip()

    def log(self):
        return (self.home.directory / "serve.log").read_text(errors="replace")[-4000:]

    @contextlib.contextmanager
    def slowly(self):
        """Lets it run only now and then, so that what it does is seen on the fastest machine too."""
        enough = threading.Event()

        def used():
            try:
                text = Path(f"/proc/{self.process.pid}/stat").read_text()
            except FileNotFoundError:
                return 0  # It was killed.
            # proc_pid_stat(5): what follows the name begins with field 3.
            fields = text.rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        def hold():
            while not enough.is_set() and self.process.poll() is None:
                self.process.send_signal(signal.SIGSTOP)
                enough.wait(0.2)
                start, end = used(), time.monotonic() + 0.5
                self.process.send_signal(signal.SIGCONT)
                # By its processor time: on a busy machine it would come to nothing.
                while used() - start < 0.02 and time.monotonic() < end and not enough.wait(0.005):
                    pass

        holder = threading.Thread(target=hold)
        holder.start()
        try:
            yield
        finally:
            enough.set()
            holder.join()

    def kill(self):
        """As the kernel does, without a word."""
        self.process.kill()
        self.ended()

    def stop(self):
        """As a person does; ends well, or tells how not."""
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(30)
        self.ended()
        if code not in (0, -9):
            raise AssertionError(f"headroom serve ended with {code}:\n{self.log()}")

    def ended(self):
        self.process.wait(30)
        self.process.stdout.close()

    def ask(self, method, path, body=None):
        """What the API answers, also where it refuses."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read()
        return json.loads(text) if text else None

    def entries(self, plan):
        """All entries of a plan, by their index, each with its path as bytes."""
        found, cursor = {}, None
        while True:
            page = self.ask("GET", f"/plans/{plan}/entries?limit=2000" + (f"&cursor={cursor}" if cursor else ""))
            for entry in page["entries"]:
                found[entry["index"]] = {**entry, "name": path_of(entry)}
            cursor = page.get("cursor")
            if cursor is None:
                return found


def path_of(entry):
    """The bytes of a path as the API names it."""
    if "pathBytes" in entry:
        return urllib.parse.unquote_to_bytes(entry["pathBytes"])
    return entry["path"].encode()
