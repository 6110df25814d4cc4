# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the stand-in knows at a glance: volumes, the ladder, its status, and how it came to that."""

import time

import mock_data as data

GB = 10 ** 9


class Overview:
    """The part of the stand-in that answers what is there, what was, and what is expected."""

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
        if self.settings["event"]:
            events.insert(0, {"time": data.stamp(time.time()), "kind": "mount", "text": self.settings["event"]})
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
