# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What takes the stand-in a while: jobs with progress, of purges, scans and audits."""

import threading
import time

import mock_data as data
from mock_refusal import Refusal

GB = 10 ** 9


class Jobs:
    """The part of the stand-in that works in the background."""

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
