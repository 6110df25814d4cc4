# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Names that break pages, narrow and wide windows, a daemon that is gone, slow or wrong."""

import unittest

from page import PageTest, needs_mock, promise

NARROW_CHECK = """
    return [...document.querySelectorAll("body *")]
      .filter((one) => one.offsetParent !== null && !one.closest(".unseen, .scroller, .volumes, .crumbs, .views, svg"))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.outerHTML.slice(0, 120));"""

# Of the rows that are listed: how many there are, and those whose last use or reason is not there to be read below
# the name.
REASONS_CHECK = """
    const isRead = (one) => {
      const box = one.getBoundingClientRect();
      return one.checkVisibility() && one.textContent !== "" && box.width > 20 && box.height > 10
        && box.left >= 0 && box.right <= innerWidth;
    };
    const isBelow = (one, name) => one.getBoundingClientRect().top >= name.getBoundingClientRect().bottom - 1;
    const rows = [...document.querySelectorAll("table.entries tbody tr")].filter((one) => one.checkVisibility());
    const wrong = rows.filter((row) => [...row.querySelectorAll(".when, .why")].filter(
      (one) => isRead(one) && isBelow(one, row.querySelector("th"))).length !== 2);
    return [rows.length, wrong.map((row) => row.outerHTML.slice(0, 200))];"""


class NamesTests(PageTest):
    @promise("R38g")
    @needs_mock
    def test_names_are_only_ever_text(self):
        self.wait_for_tree()
        self.enter("/home/ada/.cache")
        self.enter("nasty names")
        self.browser.click_text("Table", "#treemap-bar")
        self.wait_text("#treemap table", "<img src=x onerror=document.title='owned'>")
        text = self.browser.text("#treemap table")
        for part in ("\\xFF\\xFE not utf-8 \\x80.bin", "\\u{202E}gnp.exe", "line\\x0Abreak\\x1B[31mred",
                     "\u05e9\u05dc\u05d5\u05dd", "\\xE9t\\xE9 (latin-1)/", "n…n", "100% & a+b #1?.txt"):
            self.assertIn(part, text)
        self.assertIsNone(self.browser.run("return document.querySelector('#page img, #page script')"))
        self.assertNotEqual(self.browser.run("return document.title"), "owned")
        isolated = self.browser.run("""return [...document.querySelectorAll("#treemap tbody .name")]
            .every((one) => one.tagName === "BDI" && getComputedStyle(one).unicodeBidi === "isolate");""")
        self.assertTrue(isolated)

    @needs_mock
    def test_each_name_can_be_explained(self):
        self.wait_for_tree()
        self.enter("/home/ada/.cache")
        self.enter("nasty names")
        self.browser.click_text("Table", "#treemap-bar")
        self.browser.wait("return document.querySelectorAll('#treemap tbody tr').length > 9")
        count = self.browser.run("return document.querySelectorAll('#treemap tbody tr').length")
        for row in range(count):
            name = self.browser.run("""
                const row = document.querySelectorAll("#treemap tbody tr")[arguments[0]];
                row.querySelector("button.quiet").click();
                return row.querySelector(".name").title.replace(/[/]$/, "");""", row)
            self.browser.wait("""return document.querySelector("#explain dl")
                && document.querySelector("#explain h2").textContent === arguments[0]""", name, what=f"{name!r}")
            self.assertIsNone(self.browser.run("return document.querySelector('#explain .trouble')"))

    @needs_mock
    def test_directory_that_is_not_utf8_opens(self):
        self.wait_for_tree()
        self.enter("/home/ada/.cache")
        self.enter("nasty names")
        self.enter("\\xE9t\\xE9")
        self.assertEqual(self.crumbs()[-1], "\\xE9t\\xE9 (latin-1)")
        self.browser.press("e")
        self.wait_text("#explain dl", "would free")

    @needs_mock
    def test_long_names_do_not_widen_a_plan(self):
        self.make_plan()
        self.browser.click("dialog .group:nth-child(3) summary")
        self.browser.wait("return document.querySelector('dialog table.entries tbody tr')")
        self.browser.run("document.querySelector('#plan-sort').value = 'bytes'")
        self.assertFalse(self.browser.run(
            "const body = document.querySelector('.dialog-body'); return body.scrollWidth > body.clientWidth"))


