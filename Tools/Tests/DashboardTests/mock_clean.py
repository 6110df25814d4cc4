# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the stand-in has to clean by hand: sections, a choice of them, and what that would free.

`searching`, `nothing` and `reported` among the settings of mock.py: more is being looked for, there is nothing, and
so many reports of modules fit into a job.
"""

import random
import time

import mock_data as data

TITLES = [("caches", "System caches", True), ("modules", "Modules", True), ("directories", "Directories", True),
          ("downloads", "Downloads", False), ("video", "Videos", False), ("image", "Images", False),
          ("audio", "Audio", False), ("pdf", "PDF", False), ("document", "Documents", False),
          ("archive", "Archives", False), ("other", "Other files", False), ("trash", "Trash", False)]
MB = 10 ** 6


def thing(path, size, action, **more):
    return data.Node(path, size, action=action, lastUse=time.time() - more.pop("age", 90) * data.DAY, **more)


def make_sections():
    rng = random.Random(17)
    home, cache = data.HOME, data.HOME + b"/.cache"
    caches = [thing(cache + b"/pip", 4_100 * MB, "purge", label="pip", note="downloads them again", age=30),
              thing(cache + b"/org.swift.swiftpm", 3_900 * MB, "purge", label="SwiftPM", age=4),
              thing(home + b"/go/pkg/mod", 2_000 * MB, "command", label="Go modules", note="go clean -modcache"),
              # Each has one name of the same file.
              thing(cache + b"/linked-one", 700 * MB, "purge", link="both"),
              thing(cache + b"/linked-two", 700 * MB, "purge", link="both"),
              *(thing(cache + b"/" + name, 60 * MB - number, "purge") for number, name in enumerate(data.NASTY)),
              *(thing(cache + b"/app-%03d" % number, rng.randrange(MB, 40 * MB), "purge") for number in range(150))]
    videos = [thing(home + b"/Videos/old holiday film.mov", 2_400 * MB, "dispose", age=700),
              thing(home + b"/Videos/in use.mkv", 900 * MB, "dispose", refused="in use by mpv 2211", age=0.1),
              *(thing(home + b"/Videos/" + name, 200 * MB - number, "dispose") for number, name in enumerate(data.NASTY))]
    found = {"caches": caches, "modules": [thing(b"tiles", 300 * MB, "module", label="Map tiles", note="quota 500 MB"),
                         thing(b"mail", 80 * MB, "module", label="Mail", fails="mail-clean ended with exit code 3."),
                         thing(b"mute", 0, "module", label="Mute", note="did not say in its time what it holds")],
             "directories": [thing(home + b"/.local/share/OfflineMaps", 480 * MB, "purge", note="by Podcaster")],
             "downloads": [thing(home + b"/Downloads/installer.iso", 1_200 * MB, "dispose", age=200),
                           thing(home + b"/Downloads/episode.mp3", 90 * MB, "purge", note="last resort")],
             "video": videos,
             "trash": [thing(home + b"/.local/share/Trash/files/letters", 640 * MB, "empty", age=12)]}
    # A parent whose children are the items: the stand-in takes them out and puts them back by it.
    return {name: data.directory(name.encode(), "cache", found.get(name, [])) for name, _, _ in TITLES}


class Cleanables:
    def __init__(self, daemon, refusal):
        self.daemon, self.refusal = daemon, refusal
        self.sections = make_sections()
        self.seen, self.surveys, self.job = time.time() - 40, 1, None
        # What goes with a plan, and modules that may be asked, by their ids.
        self.planned, self.runs = {}, {}

    @staticmethod
    def id(node):
        return f"module:{node.name.decode()}" if node.more["action"] == "module" else data.encoded(node.name)

    @staticmethod
    def is_selectable(node):
        return node.more["action"] != "command" and (node.more["action"] != "module" or node.bytes > 0)

    @property
    def is_searching(self):
        return bool(self.daemon.settings.get("searching") or self.job and self.job["state"] == "running")

    def drop_purged(self):
        for name in [name for name in self.planned if self.daemon.plans.get(name, {}).get("purged")]:
            for parent, node in self.planned.pop(name):
                parent.remove(node)

    # MARK: Listing

    def item(self, node):
        more, last = node.more, node.name.rsplit(b"/", 1)[-1]
        answer = {"id": self.id(node), "items": node.items, "action": more["action"],
                  "selectable": self.is_selectable(node), "lastUse": data.stamp(more["lastUse"])}
        if node.bytes or more["action"] != "module":
            answer["bytes"] = node.bytes
        if "label" in more:
            answer["name"] = more["label"]
        else:
            data.named("name", last, answer)
        if more["action"] != "module":
            data.named("path", node.name, answer)
        note = more.get("note", "/home/ada/Videos" if more["action"] == "dispose" else "")
        if note:
            answer["note"] = note
        return answer

    def answer(self, query):
        self.drop_purged()
        names = [name for name, _, _ in TITLES]
        if query.get("section", names[0]) not in names:
            raise self.refusal(404, "not-found", "There is no such section.")
        limit, start = int(query.get("limit", 100)), 0
        if "cursor" in query:
            survey, start = query["cursor"].split(".")
            start = int(start)
            if survey != f"s{self.surveys}":
                raise self.refusal(409, "conflict", "It was looked for again.", "Begin without a cursor.")
        sections = []
        for name, title, recreatable in TITLES:
            if query.get("section", name) != name:
                continue
            nodes = [] if self.daemon.settings.get("nothing") else self.sections[name].children
            if self.is_searching:
                nodes = nodes[:3]
            shown = nodes[start:start + limit]
            section = {"id": name, "title": title, "recreatable": recreatable, "complete": not self.is_searching,
                       "bytes": sum(node.bytes for node in nodes), "count": len(nodes),
                       "items": [self.item(node) for node in shown]}
            end = start + len(shown)
            if end < len(nodes):
                section["rest"] = {"count": len(nodes) - end, "bytes": sum(node.bytes for node in nodes[end:]),
                                   **({} if self.is_searching else {"cursor": f"s{self.surveys}.{end}"})}
            sections.append(section)
        return {"state": "searching" if self.is_searching else "ready", "seen": data.stamp(self.seen), "sections": sections}

    def look_again(self):
        def finish(_):
            self.seen = time.time()
            self.surveys += 1
        answer = self.daemon.job("survey", "Looking for what can be cleaned", 0.3, {}, finish)
        self.job = self.daemon.jobs[answer["job"]["id"]]
        return answer

    # MARK: Choosing

    def chosen(self, body):
        known = {self.id(node): (parent, node) for parent in self.sections.values() for node in parent.children}
        for name in body.get("items", []):
            if name not in known:
                raise self.refusal(404, "not-found", f"“{name}” is not listed, or not any more.", "Look again.")
            if not self.is_selectable(known[name][1]):
                raise self.refusal(400, "bad-request", "It cannot be chosen.")
        pairs = [known[name] for name in body.get("items", [])]
        if body.get("deep"):
            again = ("purge", "module")
            pairs = ([pair for pair in known.values() if pair[1].more["action"] in again and self.is_selectable(pair[1])]
                     + [pair for pair in pairs if pair[1].more["action"] not in again])
        if not pairs:
            raise self.refusal(400, "bad-request", "Nothing is chosen.", "Choose something.")
        return pairs

    def preview(self, body):
        self.drop_purged()
        pairs = self.chosen(body)
        purged = [pair for pair in pairs if pair[1].more["action"] in ("purge", "empty")]
        linked = [pair for pair in purged if pair[1].more.get("link")]
        # One name goes alone, and its bytes stay with the other.
        outside = linked if len(linked) == 1 else []
        sizes = [0 if pair in linked[1:] or pair in outside else pair[1].bytes for pair in purged]
        modules = [pair for pair in pairs if pair[1].more["action"] == "module"]
        files = [pair for pair in pairs if pair[1].more["action"] == "dispose"]
        moved = [pair for pair in files if "refused" not in pair[1].more]
        size = sum(node.bytes for _, node in moved)
        answer = {"freesBytes": sum(sizes), "freesWhenEmptiedBytes": size, "purgedItems": len(purged),
                  "disposedItems": sum(node.items for _, node in moved), "linkedElsewhere": len(outside),
                  "freesByModulesBytes": sum(node.bytes for _, node in modules),
                  "modules": [{"id": self.id(node), "name": node.more["label"], "bytes": node.bytes} for _, node in modules],
                  "refused": [data.named("path", node.name, {"reason": {"code": "in-use", "text": node.more["refused"]}})
                              for _, node in files if "refused" in node.more]}
        if not body.get("keep", True):
            return 200, answer
        expires = data.stamp(time.time() + 1800)
        if purged:
            plan = {"id": self.daemon.next_id("plan"), "created": time.time(), "target": "what was chosen by hand",
                    "entries": [{"index": index, "path": node.name, "class": "cache", "bytes": sizes[index], "code": "all",
                                 "age": 90, "link": None, "group": 0} for index, (_, node) in enumerate(purged)],
                    "groups": [{"id": 0, "class": "cache", "code": "all", "title": "Cache"}], "out": frozenset(),
                    "wanted": 10 ** 15, "purged": False, "proposal": "", "through": "lastResort"}
            self.daemon.plans[plan["id"]] = plan
            self.planned[plan["id"]] = purged
            answer["plan"] = {"id": plan["id"], "selection": self.daemon.selection(plan)["digest"], "expires": expires}
        if moved:
            name = self.daemon.next_id("disposal")
            shown = [data.named("path", node.name, {"bytes": node.bytes, "items": node.items, "kind": "file"})
                     for _, node in moved]
            self.daemon.disposals[name] = ({"id": name, "expires": expires, "files": shown, "refused": [], "bytes": size,
                                            "freesWhenEmptiedBytes": size}, moved)
            answer["disposal"] = {"id": name, "expires": expires}
        if modules:
            name = self.daemon.next_id("run")
            self.runs[name] = modules
            answer["moduleRun"] = {"id": name, "expires": expires}
        return 201 if any(name in answer for name in ("plan", "disposal", "moduleRun")) else 200, answer

    def run_modules(self, name):
        if name not in self.runs:
            raise self.refusal(409, "plan-unknown", "What was confirmed is not known any more.", "Look again.")
        modules = self.runs.pop(name)

        def finish(job):
            reports = [self.asked(parent, node, job["_cancel"]) for parent, node in modules]
            shown = self.daemon.settings.get("reported", len(reports))
            job["modules"] = reports[:shown]
            if len(reports) > shown:
                job["unlistedModules"] = len(reports) - shown
            job["modulesInTrouble"] = sum(report["outcome"] == "failed" for report in reports)
            job["progress"]["bytes"] = sum(report["freedBytes"] for report in reports)
            job["text"] = "The modules were asked."
        return self.daemon.job("modules", "Letting modules clean", self.daemon.settings["purgeSeconds"],
                               {"totalItems": len(modules)}, finish)

    def asked(self, parent, node, is_cancelled):
        """What a module has done: it gives up all but 20 MB, or fails."""
        name, before = node.more["label"], node.bytes
        answer = {"id": self.id(node), "name": name, "beforeBytes": before, "freedBytes": 0}
        if is_cancelled:
            return {**answer, "outcome": "cancelled", "text": f"{name}: cancelled"}
        if "fails" in node.more:
            return {**answer, "outcome": "failed", "afterBytes": before, "text": f"{name}: failed: {node.more['fails']}"}
        left = thing(node.name, 20 * MB, "module", label=name)
        parent.remove(node)
        parent.made.append(left)
        freed = before - left.bytes
        return {**answer, "outcome": "cleaned", "afterBytes": left.bytes, "freedBytes": freed,
                "text": f"{name}: freed {freed // MB} MB, 20 MB in use"}
