# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""A home directory that never was: large, old, and with names that break pages."""

import math
import random
import time
from urllib.parse import quote, unquote_to_bytes

DAY = 86_400
HOME = b"/home/ada"
CLASSES = ["temporary", "cache", "trash", "lastResort", "essential"]

NASTY = [
    "<img src=x onerror=document.title='owned'>".encode(),
    b"\xff\xfe not utf-8 \x80.bin",
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd.txt".encode(),
    "\u202egnp.exe".encode(),
    b"line\nbreak\x1b[31mred",
    b"n" * 255,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 family e\u0301.jpg".encode(),
    b"100% & a+b #1?.txt",
    b"'; DROP TABLE files; --",
    b" leading and trailing ",
]


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def encoded(raw):
    return quote(raw, safe="/-._~")


def named(member, raw, answer):
    """A name or a path, and its bytes where it is no text."""
    try:
        answer[member] = raw.decode("utf-8")
    except UnicodeDecodeError:
        answer[member] = raw.decode("utf-8", "replace")
        answer[member + "Bytes"] = encoded(raw)
    return answer


class Node:
    """A directory whose children are made when they are looked at, or a file."""

    def __init__(self, name, size, kind="file", klass="essential", maker=None, **more):
        self.name, self.bytes, self.kind, self.klass = name, size, kind, klass
        self.maker, self.more, self.made = maker, more, None
        self.items = more.pop("items", 1)

    @property
    def children(self):
        if self.made is None:
            self.made = self.maker() if self.maker else []
            self.made.sort(key=lambda node: -node.bytes)
        return self.made

    def remove(self, child):
        self.made = [other for other in self.children if other is not child]


def files(count, total, klass, seed, prefix="", skew=1.3, names=None, **more):
    def make():
        rng = random.Random(seed)
        weights = [1 / (rank + 1) ** skew * rng.uniform(0.7, 1.3) for rank in range(count)]
        whole = sum(weights)
        now = time.time()
        made = []
        for rank, weight in enumerate(weights):
            name = names[rank] if names and rank < len(names) else b"%s%06x.bin" % (
                prefix.encode(), rng.randrange(1 << 24))
            node = Node(name, int(total * weight / whole), "file", klass, **more)
            node.more["lastUse"] = now - rng.uniform(0, 1) ** 2 * 500 * DAY
            if rng.random() < 0.02:
                node.more["inUse"] = True
            if rng.random() < 0.015:
                node.more["pinned"] = True
            made.append(node)
        return made
    return make


def directory(name, klass, children, **more):
    """A directory of nodes that are known."""
    total = sum(child.bytes for child in children)
    node = Node(name, total, "directory", klass, lambda: children,
                items=sum(child.items for child in children), **more)
    uses = [child.more["lastUse"] for child in children if "lastUse" in child.more]
    if uses:
        node.more["lastUse"] = max(uses)
    return node