class PhoneTests(PageTest):
    width, height = 390, 844

    @promise("R38e")
    @needs_mock
    def test_fits_in_every_view(self):
        self.wait_for_tree()
        self.daemon.trash.append({"id": "t1", "path": "/home/ada/" + "n" * 255, "deleted": "2026-11-01T00:00:00Z",
                                  "expires": "2026-12-01T00:00:00Z", "kind": "file", "restorable": True, "bytes": 1})
        for view in ("overview", "activity", "trash", "audit", "settings"):
            self.browser.run("location.hash = arguments[0]", view)
            self.browser.wait("return document.querySelector('#view-' + arguments[0]).textContent.length > 40", view)
            self.assertFalse(self.browser.run("return document.documentElement.scrollWidth > innerWidth"), view)
            self.assertEqual(self.browser.run(NARROW_CHECK), [], view)

    @needs_mock
    def test_audit_with_findings_fits(self):
        self.make_audit()
        self.browser.run("for (const one of document.querySelectorAll('#view-audit details')) one.open = true")
        self.assertFalse(self.browser.run("return document.documentElement.scrollWidth > innerWidth"))
        self.assertEqual(self.browser.run(NARROW_CHECK), [])

    @needs_mock
    def test_reasons_of_a_plan_are_read(self):
        self.make_plan()
        self.browser.click("dialog .group:nth-child(3) summary")
        self.browser.wait("return document.querySelector('dialog .group:nth-child(3) tbody input')")
        self.wait_text("dialog .group:nth-child(3) tbody .why", "unused for")
        count, wrong = self.browser.run(REASONS_CHECK)
        self.assertGreater(count, 5)
        self.assertEqual(wrong, [])
        self.assertEqual(self.browser.run(NARROW_CHECK), [])
        self.assertFalse(self.browser.run(
            "const body = document.querySelector('.dialog-body'); return body.scrollWidth > body.clientWidth"))

    @needs_mock
    def test_purges_on_a_phone(self):
        self.make_plan()
        self.figure()
        self.assertEqual(self.browser.run(NARROW_CHECK), [])
        self.browser.click_text("Purge", "dialog footer")
        self.browser.click_text("Delete", "dialog footer")
        self.wait_text("dialog .receipt", "Freed")
        self.assertEqual(self.browser.run(NARROW_CHECK), [])


class WideTests(PageTest):
    width, height = 1920, 1080

    @needs_mock
    def test_fits(self):
        self.wait_for_tree()
        self.assertEqual(self.browser.run(NARROW_CHECK), [])
        self.assertFalse(self.browser.run("return document.scrollingElement.scrollHeight > innerHeight"))

    @needs_mock
    def test_fits_in_every_view(self):
        for view in ("clean", "activity", "trash", "audit", "settings"):
            self.browser.run("location.hash = arguments[0]", view)
            self.browser.wait("return document.querySelector('#view-' + arguments[0]).textContent.length > 40", view)
            self.assertFalse(self.browser.run("return document.documentElement.scrollWidth > innerWidth"), view)
            self.assertEqual(self.browser.run(NARROW_CHECK), [], view)

    @needs_mock
    def test_a_plan_has_last_use_and_reason_beside_each_name(self):
        self.make_plan()
        self.browser.click("dialog .group:nth-child(3) summary")
        self.browser.wait("return document.querySelector('dialog .group:nth-child(3) tbody input')")
        aside = self.browser.run("""
            const boxes = [...document.querySelectorAll("dialog .group:nth-child(3) tbody tr")]
              .map((row) => ["th", ".when", ".why"].map((part) => row.querySelector(part).getBoundingClientRect()));
            return boxes.filter(([name, when, why]) => when.left < name.right - 1 || why.left < when.right - 1
              || why.width < 40 || Math.abs(why.top - name.top) > 1).length;""")
        self.assertEqual(aside, 0)
        self.assertEqual(self.browser.run(NARROW_CHECK), [])


class DarkWideTests(WideTests):
    dark = True


