# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the stand-in has in its treemap, and how it explains a path."""

from urllib.parse import unquote_to_bytes

import mock_data as data
from mock_refusal import Refusal


class Tree:
    """The part of the stand-in that finds files by their paths."""

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
