# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The home of a made-up user, and a terminal in it, for what the documentation shows of the program.

It lies on a file system of its own, with files that are months old, in mount and process namespaces of their own, so
that nothing of this machine shows and nothing is left.
"""
import os
import random
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME, USER = Path("/home/ann"), 1000
DAY = 86400
WIDTH = 100
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


# -- The home, as it is put into an image ------------------------------------------------------------------------

def lay_out(home):
    """Writes the files, and says when each of them was born, in days ago."""
    chance = random.Random(7)
    ages = {}

    def file(name, size, days):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(size))
        ages[path] = days

    for number in range(900):
        file(f".cache/pip/http-v2/{number % 16:x}/{number:04}", chance.randint(20_000, 60_000),
             chance.randint(20, 500))
    for number in range(14):
        file(f".cache/huggingface/hub/models--bert/blobs/{number:02}", chance.randint(2_000_000, 4_000_000),
             chance.randint(30, 270))
    for number in range(500):
        file(f".cache/thumbnails/large/{number:04}.png", chance.randint(6_000, 20_000), chance.randint(5, 560))
    for number in range(300):
        file(f".cache/go-build/{number % 256:02x}/{number:06x}-d", chance.randint(10_000, 90_000), chance.randint(1, 90))
    for number in range(6):
        for part in range(40):
            file(f".local/state/tmp/build-{number}/{part:02}.o", chance.randint(9_000, 40_000), chance.uniform(0.5, 14))
    for number in range(12):
        file(f"Podcasts/offline/episode-{number + 1:02}.mp3", chance.randint(2_000_000, 3_500_000), chance.randint(20, 50))
    for number in range(20):
        file(f"Documents/letters/{number:02}.odt", chance.randint(20_000, 90_000), chance.randint(10, 900))
    for number in range(9):
        file(f"Pictures/Trip/IMG_{number + 4021}.jpg", chance.randint(2_000_000, 4_000_000), chance.randint(100, 400))
    file("Downloads/debian-12.9.0-amd64-netinst.iso", 24_000_000, 41)
    file("Videos/holiday.mp4", 30_000_000, 300)
    return ages


def make_image(path):
    """An ext4 with the home in it. The births of files can be set by debugfs alone."""
    with tempfile.TemporaryDirectory(dir=path.parent) as directory:
        source = Path(directory)
        ages = lay_out(source / "ann")
        now = time.time()
        # Directories are as old as the newest file in them.
        for file, days in list(ages.items()):
            for directory in file.parents:
                if directory == source:
                    break
                ages[directory] = min(days, ages.get(directory, days))
        for file, days in ages.items():
            os.utime(file, (now - days * DAY,) * 2)
        with open(path, "wb") as image:
            image.truncate(600_000_000)
        run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=0", "-d", source, path)
        lines = []
        for file, days in ages.items():
            when = time.strftime("%Y%m%d%H%M%S", time.gmtime(now - days * DAY))
            name = "/" + str(file.relative_to(source))
            lines += [f'set_inode_field "{name}" {field} {when}' for field in ("crtime", "ctime")]
        commands = source / "commands"
        commands.write_text("\n".join(lines), encoding="utf-8")
        run("debugfs", "-w", "-f", commands, path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# -- The terminal ------------------------------------------------------------------------------------------------

class Terminal:
    """A shell of the user in tmux."""

    def __init__(self, directory):
        self.socket = str(directory / "tmux")
        self.tmux("new-session", "-d", "-c", str(HOME), "-x", str(WIDTH), "-y", "40",
                  shlex.join(AS_USER) + " env -i " + " ".join(
                      f"{name}={shlex.quote(value)}" for name, value in environment().items())
                  + " bash --norc --noprofile -i")
        time.sleep(0.5)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket, *words], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False, stderr=subprocess.DEVNULL)

    def type(self, line):
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def screen(self, colours=False, joined=False):
        """With joined, a line that did not fit into the width is one."""
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []), *(["-J"] if joined else []))

    def until(self, text, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in self.screen():
                time.sleep(0.4)
                return
            time.sleep(0.1)
        raise RuntimeError(f"the terminal does not say “{text}”:\n{self.screen()}")

    def until_prompt(self, seconds=60):
        """Until what was typed has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.screen().rstrip().split("\n")
            if len(shown) > 1 and shown[-1] == "$":
                return
            time.sleep(0.1)
        raise RuntimeError(f"what was typed does not end:\n{self.screen()}")

    def clear(self, rows):
        self.tmux("resize-window", "-x", str(WIDTH), "-y", str(rows))
        self.tmux("send-keys", "-R", "C-l")
        self.tmux("clear-history")
        time.sleep(0.4)