class GoneTests(PageTest):
    expected_log = ("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED",
                    "500 (Internal Server Error)", "401 (Unauthorized)", "404 (Not Found)", "409 (Conflict)",
                    "ERR_SOCKET_NOT_CONNECTED", "ERR_CONNECTION_CLOSED")

    @needs_mock
    def test_says_that_the_daemon_is_gone_and_comes_back_by_itself(self):
        self.wait_for_tree()
        port = self.server.server_port
        self.stop_mock()
        self.wait_text("#connection", "The daemon does not answer", seconds=15)
        # What was known is still there to be read.
        self.wait_text(".chosen-volume", "18.2 GB")
        self.start_mock(port)
        self.daemon.used -= 10 ** 10
        self.browser.wait("return document.querySelector('#connection').hidden", seconds=15)
        self.wait_text(".chosen-volume", "28.2 GB")

    @needs_mock
    def test_plan_that_the_daemon_has_forgotten_is_made_anew(self):
        self.make_plan()
        self.figure()
        self.daemon.plans.clear()
        self.browser.click("dialog .group:nth-child(1) > input")
        self.wait_text("dialog", "was made anew")

    @needs_mock
    def test_plan_is_closed_and_the_token_asked_for_when_the_daemon_was_started_anew(self):
        self.make_plan()
        self.figure()
        port = self.server.server_port
        self.stop_mock()
        # As each run of the daemon, with a token of its own.
        self.start_mock(port, token="another-token")
        self.wait_text("#unlock", "The daemon was started anew, and has another token.", seconds=15)
        self.assertIsNone(self.browser.run("return document.querySelector('dialog')"))
        self.browser.wait("return document.activeElement.id === 'token'")
        self.browser.type("another-token")
        self.browser.press("Enter")
        self.browser.wait("return !document.querySelector('#page').hidden")
        self.make_plan()
        self.figure()

    @needs_mock
    def test_selection_that_did_not_arrive_cannot_be_purged(self):
        self.make_plan()
        self.figure()
        self.daemon.settings["fail"] = 500
        self.browser.click("dialog .group:nth-child(1) > input")
        self.wait_text("dialog .frees", "A mistake in Headroom.")
        self.assertTrue(self.browser.run("return document.querySelector('dialog .danger').disabled"))
        self.daemon.settings["fail"] = 0
        self.browser.click_text("Try again", "dialog .frees")
        self.wait_text("dialog .frees", "taken out")
        self.assertFalse(self.browser.run("return document.querySelector('dialog .danger').disabled"))

    @needs_mock
    def test_errors_are_sentences_and_pass(self):
        self.daemon.settings["fail"] = 500
        self.wait_text("#connection", "A mistake in Headroom. Look at its log.".split(". ")[0], seconds=15)
        self.daemon.settings["fail"] = 0
        self.browser.wait("return document.querySelector('#connection').hidden", seconds=15)

    @needs_mock
    def test_slow_answers_are_waited_for(self):
        self.daemon.settings["slow"] = 1
        self.browser.click_text("Show plan", "#ladder")
        self.wait_text("dialog", "Looking at what can go…")
        self.browser.wait("return document.querySelector('dialog .group')")

    @needs_mock
    def test_wrong_token_is_asked_for_again(self):
        self.browser.open("about:blank")
        self.browser.open(self.address.replace("token=", "token=not-"))
        self.wait_text("#unlock", "The token is missing or wrong.")
        self.assertTrue(self.browser.run("return document.querySelector('#page').hidden"))
        self.browser.click("#token")
        self.browser.type(self.address.split("token=")[1])
        self.browser.press("Enter")
        self.browser.wait("return document.querySelector('.chosen-volume')")

    @needs_mock
    def test_two_browsers(self):
        other = self.new_browser()
        other.open(self.address)
        for browser in (self.browser, other):
            browser.wait("return document.querySelector('form.free button.primary')")
            browser.click_text("Show plan", "#ladder")
            browser.wait("return document.querySelector('dialog .frees:not(.pending) .figure')")
            browser.click_text("Purge", "dialog footer")
        self.daemon.settings["purgeSeconds"] = 3
        self.browser.click_text("Delete", "dialog footer")
        self.browser.wait("return document.querySelector('dialog progress')")
        other.click_text("Delete", "dialog footer")
        other.wait("return document.querySelector('dialog').textContent.includes('Another purge is under way.')")
        self.wait_text("dialog .receipt", "Freed")
        self.assertEqual(sum(job["kind"] == "purge" for job in self.daemon.jobs.values()), 1)


class ConsoleTests(PageTest):
    def test_what_a_second_browser_says_is_heard(self):
        other = self.new_browser()
        other.open(self.address)
        other.run("console.error('said in the second')")
        with self.assertRaisesRegex(AssertionError, "said in the second"):
            self.check_consoles()


class EmptyTests(PageTest):
    def first_page(self):
        """Not before there is nothing: a page that is still asking for areas would find them gone."""

    @needs_mock
    def test_empty_states_say_what_to_do(self):
        self.daemon.receipts.clear()
        for root in self.daemon.tree["areas"].values():
            root.made = []
        self.daemon.tree["areas"].clear()
        self.daemon.ladder = lambda: []
        self.open()
        self.wait_text("#ladder", "headroom mark PATH --purgeable")
        self.wait_text(".message", "headroom mark PATH --purgeable")
        self.browser.run("location.hash = 'activity'")
        self.wait_text("#view-activity", "headroom plan --free 1GB")
        self.browser.run("location.hash = 'trash'")
        self.wait_text("#view-trash", "The trash is empty")


if __name__ == "__main__":
    unittest.main()
