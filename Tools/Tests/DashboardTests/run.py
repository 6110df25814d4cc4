# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Runs tests as `python3 -m unittest` does, and says at the end which of them were skipped, and why."""

import collections
import sys
import unittest


class Runner(unittest.TextTestRunner):
    def run(self, test):
        result = super().run(test)
        skipped = collections.Counter((group(one), reason) for one, reason in result.skipped)
        for (name, reason), count in skipped.items():
            print(f"skipped: {name}, {count} {'test' if count == 1 else 'tests'}, because {reason}", file=sys.stderr)
        return result


def group(test):
    """The class of a test; what skips a whole class is named as it is."""
    return test.id().rpartition(".")[0] if isinstance(test, unittest.TestCase) else str(test)


if __name__ == "__main__":
    unittest.main(module=None, testRunner=Runner)