def environment():
    return {"HOME": str(HOME), "USER": "ann", "PATH": "/media/headroom:/usr/bin:/bin", "LANG": "C.UTF-8", "PS1": "$ ",
            "TERM": "tmux-256color", "XDG_RUNTIME_DIR": "/run/user/1000", "HEADROOM_TRASH_VOLUMES": ""}


# -- The namespaces ----------------------------------------------------------------------------------------------

def find_program():
    """The newest build of the program; None if there is none."""
    built = [*ROOT.glob(".build*/release/headroom"), *ROOT.glob(".build*/debug/headroom")]
    return max(built, key=lambda file: file.stat().st_mtime, default=None)


def problem(program):
    """What is missing to do anything of this; None if nothing is."""
    if not program or not os.access(program, os.X_OK) or os.getuid() != 0:
        return "needs root, and the program: make release"
    for tool in ("tmux", "debugfs", "mkfs.ext4", "strace"):
        if not shutil.which(tool):
            return f"needs {tool}: Scripts/bootstrap test"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "--mount-proc", "losetup", "--find"], check=False,
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        return "needs namespaces of its own, and loop devices"
    return None


def run_inside(script, program, words=(), python="python3"):
    """Runs `script --inside DIRECTORY WORDS…` in namespaces of its own; DIRECTORY is then removed.

    Returns what it has printed.
    """
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        # What hides below is copied before: the sources may lie there as well.
        kept = Path(directory) / "program"
        kept.mkdir()
        for name in ("headroom", "headroomd", "headroom-protect"):
            built = Path(program).resolve().parent / name
            if built.exists():
                shutil.copy(built, kept / name)
        resources = Path(program).resolve().parent / "HeadroomTools_HeadroomDashboard.resources"
        if resources.is_dir():
            shutil.copytree(resources, kept / resources.name)
        return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", python, script, "--inside",
                   directory, *words, stdout=subprocess.PIPE, encoding="utf-8").stdout


def enter(directory):
    """Mounts the home, with the program in the user's path."""
    run("mount", "--make-rprivate", "/")
    make_image(directory / "untouched.img")
    if os.path.ismount("/dev/shm"):
        run("umount", "--lazy", "/dev/shm")
    for place in ("/tmp", "/mnt", "/run", "/media"):
        run("mount", "-t", "tmpfs", "-o", "mode=1777" if place == "/tmp" else "mode=755", "tmpfs", place)
    shutil.copytree(directory / "program", "/media/headroom")
    os.environ["PATH"] = "/media/headroom:" + os.environ["PATH"]
    Path("/run/user/1000").mkdir(parents=True)
    run("chown", "-R", f"{USER}:{USER}", "/run/user/1000")
    mount_home(directory)


def mount_home(directory):
    """The home as nothing has touched it yet, but for two marks."""
    image = directory / "home.img"
    run("cp", "--sparse=always", directory / "untouched.img", image)
    run("mount", "-o", "loop", image, "/home")
    run("chown", "-R", f"{USER}:{USER}", HOME)
    for words in (["mark", HOME / "Podcasts/offline", "--last-resort"], ["mark", HOME / ".cache/go-build", "--pin"]):
        run(*AS_USER, "headroom", *words, env=environment(), stdout=subprocess.DEVNULL)


def renew_home(directory):
    # Who was in it may not have ended yet.
    for _ in range(100):
        if subprocess.run(["umount", "/home"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
            break
        time.sleep(0.1)
    else:
        raise RuntimeError("/home is still in use")
    mount_home(directory)
