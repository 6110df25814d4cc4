# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the stand-in keeps: its state and its settings. What it does with them is in the files of its parts."""

import random
import threading
import time

import mock_clean
import mock_data as data
from mock_jobs import Jobs
from mock_overview import Overview
from mock_plans import Plans
from mock_receipts import Receipts
from mock_refusal import Refusal
from mock_trash import Trash
from mock_tree import Tree

GB = 10 ** 9


class Daemon(Overview, Tree, Plans, Jobs, Receipts, Trash):
    """What the mock knows and does."""

    def __init__(self):
        self.lock = threading.RLock()
        self.settings = {"slow": 0, "slowAt": {}, "hang": "", "fail": 0, "event": None,
                         "mode": "observe", "level": "warning", "inventory": "ready", "purgeSeconds": 2.0, "volumes": 3}
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

    def all_settings(self):
        rows = [("mode", self.settings["mode"], False, 3), ("policy.warning.free", "10%", False, 8),
                ("areas[0].path", "/var/lib/builds", False, 14), ("areas[0].class", "cache", False, 15),
                ("areas[0].limit", "50.0 GB", False, 16), ("history.keep", "400 days", True, None),
                ("listen", "127.0.0.1:8737", False, 21), ("grace", "24 h", True, None)]
        return {"settings": [{"key": key, "value": value, "default": default,
                              **({"file": "/etc/headroom/headroom.yaml", "line": line} if line else {})}
                             for key, value, default, line in rows],
                "files": ["/etc/headroom/headroom.yaml"], "notes": ["/srv/old is declared and is not there."]}
