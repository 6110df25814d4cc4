# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""File systems of the suite's own, in memory, unmounted and removed at the end."""
import shutil
import subprocess
import tempfile
from pathlib import Path

KINDS = ["tmpfs", "ext4", "xfs", "btrfs", "overlay"]
SMALLEST = {"tmpfs": 16, "ext4": 16, "xfs": 320, "btrfs": 128}


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: {result.stderr.strip()}")
    return result.stdout


class Volume:
    """`with Volume("ext4", 64) as volume:` … `volume.path`"""

    def __init__(self, kind, mebibytes=None, inodes=None, options=(), formatting=()):
        self.kind = kind
        self.size = max(mebibytes or 0, SMALLEST.get(kind, 64))
        self.inodes = inodes
        self.options = list(options)
        self.formatting = list(formatting)
        self.mounts = []

    def __enter__(self):
        self.support = Path(tempfile.mkdtemp(prefix="headroom-torture-", dir="/dev/shm"))
        self.path = self.support / "mount"
        self.path.mkdir()
        try:
            self.mount()
        except BaseException:
            self.__exit__()
            raise
        return self

    def mount(self):
        options = list(self.options)
        if self.kind == "tmpfs":
            options.append(f"size={self.size}m")
            if self.inodes:
                options.append(f"nr_inodes={self.inodes}")
            run("mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", self.path)
        elif self.kind == "overlay":
            # Of its own: with user attributes, and no overlay itself.
            run("mount", "-t", "tmpfs", "-o", f"size={self.size}m", "tmpfs", self.path)
            self.mounts.append(self.path)
            for name in ("lower", "upper", "work", "merged"):
                (self.path / name).mkdir()
            merged = self.path / "merged"
            layers = f"lowerdir={self.path}/lower,upperdir={self.path}/upper,workdir={self.path}/work"
            run("mount", "-t", "overlay", "-o", layers, "overlay", merged)
            self.path = merged
        else:
            image = self.support / "image"
            with open(image, "wb") as file:
                file.truncate(self.size << 20)
            quiet = {"ext4": ["-q", "-F"], "xfs": ["-q"], "btrfs": ["-q", "-f"]}[self.kind]
            run(f"mkfs.{self.kind}", *quiet, *self.formatting, image)
            run("mount", "-o", ",".join(["loop", *options]), image, self.path)
        self.mounts.append(self.path)

    def bind(self, source, target):
        run("mount", "--bind", source, target)
        self.mounts.append(target)

    def __exit__(self, *_):
        for path in reversed(self.mounts):
            subprocess.run(["umount", "-l", str(path)], capture_output=True)
        shutil.rmtree(self.support, ignore_errors=True)


def possible():
    """The kinds that can be mounted here."""
    kinds = []
    for kind in KINDS:
        try:
            with Volume(kind):
                kinds.append(kind)
        except OSError:
            pass
    return kinds
