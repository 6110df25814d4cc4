# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""The trash of the stand-in: what is moved there, and what comes back from it."""

import time
from urllib.parse import unquote_to_bytes

import mock_data as data
from mock_refusal import Refusal


class Trash:
    """The part of the stand-in that throws files away."""

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

    def trash_answer(self, query):
        start, limit = int(query.get("cursor", 0)), int(query.get("limit", 200))
        answer = {"items": self.trash[start:start + limit], "bytes": sum(item["bytes"] for item in self.trash),
                  "notes": []}
        if start + limit < len(self.trash):
            answer["cursor"] = str(start + limit)
        return answer

    def throw_away(self, path):
        """Somebody has done so already."""
        self.trash.append({"id": self.next_id("t"), "path": path, "deleted": "2026-11-01T00:00:00Z",
                           "expires": "2026-12-01T00:00:00Z", "kind": "file", "restorable": True, "bytes": 4_096})

    def restore(self, body):
        known = {item["id"]: item for item in self.trash}
        restored = [{"id": name, "path": known[name]["path"]} for name in body["items"] if name in known]
        failed = [{"id": name, "text": "It is not in the trash any more."} for name in body["items"] if name not in known]
        self.trash = [item for item in self.trash if item["id"] not in body["items"]]
        return {"restored": restored, "failed": failed}