def folder(name, total, count, klass, seed, levels=1, skew=1.3, age=None, **more):
    """A directory of many files, or of directories of them."""
    if levels == 0:
        maker = files(count, total, klass, seed, skew=skew)
    else:
        def maker():
            rng = random.Random(seed)
            width = min(16, max(2, int(count ** 0.4)))
            weights = [1 / (rank + 1) * rng.uniform(0.6, 1.4) for rank in range(width)]
            whole = sum(weights)
            return [folder(b"%x" % rng.randrange(16 ** (2 + rank % 4)), int(total * weight / whole),
                           max(1, count // width), klass, rng.random(), levels - 1, skew)
                    for rank, weight in enumerate(weights)]
    rng = random.Random(str(seed))
    node = Node(name, total, "directory", klass, maker, items=count, **more)
    node.more["lastUse"] = time.time() - (age if age is not None else rng.uniform(0, 1) ** 2 * 400) * DAY
    return node


def make_tree():
    gb = 10 ** 9
    cache = directory(b".cache", "cache", [
        folder(b"pip", int(4.1 * gb), 61_204, "cache", 1, 3, age=30),
        folder(b"org.swift.swiftpm", int(3.9 * gb), 22_318, "cache", 2, 2, age=4),
        folder(b"mozilla", int(2.2 * gb), 48_120, "cache", 3, 2, age=0.01, inUse=True),
        folder(b"go-build", int(1.9 * gb), 91_002, "cache", 4, 2, age=140),
        folder(b"ccache", int(1.4 * gb), 30_000, "cache", 5, 2, age=75),
        folder(b"thumbnails", int(0.4 * gb), 12_400, "cache", 6, 1, age=300),
        folder(b"huggingface", int(6.8 * gb), 120, "cache", 7, 1, age=420, pinned=True),
        # Equal sizes, so that each can be seen.
        Node(b"many", 3 * gb, "directory", "cache", files(100_000, 3 * gb, "cache", 8, skew=0.05),
             items=100_000, lastUse=time.time() - 9 * DAY),
        directory(b"nasty names", "cache", [
            *files(len(NASTY), gb // 5, "cache", 9, skew=0.4, names=NASTY)(),
            folder(b"\xe9t\xe9 (latin-1)", gb // 20, 40, "cache", 10, 0),
        ]),
    ] + [folder(b"app-%02d" % index, int(rng * gb), 900, "cache", 100 + index, 1)
         for index, rng in enumerate(random.Random(4).uniform(0.01, 0.25) for _ in range(24))],
        area=True)
    temporary = folder(b"/tmp", int(1.2 * gb), 4_213, "temporary", 20, 1, age=3, area=True)
    podcasts = folder(b"offline", 512_000_000, 38, "lastResort", 21, 0, age=5, marked=True, area=True)
    trash = folder(b"/home/ada/.local/share/Trash", 640_000_000, 412, "trash", 22, 1, age=12, area=True)
    documents = directory(b"Documents", "essential", [
        Node(b"thesis.pdf", 48_000_000, lastUse=time.time() - 3 * DAY),
        Node(b"old holiday film.mov", 2_400_000_000, lastUse=time.time() - 700 * DAY),
        Node(b"copy of old holiday film.mov", 2_400_000_000, lastUse=time.time() - 690 * DAY),
        folder(b"Letters", 120_000_000, 800, "essential", 23, 1),
    ])
    home = directory(b"/home/ada", "essential", [
        cache, documents, directory(b"Podcasts", "lastResort", [podcasts]),
        folder(b"Pictures", 41 * gb, 18_400, "essential", 24, 2),
        folder(b"src", 22 * gb, 310_000, "essential", 25, 3),
        folder(b".local", 6 * gb, 22_000, "essential", 26, 2)])
    return {"areas": {temporary.name: temporary, HOME + b"/.cache": cache,
                      trash.name: trash, HOME + b"/Podcasts/offline": podcasts},
            "home": {HOME: home}}


def find(roots, path):
    """A node by its path, with the directories above; None if it is not there."""
    for root, node in roots.items():
        if path == root:
            return node, []
        if path.startswith(root + b"/"):
            above, here = [(root, root, node)], root
            for part in path[len(root) + 1:].split(b"/"):
                node = next((child for child in node.children if child.name == part), None)
                if node is None:
                    return None, []
                here = here + b"/" + part
                above.append((here, part, node))
            return above[-1][2], above[:-1]
    return None, []


def node_answer(node, depth, limit, cursor=0, name=None):
    answer = {"kind": node.kind, "bytes": node.bytes, "items": node.items, "class": node.klass}
    named("name", name if name is not None else node.name, answer)
    for key, value in node.more.items():
        answer[key] = stamp(value) if key == "lastUse" else value
    if depth > 0 and node.kind == "directory":
        children = node.children
        shown = children[cursor:cursor + limit]
        inner = max(4, min(60, limit // max(1, len(shown)))) if depth > 1 else 0
        answer["children"] = [node_answer(child, depth - 1, inner) for child in shown]
        end = cursor + len(shown)
        if end < len(children):
            answer["rest"] = {"count": len(children) - end,
                              "bytes": sum(child.bytes for child in children[end:]),
                              "cursor": str(end)}
    return answer


def samples(total, used, days, points, now):
    """A saw: it fills slowly and is purged now and then; the last is as it is now."""
    rng = random.Random(5)
    level, course, purges = used - 0.13 * total, [], []
    for index in range(points):
        moment = now - days * DAY * (1 - index / (points - 1))
        level += total * 0.0009 * rng.uniform(0.2, 1.9)
        if index % 71 == 64:
            gone = total * rng.uniform(0.02, 0.06)
            level -= gone
            purges.append((moment, int(gone)))
        course.append((moment, level + total * 0.004 * math.sin(index / 9)))
    shift = used - course[-1][1]
    return [(moment, int(value + shift)) for moment, value in course], purges


def decode_path(text):
    return unquote_to_bytes(text)
