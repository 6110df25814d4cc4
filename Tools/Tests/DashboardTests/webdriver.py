# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Drives a browser through chromedriver's own protocol (W3C WebDriver), with nothing but the standard library."""

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Backspace": "\ue003", "Space": " ",
        "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
        "Home": "\ue011", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Shift": "\ue008"}


class Driver:
    """chromedriver as a process; ends with it."""

    def __init__(self):
        program = shutil.which("chromedriver")
        if not program:
            raise RuntimeError("chromedriver is not installed: apt-get install chromium chromium-driver")
        self.process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.address = f"http://127.0.0.1:{line.rstrip().rstrip('.').split()[-1]}"
                return
        raise RuntimeError("chromedriver ended at once")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + path, method=method, headers={"Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None


class Browser:
    """One session: a window of its own, with a profile that goes with it."""

    def __init__(self, driver, width=1280, height=800, dark=False, network=False):
        """`network`: keeps what is asked for, for `events`."""
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--force-device-scale-factor=1", "--enable-precise-memory-info"]
        options = {"args": arguments}
        logs = {"browser": "ALL"}
        if network:
            options["perfLoggingPrefs"] = {"enableNetwork": True, "enablePage": False}
            logs["performance"] = "ALL"
        answer = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs}}})
        self.driver, self.path = driver, f"/session/{answer['sessionId']}"
        self.resize(width, height)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def close(self):
        self.driver.call("DELETE", self.path)

    def call(self, method, path, body=None):
        return self.driver.call(method, self.path + path, body)

    def command(self, name, **parameters):
        """A command of the DevTools."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The script calls its last argument with what it has to say."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=10, what=None):
        """Until a script answers with something true."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain: {what or script}")
            time.sleep(0.03)

    def element(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.element(selector)}/click", {})

    def click_text(self, text, within="body"):
        """The button, link or summary with this text."""
        found = self.run("""
            const holder = [...document.querySelectorAll(arguments[1])].at(-1);
            return [...holder.querySelectorAll("button, a, summary")]
                .find((one) => one.offsetParent !== null && one.textContent.trim().startsWith(arguments[0]));
            """, text, within)
        assert found, f"there is no {text!r} in {within}"
        self.call("POST", f"/element/{found[ELEMENT]}/click", {})

    def click_at(self, x, y):
        self.call("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def move_to(self, x, y):
        self.call("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]}]})

    def press(self, *names):
        """Keys one after the other; `Shift+Tab` holds the first."""
        steps = []
        for name in names:
            parts = [KEYS.get(part, part) for part in name.split("+")] if len(name) > 1 else [name]
            steps += [{"type": "keyDown", "value": part} for part in parts]
            steps += [{"type": "keyUp", "value": part} for part in reversed(parts)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def type(self, text):
        self.press(*text)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def log(self):
        """What the console said since the last call."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def events(self):
        """What the network did since the last call, of a browser with `network`."""
        return [json.loads(entry["message"])["message"] for entry in
                self.call("POST", "/se/log", {"type": "performance"})]

    def screenshot(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))
