# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Answers as the daemon does (openapi.json), from a home directory that never was.

    python3 mock.py --port 8737 --token secret

`POST /mock` with a JSON object changes how it behaves: `slow` (seconds before each answer), `fail` (status of
every answer), `mode`, `level`, `inventory`, `forget` (all plans), `purgeSeconds`.
"""

import argparse
import json
import os
import random
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote_to_bytes, urlsplit

import mock_clean
import mock_data as data

RESOURCES = Path(__file__).resolve().parents[2] / "Sources/HeadroomDashboard/Resources"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
GB = 10 ** 9


class Refusal(Exception):
    def __init__(self, status, code, message, advice=""):
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message, "advice": advice}}


class Daemon:
    """What the mock knows and does."""

    def __init__(self):
        self.lock = threading.RLock()
        self.settings = {"slow": 0, "fail": 0, "mode": "observe", "level": "warning",
                         "inventory": "ready", "purgeSeconds": 2.0, "volumes": 3}
        self.tree = data.make_tree()
        self.started = time.time()
        self.scanned = time.time() - 120
        self.homeScanned = False
        self.total, self.used = 252 * GB, 252 * GB - int(18.2 * GB)
        self.plans, self.jobs, self.receipts = {}, {}, []
        self.disposals, self.trash, self.audits = {}, [], {}
        self.cleanables = mock_clean.Cleanables(self, Refusal)
        self.proposal = "p1"
        self.number = random.randrange(1 << 12) << 8
        now = time.time()
        for index, (moment, gone) in enumerate(data.samples(self.total, self.used, 30, 500, now)[1]):
            self.add_receipt("purge", gone, 8_000 + index, moment, "level", "reach level normal")

    def next_id(self, prefix):
        self.number += 1
        return f"{prefix}-{self.number:04x}"

    # MARK: Seeing

    def volume(self, mount, kind, total, available, level, **more):
        figure = lambda count: {"bytes": int(count), "source": "computed"}
        answer = {"mountPoint": mount, "type": kind, "readOnly": False, "total": figure(total),
                  "available": figure(available), "important": figure(available + more.pop("purgeable", 0)),
                  "optional": figure(max(0, available * 0.8)), "warningBytes": int(min(total / 10, 8 * 2 ** 30)),
                  "criticalBytes": int(min(total / 20, 2 * 2 ** 30)), "inodes": 16_000_000,
                  "availableInodes": 15_400_000}
        if level:
            answer["level"] = level
        answer.update(more)
        return answer

    def forecast(self):
        day = data.DAY
        expected = lambda *days: {"state": "expected", "earliestSeconds": int(days[0] * day),
                                  "likelySeconds": int(days[1] * day), "latestSeconds": int(days[2] * day)}
        return {"warning": expected(12, 17, 26), "critical": expected(24, 34, 50), "full": expected(31, 41, 60),
                "spanSeconds": 30 * day}

    def ladder(self):
        now = time.time()
        cache = self.tree["areas"][data.HOME + b"/.cache"]
        rung = lambda name, size, items, due, age, areas: {
            "class": name, "bytes": size, "items": items, "dueBytes": due, "dueItems": items // 4 if due else 0,
            "oldestUse": data.stamp(now - age * data.DAY), "areas": areas, "largest": []}
        place = lambda node, path, label=None: {
            **data.named("path", path, {}), "bytes": node.bytes, "items": node.items, "origin": "catalogue",
            **({"name": label} if label else {})}
        caches = [place(node, data.HOME + b"/.cache/" + node.name, node.name.decode("utf-8", "replace").title())
                  for node in cache.children[:30]]
        return [rung("temporary", 1_200_000_000, 4_213, 300_000_000, 21,
                     [{"path": "/tmp", "bytes": 1_200_000_000, "items": 4_213}]),
                rung("cache", cache.bytes, cache.items, 6 * GB, 430, caches),
                rung("trash", 640_000_000, 412, 200_000_000, 45,
                     [{"path": "/home/ada/.local/share/Trash", "bytes": 640_000_000, "items": 412}]),
                rung("lastResort", 512_000_000, 38, 0, 5,
                     [{"path": "/home/ada/Podcasts/offline", "bytes": 512_000_000, "items": 38}])]

    def inventory(self):
        state = self.settings["inventory"]
        answer = {"state": state, "items": 0 if state == "none" else 1_004_213, "unreadable": 3}
        if state in ("ready", "summary"):
            answer["scanned"] = data.stamp(self.scanned)
        return answer

    def status(self):
        known = self.settings["inventory"] in ("ready", "summary")
        ladder = self.ladder() if known else []
        available = self.total - self.used
        volumes = [self.volume("/", "ext4", self.total, available, self.settings["level"], forecast=self.forecast(),
                               purgeable=sum(rung["bytes"] for rung in ladder)),
                   self.volume("/data", "xfs", 2000 * GB, 1310 * GB, "normal"),
                   self.volume("/dev/shm", "tmpfs", 24 * GB, 24 * GB, "normal")][:self.settings["volumes"]]
        asking = []
        if self.settings["mode"] == "ask" and self.proposal:
            asking = [{"volume": "/", "id": self.proposal, "bytes": 5 * GB, "items": 71_402,
                       "purpose": "/, warning (levelChange): would free 5.00 GB in 71,402 items."}]
        events = [{"time": data.stamp(self.started - 7200), "kind": "level", "volume": "/", "level": "warning",
                   "text": "The level of / is warning: 18.2 GB available."},
                  {"time": data.stamp(self.started - 86_000), "kind": "anomaly",
                   "text": "~/.cache/pip grew by 2.10 GB in a day; 120 MB is usual. Largest: http-v2/a/3/a31f."}]
        running = [job for job in self.jobs.values() if job["state"] == "running"]
        answer = {"time": data.stamp(time.time()), "version": "0.0", "mode": self.settings["mode"],
                  "inventory": self.inventory(), "volumes": volumes, "ladder": ladder, "biggest": [],
                  "pinnedBytes": int(6.8 * GB) if known else 0, "deleted": [{"bytes": 21_000_000, "processes": [{"id": 4711, "name": "clangd"}]}],
                  "deletedBytes": 21_000_000,
                  "receipts": [self.summary(receipt) for receipt in self.receipts[:10]], "events": events,
                  "asking": asking, "jobs": running, "notices": []}
        if known:
            answer["essentialBytes"] = 119 * GB
        return answer

    def history(self, query):
        if query["volume"] != "/":
            return {"volume": query["volume"], "from": data.stamp(time.time() - 30 * data.DAY),
                    "to": data.stamp(time.time()), "samples": [], "fan": [], "purges": [], "events": [],
                    "thresholds": {"warningBytes": 0, "criticalBytes": 0}}
        now = time.time()
        days, points = int(query.get("days", 30)), int(query.get("points", 500))
        course, _ = data.samples(self.total, self.used, days, points, now)
        available = self.total - self.used
        fan = []
        for step in range(31):
            share = step / 30
            likely = available * (1 - share * 30 / 41)
            spread = available * share * 0.35
            fan.append({"time": data.stamp(now + step * data.DAY), "likelyBytes": int(max(0, likely)),
                        "lowBytes": int(max(0, likely - spread)), "highBytes": int(max(0, likely + spread * 0.8))})
        purges = [{"time": receipt["started"], "receipt": receipt["id"],
                   "gainedBytes": receipt["volumeGainedBytes"], "items": receipt["removedCount"]}
                  for receipt in reversed(self.receipts) if receipt["kind"] == "purge"]
        return {"volume": "/", "from": data.stamp(now - days * data.DAY), "to": data.stamp(now),
                "samples": [{"time": data.stamp(moment), "availableBytes": self.total - used,
                             "totalBytes": self.total} for moment, used in course],
                "thresholds": {"warningBytes": 8 * 2 ** 30, "criticalBytes": 2 * 2 ** 30}, "fan": fan,
                "purges": purges, "events": [], "forecast": self.forecast()}

    def tree_answer(self, query):
        if self.settings["inventory"] in ("none", "scanning"):
            raise Refusal(409, "conflict", "Nothing was scanned yet.", "Scan now.")
        view = query.get("view", "areas")
        if view == "home" and not self.homeScanned:
            raise Refusal(409, "conflict", "The home directory was not scanned yet.",
                          "It takes a minute and reads names and sizes only.")
        roots = self.tree[view]
        depth, limit = int(query.get("depth", 1)), int(query.get("limit", 500))
        answer = {"view": view, "inventory": self.inventory(), "roots": []}
        if "path" not in query:
            answer["roots"] = [data.named("path", path, {"node": data.node_answer(node, 0, 0, name=path)})
                               for path, node in sorted(roots.items(), key=lambda root: -root[1].bytes)]
            return answer
        path = unquote_to_bytes(query["path"])
        node, above = data.find(roots, path)
        if node is None:
            raise Refusal(404, "not-found", "There is no such thing in the scan.", "Scan again.")
        data.named("path", path, answer)
        answer["node"] = data.node_answer(node, depth, limit, int(query.get("cursor", 0)))
        answer["parents"] = [data.named("path", where, data.named("name", name, {})) for where, name, _ in above]
        return answer

    def any_node(self, path):
        for view in ("areas", "home"):
            node, _ = data.find(self.tree[view], path)
            if node:
                return node
        raise Refusal(404, "not-found", "There is no such file.", "It may have gone meanwhile.")

    def explain(self, query):
        path = unquote_to_bytes(query["path"])
        planned = {entry["path"]: entry for plan in self.plans.values() for entry in plan["entries"]}
        if path in planned:
            node = data.Node(path.rsplit(b"/", 1)[1], planned[path]["bytes"], "file", planned[path]["class"])
        else:
            node = self.any_node(path)
        pinned = node.more.get("pinned", False)
        essential = node.klass == "essential"
        outlook = ({"when": "never", "reason": {"code": "pinned", "text": "it is pinned"}} if pinned
                   else {"when": "never", "reason": {"code": "essential", "text": "it lies outside of all areas"}}
                   if essential else {"when": "pressure", "level": "warning"})
        answer = {"summary": f"{node.klass}, 3rd of 12; would go after 1.40 GB, when the level is warning",
                  "subject": "directory" if node.kind == "directory" else "file", "class": node.klass,
                  "classFrom": "as its area" if not essential else "as all that nobody declared",
                  "bytes": node.bytes, "logicalBytes": int(node.bytes * 0.97), "freesBytes": node.bytes,
                  "mark": {"pinned": pinned, "noBackup": False}, "backup": {"excluded": not essential,
                  "text": "left out by the CACHEDIR.TAG of a directory around" if not essential else "backed up"},
                  "outlook": outlook, "allowsClassMark": essential,
                  "next": [f"headroom mark {path.decode('utf-8', 'replace')} --pin"]}
        answer["protection"] = ({"level": "complete", "text": "readable while unlocked"} if path.endswith(b".mov")
                                else {"level": "none", "text": "not encrypted"})
        data.named("path", path, answer)
        if node.more.get("lastUse"):
            answer.update(lastUse=data.stamp(node.more["lastUse"]), lastUseFrom="read")
        if not essential:
            answer["area"] = {"path": "/home/ada/.cache", "class": "cache", "origin": "XDG_CACHE_HOME", "unit": "file"}
            answer["place"] = {"position": 3, "count": 12, "bytesBefore": 1_400_000_000}
        return answer

    # MARK: Deciding

    def make_plan(self, body):
        if "proposal" in body:
            if body != {"proposal": self.proposal}:
                raise Refusal(409, "proposal-changed", "What was proposed does not wait any more.", "Look at what waits now.")
            target = {"kind": "free", "bytes": 5 * GB}
        else:
            target = body["target"]
        rng = random.Random(11)
        cache = self.tree["areas"][data.HOME + b"/.cache"]
        pool = []
        names = list(data.NASTY)
        for index in range(12_000):
            folder = cache.children[index % len(cache.children)]
            name = names[index // 7] if index % 7 == 3 and index // 7 < len(names) else b"%05x.whl" % rng.randrange(1 << 20)
            pool.append((data.HOME + b"/.cache/" + folder.name + b"/" + name, "cache",
                         int(rng.paretovariate(1.1) * 90_000) % 40_000_000))
        if target["kind"] == "free":
            wanted = target["bytes"]
        elif target["kind"] == "expired":
            wanted = 6_500_000_000
        elif target["kind"] == "normal":
            wanted = 9_000_000_000
        else:
            wanted = 10 ** 15
        entries, sums = [], 0
        now = time.time()
        ladder = [(b"/tmp/%s-%04d" % (rng.choice([b"go-build", b"pip-unpack", b"core"]), index), "temporary",
                   int(rng.uniform(10_000, 900_000))) for index in range(2_600)]
        for path, klass, size in ladder + pool:
            if sums >= wanted:
                break
            code = ("expired" if klass == "temporary" or len(entries) % 5 == 0 else "in-order")
            age = rng.uniform(30, 400)
            entries.append({"index": len(entries), "path": path, "class": klass, "bytes": size, "code": code,
                            "age": age, "link": None})
            sums += size
        # Two names of one file: only both free it.
        links = [entry for entry in entries if entry["class"] == "cache" and entry["code"] == "in-order"][:2]
        if len(links) == 2:
            links[0]["bytes"], links[1]["bytes"] = 700_000_000, 0
            links[0]["link"] = links[1]["link"] = "linked"
        groups, keys = [], {}
        for entry in entries:
            key = (entry["class"], entry["code"])
            if key not in keys:
                keys[key] = len(groups)
                groups.append({"id": len(groups), "class": entry["class"], "code": entry["code"],
                               "title": entry["class"].capitalize() + (", expired" if entry["code"] == "expired"
                                                                       else ", least recently used first")})
            entry["group"] = keys[key]
        plan = {"id": self.next_id("plan"), "created": now, "target": self.target_words(target), "entries": entries,
                "groups": groups, "out": frozenset(), "wanted": wanted, "purged": False, "proposal": body.get("proposal"),
                "through": body.get("through", "cache")}
        self.plans[plan["id"]] = plan
        return self.plan_answer(plan)

    def target_words(self, target):
        return f"free {target['bytes'] / 1e9:.2f} GB" if target["kind"] == "free" else target["kind"]

    def selection(self, plan):
        out = plan["out"]
        linked = [entry["index"] for entry in plan["entries"] if entry["link"]]
        broken = any(index in out for index in linked)
        also = [index for index in linked if broken and index not in out]
        out = out | set(also)
        size = lambda entry: entry["bytes"]
        groups = []
        for group in plan["groups"]:
            members = [entry for entry in plan["entries"] if entry["group"] == group["id"]]
            chosen = [entry for entry in members if entry["index"] not in out]
            groups.append({**group, "bytes": sum(entry["bytes"] for entry in members), "items": len(members),
                           "selectedBytes": sum(map(size, chosen)), "selectedItems": len(chosen)})
        return {"digest": f"{plan['id']}-{abs(hash(plan['out'])):x}", "freesBytes": sum(group["selectedBytes"] for group in groups),
                "items": sum(group["selectedItems"] for group in groups), "deselectedItems": len(out), "groups": groups,
                **({"alsoDeselected": also} if also else {})}

    def plan_answer(self, plan):
        selection = self.selection(plan)
        missing = max(0, plan["wanted"] - selection["freesBytes"]) if plan["wanted"] < 10 ** 15 else 0
        return {"id": plan["id"], "created": data.stamp(plan["created"]), "expires": data.stamp(plan["created"] + 1800),
                "target": plan["target"], "through": plan["through"],
                "freesBytes": sum(entry["bytes"] for entry in plan["entries"]), "items": len(plan["entries"]),
                "emptyDirectories": 0, "reachesTarget": missing == 0, "missingBytes": missing, "missingInodes": 0,
                "kept": [{"code": "essential", "text": "essential", "bytes": 119 * GB, "items": 412_000},
                         {"code": "in-use", "text": "in use", "bytes": 41_000_000, "items": 12},
                         {"code": "pinned", "text": "pinned, or with a mark that cannot be read",
                          "bytes": int(6.8 * GB), "items": 120}],
                "overLimit": [], "selection": selection, "scanned": data.stamp(self.scanned)}

    def plan(self, name):
        if name not in self.plans:
            raise Refusal(404, "plan-unknown", "This plan is not known any more.", "Make it anew.")
        return self.plans[name]

    def entries(self, name, query):
        plan = self.plan(name)
        entries = plan["entries"]
        if "group" in query:
            entries = [entry for entry in entries if entry["group"] == int(query["group"])]
        if query.get("sort") == "bytes":
            entries = sorted(entries, key=lambda entry: -entry["bytes"])
        start, limit = int(query.get("cursor", 0)), int(query.get("limit", 200))
        answer = []
        for entry in entries[start:start + limit]:
            words = f"unused for {int(entry['age'] // 30) or 1} months"
            answer.append(data.named("path", entry["path"], {
                "index": entry["index"], "group": entry["group"], "class": entry["class"], "unit": "file",
                "bytes": entry["bytes"], "reason": {"code": entry["code"], "text": words},
                "selected": entry["index"] not in plan["out"],
                "lastUse": data.stamp(time.time() - entry["age"] * data.DAY)}))
        result = {"entries": answer, "total": len(entries)}
        if start + limit < len(entries):
            result["cursor"] = str(start + limit)
        return result

    def select(self, name, body):
        plan = self.plan(name)
        out = {entry["index"] for entry in plan["entries"] if entry["group"] in body.get("groups", [])}
        plan["out"] = frozenset((out | set(body.get("entries", []))) - set(body.get("except", [])))
        return self.selection(plan)

    # MARK: Doing

    def job(self, kind, title, seconds, totals, finish):
        job = {"id": self.next_id("job"), "kind": kind, "state": "running", "title": title,
               "started": data.stamp(time.time()),
               "progress": {"items": 0, "bytes": 0, "skipped": 0, **totals}}
        job["_cancel"], job["_version"] = False, 0
        self.jobs[job["id"]] = job

        def work():
            steps = max(1, int(seconds / 0.05))
            for step in range(1, steps + 1):
                time.sleep(seconds / steps)
                with self.lock:
                    share = step / steps
                    progress = job["progress"]
                    progress["items"] = int(totals.get("totalItems", 4000 * step) * (share if totals else 1))
                    progress["bytes"] = int(totals.get("totalBytes", 0) * share)
                    if kind == "modules":
                        progress["phase"] = "Cleaning: Map tiles"
                    else:
                        progress["currentPath"] = f"/home/ada/.cache/pip/http-v2/{step % 16:x}/{step:04x}"
                    if kind == "purge":
                        progress["gainedBytes"] = int(progress["bytes"] * 0.99)
                    job["_version"] += 1
                    if job["_cancel"]:
                        break
            with self.lock:
                finish(job)
                job["state"] = "cancelled" if job["_cancel"] else "done"
                job["ended"] = data.stamp(time.time())
                job["_version"] += 1

        threading.Thread(target=work, daemon=True).start()
        return {"job": self.public(job)}

    def public(self, job):
        return {key: value for key, value in job.items() if not key.startswith("_")}

    def purge(self, body):
        plan = self.plans.get(body["plan"])
        if plan is None or plan["purged"]:
            raise Refusal(409, "plan-unknown", "This plan is not known any more.", "Make it anew.")
        selection = self.selection(plan)
        if selection["digest"] != body["selection"]:
            raise Refusal(409, "selection-changed", "Somebody else has changed what is selected.", "Look again.")
        if any(job["kind"] == "purge" and job["state"] == "running" for job in self.jobs.values()):
            raise Refusal(409, "busy", "Another purge is under way.", "Wait until it has ended.")
        plan["purged"] = True

        def finish(job):
            freed, items = job["progress"]["bytes"], job["progress"]["items"]
            self.used -= int(freed * 0.996)
            self.scanned = time.time()
            if plan["proposal"] == self.proposal and not job["_cancel"]:
                self.proposal = None
            receipt = self.add_receipt("purge", freed, items, time.time(), "hand (dashboard)", plan["target"],
                                       skipped=12, outcome="interrupted" if job["_cancel"] else "completed")
            job["receipt"] = receipt["id"]

        return self.job("purge", "Purge", self.settings["purgeSeconds"],
                        {"totalItems": selection["items"], "totalBytes": selection["freesBytes"]}, finish)

    def add_receipt(self, kind, size, items, moment, requester, target, skipped=0, outcome="completed", undoable=False,
                    removed=None):
        receipt = {"id": time.strftime("%Y-%m-%d", time.gmtime(moment)) + "-" + self.next_id("r")[2:], "kind": kind,
                   "started": data.stamp(moment), "ended": data.stamp(moment + 2), "outcome": outcome,
                   "requester": requester, "target": target, "expectedBytes": size if kind == "purge" else 0,
                   "volumeGainedBytes": int(size * 0.996) if kind == "purge" else 0, "removedCount": items,
                   "skippedCount": skipped, "undoable": undoable,
                   "differences": ["21.0 MB are held by a process that still has the files open: clangd 4711"]
                   if kind == "purge" else [], "emptiedDirectories": 0,
                   "perClass": [{"name": "cache" if kind == "purge" else "essential", "bytes": size, "count": items}],
                   "perArea": [], "perDirectory": [{"name": "/home/ada/.cache/pip", "bytes": size, "count": items}],
                   "removed": removed or [{"path": f"/home/ada/.cache/pip/{index:04x}", "bytes": size // max(1, items)}
                                          for index in range(min(items, 500))],
                   "skipped": [{"path": f"/home/ada/.cache/mozilla/{index}",
                                "reason": {"code": "in-use" if index % 4 else "changed",
                                           "text": "in use by firefox 2211" if index % 4 else "changed since the plan"}}
                               for index in range(skipped)], "notes": []}
        self.receipts.insert(0, receipt)
        return receipt

    def summary(self, receipt):
        keys = ("id", "kind", "started", "ended", "outcome", "requester", "target", "expectedBytes",
                "volumeGainedBytes", "removedCount", "skippedCount", "undoable")
        return {key: receipt[key] for key in keys}

    def receipt(self, name):
        for receipt in self.receipts:
            if receipt["id"] == name:
                return receipt
        raise Refusal(404, "not-found", "There is no such receipt.")

    def undo(self, name):
        receipt = self.receipt(name)
        if not receipt["undoable"]:
            raise Refusal(409, "conflict", "There is nothing to bring back: it was emptied meanwhile.")
        receipt["undoable"] = False
        self.trash = [item for item in self.trash if item.get("receipt") != name]
        for parent, node in receipt.get("_nodes", []):
            parent.made.append(node)
            parent.made.sort(key=lambda child: -child.bytes)
        return self.public(self.add_receipt("restoration", 0, receipt["removedCount"], time.time(), "hand (dashboard)",
                                            "undo", removed=receipt["removed"]))

    def dispose(self, body):
        shown, refused, nodes = [], [], []
        for reference in body["files"]:
            raw = unquote_to_bytes(reference["pathBytes"]) if "pathBytes" in reference else reference["path"].encode()
            node = self.any_node(raw)
            if node.more.get("inUse"):
                refused.append(data.named("path", raw, {"reason": {"code": "in-use", "text": "in use by firefox 2211"}}))
                continue
            shown.append(data.named("path", raw, {"bytes": node.bytes, "items": node.items, "kind": node.kind}))
            parent = self.any_node(raw.rsplit(b"/", 1)[0])
            nodes.append((parent, node))
        disposal = {"id": self.next_id("disposal"), "expires": data.stamp(time.time() + 1800), "files": shown,
                    "refused": refused, "bytes": sum(file["bytes"] for file in shown),
                    "freesWhenEmptiedBytes": sum(file["bytes"] for file in shown)}
        self.disposals[disposal["id"]] = (disposal, nodes)
        return disposal

    def confirm_disposal(self, name):
        if name not in self.disposals:
            raise Refusal(409, "conflict", "What was shown is not known any more.", "Look again.")
        disposal, nodes = self.disposals.pop(name)

        def finish(job):
            items = sum(file["items"] for file in disposal["files"])
            receipt = self.add_receipt("disposal", disposal["bytes"], items, time.time(), "hand (dashboard)",
                                       "chosen files", undoable=True,
                                       removed=[{key: file[key] for key in file if key in ("path", "pathBytes", "bytes")}
                                                for file in disposal["files"]])
            receipt["_nodes"] = nodes
            for parent, node in nodes:
                parent.remove(node)
            for file in disposal["files"]:
                self.trash.insert(0, {"id": self.next_id("t"), "path": file["path"], "deleted": data.stamp(time.time()),
                                      "expires": data.stamp(time.time() + 30 * data.DAY), "kind": file["kind"],
                                      "restorable": True, "bytes": file["bytes"], "receipt": receipt["id"]})
            self.scanned = time.time()
            job["receipt"] = receipt["id"]

        return self.job("disposal", "Move to the trash", 0.4, {"totalItems": len(disposal["files"])}, finish)

    def restore(self, body):
        known = {item["id"]: item for item in self.trash}
        restored = [{"id": name, "path": known[name]["path"]} for name in body["items"] if name in known]
        failed = [{"id": name, "text": "It is not in the trash any more."} for name in body["items"] if name not in known]
        self.trash = [item for item in self.trash if item["id"] not in body["items"]]
        return {"restored": restored, "failed": failed}

    def scan(self, body):
        def finish(job):
            self.settings["inventory"] = "ready"
            self.homeScanned = self.homeScanned or body.get("view") == "home"
            self.scanned = time.time()
            job["text"] = "1,004,213 items seen."
        return self.job("scan", "Scan", 0.8, {}, finish)

    def audit(self):
        def finish(job):
            name = self.next_id("audit")
            self.audits[name] = {
                "id": name, "scanned": data.stamp(time.time()), "complete": True,
                "places": [{"path": "/home/ada", "bytes": 119 * GB, "backedUpBytes": 71 * GB}],
                "backedUpBytes": 71 * GB, "recreatableBytes": 3_400_000_000,
                "byKind": [{"name": "video", "bytes": 22 * GB, "count": 31}, {"name": "image", "bytes": 19 * GB, "count": 18_002}],
                "leftOut": [{"name": "CACHEDIR.TAG", "bytes": 21 * GB, "count": 14}],
                "largest": [{"path": "/home/ada/Documents/old holiday film.mov", "bytes": 2_400_000_000, "kind": "video",
                             "recreatable": False, "protection": "complete",
                             "lastUse": data.stamp(time.time() - 700 * data.DAY)}],
                "findings": [{"code": "recreatable", "severity": "warning", "path": "/home/ada/src/<b>build</b>",
                              "bytes": 3_400_000_000, "items": 41_000, "text": "can be made again and is backed up",
                              "fix": "headroom mark '/home/ada/src/<b>build</b>' --no-backup", "safe": True},
                             {"code": "excluded-user-content", "severity": "error", "path": "/home/ada/Pictures/2019",
                              "bytes": 9 * GB, "items": 4_100, "text": "is content of yours and is left out of backups"}],
                "unlisted": [{"code": "large", "count": 12}]}
            job["audit"] = name
        return self.job("audit", "Backup audit", 0.6, {}, finish)

    def all_settings(self):
        rows = [("mode", self.settings["mode"], False, 3), ("policy.warning.free", "10%", False, 8),
                ("areas[0].path", "/var/lib/builds", False, 14), ("areas[0].class", "cache", False, 15),
                ("areas[0].limit", "50.0 GB", False, 16), ("history.keep", "400 days", True, None),
                ("listen", "127.0.0.1:8737", False, 21), ("grace", "24 h", True, None)]
        return {"settings": [{"key": key, "value": value, "default": default,
                              **({"file": "/etc/headroom/headroom.yaml", "line": line} if line else {})}
                             for key, value, default, line in rows],
                "files": ["/etc/headroom/headroom.yaml"], "notes": ["/srv/old is declared and is not there."]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    daemon: Daemon
    token: str

    def log_message(self, *_):
        pass

    def respond(self, status, body, kind="application/json"):
        raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        assert len(raw) <= 1_000_000, f"{self.path}: {len(raw)} bytes"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(raw)

    def body(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return json.loads(raw) if raw else {}

    def handle_any(self):
        parts = urlsplit(self.path)
        try:
            body = self.body()
            if parts.path == "/mock":
                return self.control(body)
            if not parts.path.startswith("/api/v1/"):
                return self.static(parts.path)
            if self.headers.get("Authorization") != f"Bearer {self.token}":
                raise Refusal(401, "unauthorized", "The token is missing or wrong.",
                              "Use the address that headroom serve prints.")
            settings = self.daemon.settings
            time.sleep(settings["slow"])
            if settings["fail"]:
                raise Refusal(settings["fail"], "internal", "A mistake in Headroom.", "Look at its log.")
            # The path of a file is percent-encoded once, and decoded where it is used.
            query = {}
            for pair in parts.query.split("&") if parts.query else []:
                name, _, value = pair.partition("=")
                query[name] = value if name == "path" else dict(parse_qsl(pair, keep_blank_values=True))[name]
            path = parts.path[len("/api/v1"):]
            if path.endswith("/events"):
                return self.events(path.split("/")[2])
            with self.daemon.lock:
                status, answer = self.route(path, query, body)
                raw = None if answer is None else json.dumps(answer).encode()
            self.respond(status, raw)
        except Refusal as refusal:
            self.respond(refusal.status, refusal.body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def control(self, body):
        if body.pop("forget", False):
            self.daemon.plans.clear()
        self.daemon.settings.update(body)
        self.respond(200, self.daemon.settings)

    def static(self, path):
        file = (RESOURCES / (path.lstrip("/") or "index.html")).resolve()
        if RESOURCES not in file.parents or not file.is_file():
            raise Refusal(404, "not-found", "There is no such page.")
        self.respond(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def route(self, path, query, body):
        daemon, method = self.daemon, self.command
        parts = path.strip("/").split("/")
        match (method, *parts):
            case ("GET", "status"): return 200, daemon.status()
            case ("GET", "history"): return 200, daemon.history(query)
            case ("GET", "tree"): return 200, daemon.tree_answer(query)
            case ("GET", "explain"): return 200, daemon.explain(query)
            case ("POST", "scans"): return 202, daemon.scan(body)
            case ("POST", "plans"): return 201, daemon.make_plan(body)
            case ("GET", "plans", name): return 200, daemon.plan_answer(daemon.plan(name))
            case ("DELETE", "plans", name):
                daemon.plan(name)
                del daemon.plans[name]
                return 204, None
            case ("GET", "plans", name, "entries"): return 200, daemon.entries(name, query)
            case ("PUT", "plans", name, "selection"): return 200, daemon.select(name, body)
            case ("POST", "purges"): return 202, daemon.purge(body)
            case ("GET", "jobs"): return 200, {"jobs": [daemon.public(job) for job in daemon.jobs.values()]}
            case ("GET", "jobs", name): return 200, daemon.public(self.a_job(name))
            case ("POST", "jobs", name, "cancel"):
                job = self.a_job(name)
                job["_cancel"] = True
                return 202, daemon.public(job)
            case ("GET", "receipts"):
                start, limit = int(query.get("cursor", 0)), int(query.get("limit", 50))
                answer = {"receipts": [daemon.summary(one) for one in daemon.receipts[start:start + limit]]}
                if start + limit < len(daemon.receipts):
                    answer["cursor"] = str(start + limit)
                return 200, answer
            case ("GET", "receipts", name): return 200, daemon.public(daemon.receipt(name))
            case ("GET", "receipts", name, "paths"):
                return 200, {"removed": daemon.receipt(name)["removed"], "skipped": []}
            case ("POST", "receipts", name, "undo"): return 200, daemon.undo(name)
            case ("GET", "trash"):
                return 200, {"items": daemon.trash, "bytes": sum(item["bytes"] for item in daemon.trash), "notes": []}
            case ("POST", "trash", "restore"): return 200, daemon.restore(body)
            case ("GET", "cleanables"): return 200, daemon.cleanables.answer(query)
            case ("POST", "cleanables"): return 202, daemon.cleanables.look_again()
            case ("POST", "cleanables", "preview"): return daemon.cleanables.preview(body)
            case ("POST", "disposals"): return 201, daemon.dispose(body)
            case ("POST", "disposals", name, "confirm"): return 202, daemon.confirm_disposal(name)
            case ("POST", "module-runs", name, "confirm"): return 202, daemon.cleanables.run_modules(name)
            case ("POST", "audits"): return 202, daemon.audit()
            case ("GET", "audits", name):
                if name not in daemon.audits:
                    raise Refusal(404, "not-found", "There is no such audit.")
                return 200, daemon.audits[name]
            case ("GET", "settings"): return 200, daemon.all_settings()
        raise Refusal(404, "not-found", f"There is no {path}.")

    def a_job(self, name):
        if name not in self.daemon.jobs:
            raise Refusal(404, "not-found", "There is no such job.")
        return self.daemon.jobs[name]

    def events(self, name):
        job = self.a_job(name)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        seen = -1
        while True:
            with self.daemon.lock:
                version, state = job["_version"], job["state"]
                raw = json.dumps(self.daemon.public(job))
            if version != seen:
                seen = version
                event = "progress" if state == "running" else "done"
                self.wfile.write(f"event: {event}\nid: {version}\ndata: {raw}\n\n".encode())
                self.wfile.flush()
            if state != "running":
                return
            time.sleep(0.02)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.connections = set()

    def get_request(self):
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def end(self):
        """Ends as a process does: with all its connections."""
        self.shutdown()
        self.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, request, client_address):
        if os.environ.get("MOCK_VERBOSE"):
            super().handle_error(request, client_address)


def make_server(port, token):
    handler = type("BoundHandler", (Handler,), {"daemon": Daemon(), "token": token})
    return Server(("127.0.0.1", port), handler)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8737)
    parser.add_argument("--token", default="mock-token")
    options = parser.parse_args()
    server = make_server(options.port, options.token)
    print(f"http://127.0.0.1:{server.server_port}/#token={options.token}", flush=True)
    server.serve_forever()
