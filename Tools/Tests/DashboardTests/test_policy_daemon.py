# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the real program lets its page load: whatever got into it, nothing comes from elsewhere, and nothing goes there."""

import unittest

from daemon_page import DaemonTest
from page import promise


class PolicyTests(DaemonTest):
    # What is refused is told to the console, and listed as a request though nobody is asked.
    expected_log = ("Content Security Policy",)
    network = False

    def fill(self, home):
        home.file(".cache/tool/one", 4096)

    @promise("R38b")
    def test_what_is_not_the_programs_own_is_refused(self):
        self.browser.run("""
            const elsewhere = "http://127.0.0.1:1/x";
            const add = (name, properties) =>
              document.body.append(Object.assign(document.createElement(name), properties));
            add("img", { src: elsewhere });
            add("script", { src: elsewhere });
            add("script", { textContent: "document.title = 'owned'" });
            add("link", { rel: "stylesheet", href: elsewhere });
            add("style", { textContent: "body { background: red }" });
            add("iframe", { src: elsewhere });
            add("base", { href: elsewhere });
            add("form", { action: elsewhere });
            document.querySelector("body > form:last-of-type").submit();
            fetch(elsewhere).catch(() => {});""")
        refused = ["base-uri", "connect-src", "form-action", "frame-src", "img-src", "script-src-elem", "script-src-elem",
                   "style-src-elem", "style-src-elem"]
        self.browser.wait("return violations.length >= arguments[0]", len(refused), what="what the policy refuses")
        self.assertEqual(sorted(self.browser.run("return violations.splice(0)")), refused)
        self.assertNotEqual(self.browser.run("return document.title"), "owned")


# It has no tests here.
del DaemonTest


if __name__ == "__main__":
    unittest.main()
