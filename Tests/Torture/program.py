# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""The program, run as it is, and with system calls that fail or end it."""
import json
import os
import re
import signal
import subprocess
import tempfile

from world import Finding

# What a program does with files. Those by which the runtime starts are among them.
CALLS = [
    "openat", "openat2", "statx", "newfstatat", "fstat", "fstatfs", "getdents64", "unlinkat", "renameat2", "mkdirat",
    "linkat", "write", "pwrite64", "writev", "read", "pread64", "fsync", "fdatasync", "ftruncate", "fallocate", "flock",
    "fcntl", "flistxattr", "fgetxattr", "fsetxattr", "llistxattr", "lgetxattr", "ioctl", "close", "lseek", "readlinkat",
]
WRITING = {"write", "pwrite64", "writev", "fallocate", "ftruncate", "openat", "mkdirat", "linkat", "renameat2", "fsync",
           "fdatasync", "fsetxattr", "unlinkat"}
# What the program may end with. Anything else is a crash.
CODES = {0, 1, 2, 3, 4, 130}
PATIENCE = 120


class Outcome:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors

    @property
    def document(self):
        try:
            return json.loads(self.output)
        except ValueError:
            return None

    @property
    def lines(self):
        """Of output with a document a line; None if one of them is none."""
        try:
            return [json.loads(line) for line in self.output.splitlines()]
        except ValueError:
            return None

    def names(self, member):
        """The last names of what a purge says of its items."""
        found = set()
        for item in (self.document or {}).get(member, []):
            raw = item.get("pathBytes")
            path = re.sub(rb"%(..)", lambda m: bytes([int(m[1], 16)]), raw.encode()) if raw else item["path"].encode()
            found.add(os.path.basename(path))
        return found


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, world, *arguments, injection=None, environment=None, kill_after=None):
        """Runs it to its end; a crash or a standstill is a finding.

        `injection`: what strace makes of its system calls. `kill_after`: seconds.
        """
        command = [self.path, *arguments]
        if injection:
            calls = injection.split(":")[0]
            command = ["strace", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf", "-e", f"trace={calls}", "-e",
                       f"inject={injection}", *command]
        child = subprocess.Popen(
            command, env={**world.environment, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd="/", start_new_session=True)
        try:
            output, errors = child.communicate(timeout=kill_after or PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, errors = child.communicate()
            if not kill_after:
                raise Finding(f"{' '.join(command)} stood still for {PATIENCE} s")
        code = child.returncode
        is_killed = code in (-signal.SIGKILL, 128 + signal.SIGKILL)
        may_be_killed = kill_after or injection and "signal=" in injection
        if code not in CODES and not (is_killed and may_be_killed) and not self.has_not_begun(code, errors):
            raise Finding(f"{' '.join(command)} ended with {code}: {errors.decode(errors='replace')[-2000:]}")
        return Outcome(code, output, errors)

    @staticmethod
    def has_not_begun(code, errors):
        """The loader has said that it could not load the program."""
        return code == 127 and b"error while loading shared libraries" in errors

    def counts(self, world, *arguments):
        """How often each system call is made, by whichever thread makes it most often."""
        with tempfile.NamedTemporaryFile() as trace:
            subprocess.run(
                ["strace", "-f", "-qq", "-o", trace.name, "-e", f"trace={','.join(CALLS)}", self.path, *arguments],
                env=world.environment, stdin=subprocess.DEVNULL, capture_output=True, cwd="/", timeout=PATIENCE)
            counts = {}
            for line in trace.read().decode(errors="replace").splitlines():
                if match := re.match(r"(\d+) +(\w+)\(", line):
                    counts[match.groups()] = counts.get(match.groups(), 0) + 1
        most = {}
        for (_, call), count in counts.items():
            most[call] = max(most.get(call, 0), count)
        return most
