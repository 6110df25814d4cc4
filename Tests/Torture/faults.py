# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
#
"""System calls that fail, one in each run, and kills before a system call."""
from program import CALLS, WRITING
from world import Finding

FILES = ("purge", "{files}", "--as", "cache", "--all", "--min-idle", "0s", "--yes", "--json")
UNITS = ("purge", "{units}", "--as", "cache", "--unit", "entry", "--all", "--min-idle", "0s", "--yes",
         "--json")


def command(world, words):
    return [word.format(files=world.files, units=world.units) for word in words]


class Bench:
    """Runs purges with a fault each, and judges after each what is there."""

    def __init__(self, context, world):
        self.context, self.world = context, world
        self.program, self.random = context.program, context.random
        self.counts = {}
        for words in (FILES, UNITS):
            self.counts[words] = self.program.counts(world, *command(world, words))
            world.fill()

    def injection(self, words, kills):
        """A system call that is made, which time it is made, and what comes of it."""
        counts = self.counts[words]
        call = self.random.choice([call for call in CALLS if counts.get(call)])
        number = self.random.randint(1, counts[call])
        if kills:
            return f"{call}:signal=SIGKILL:when={number}"
        errors = ["EIO", "ENOMEM", "EACCES"]
        if call in WRITING:
            errors += ["ENOSPC", "EDQUOT", "EROFS"]
        if call.startswith("open"):
            errors += ["EMFILE", "ENFILE", "ELOOP"]
        if self.random.random() < 0.1:
            # What was interrupted is tried again: not for ever.
            return f"{call}:error=EINTR:when={number}"
        # Once, or from then on: a disk that is gone.
        return f"{call}:error={self.random.choice(errors)}:when={number}{self.random.choice(['', '+'])}"

    def strike(self, kills):
        words = self.random.choice([FILES, UNITS])
        injection = self.injection(words, kills)
        self.context.note(f"{words[1]} {injection}")
        from world import snapshot

        before = snapshot(self.world.base / "area")
        outcome = self.program.run(self.world, *command(self.world, words), injection=injection)
        self.world.check_precious()
        stayed = set() if kills else outcome.names("skipped")
        # Without a document nobody knows what could not be removed.
        is_told = outcome.document is not None and "skipped" in outcome.document
        halves = stayed if is_told or kills else {p.split(b"/")[1] for p in before if p.startswith(b"units/")}
        after = self.world.check_whole(before, may_halve=halves)
        if is_told:
            self.check_words(outcome, before, after)

    @staticmethod
    def check_words(outcome, before, after):
        """What it says is gone is gone."""
        there = {}
        for path in after:
            there.setdefault(path.split(b"/")[-1], []).append(path)
        names = [path.split(b"/")[-1] for path in before]
        for name in outcome.names("removed"):
            # Names that are there once only tell for certain.
            if name in there and names.count(name) == 1:
                raise Finding(f"{there[name][0]!r} is said to be removed, and is there")

    def settle(self):
        """Without faults the next purges finish what was begun, and the ledger can be read."""
        for words in (FILES, UNITS):
            outcome = self.program.run(self.world, *command(self.world, words))
            if outcome.code != 0:
                raise Finding(f"the next purge ends with {outcome.code}: {outcome.errors.decode()[-800:]}"
                              f"{outcome.output.decode()[-800:]}")
        self.world.check_precious()
        self.world.check_empty()
        log = self.program.run(self.world, "log", "--json")
        if log.code != 0 or not log.lines:
            raise Finding(f"the log cannot be read: {log.errors.decode()[-800:]}")
        self.world.fill()


def faults(context, kills=False):
    """Each system call of a purge fails some time."""
    with context.volume() as volume:
        world = context.world(volume)
        bench = Bench(context, world)
        while context.goes_on():
            for _ in range(8):
                bench.strike(kills)
                context.done()
            bench.settle()


def kills(context):
    """kill -9 before each system call of a purge."""
    faults(context, kills=True)
