# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of the stand-in: what would go, in groups, and what is taken out of them."""

import random
import time

import mock_data as data
from mock_refusal import Refusal

GB = 10 ** 9


class Plans:
    """The part of the stand-in that decides what would go."""

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
