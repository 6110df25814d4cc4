# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Receipts of the stand-in: what has gone, and how that is undone."""

import time

import mock_data as data
from mock_refusal import Refusal


class Receipts:
    """The part of the stand-in that writes down what was done."""

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
