# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""Answers as the daemon does (openapi.json), from a home directory that never was.

    python3 mock.py --port 8737 --token secret

`POST /mock` with a JSON object changes how it behaves: `slow` (seconds before each answer), `slowAt` (seconds before
those of some paths), `hang` (`before` or `within` answers, until it is empty again), `fail` (status of every answer),
`mode`, `level`, `inventory`, `event` (what happened last), `forget` (all plans), `purgeSeconds`.
"""

import argparse
import json
import os
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from mock_daemon import Daemon
from mock_refusal import Refusal

RESOURCES = Path(__file__).resolve().parents[2] / "Sources/HeadroomDashboard/Resources"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    daemon: Daemon
    token: str

    def log_message(self, *_):
        pass

    def respond(self, status, body, kind="application/json"):
        raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        assert len(raw) <= 1_000_000, f"{self.path}: {len(raw)} bytes"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.path.startswith("/api/"):
            self.wfile.flush()
            while self.daemon.settings["hang"] == "within":
                time.sleep(0.05)
        self.wfile.write(raw)

    def body(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return json.loads(raw) if raw else {}

    def handle_any(self):
        parts = urlsplit(self.path)
        try:
            body = self.body()
            if parts.path == "/mock":
                return self.control(body)
            if not parts.path.startswith("/api/v1/"):
                return self.static(parts.path)
            if self.headers.get("Authorization") != f"Bearer {self.token}":
                raise Refusal(401, "unauthorized", "The token is missing or wrong.",
                              "Use the address that headroom serve prints.")
            settings = self.daemon.settings
            path = parts.path[len("/api/v1"):]
            while settings["hang"] == "before":
                time.sleep(0.05)
            time.sleep(settings["slow"] + settings["slowAt"].get(path, 0))
            if settings["fail"]:
                raise Refusal(settings["fail"], "internal", "A mistake in Headroom.", "Look at its log.")
            # The path of a file is percent-encoded once, and decoded where it is used.
            query = {}
            for pair in parts.query.split("&") if parts.query else []:
                name, _, value = pair.partition("=")
                query[name] = value if name == "path" else dict(parse_qsl(pair, keep_blank_values=True))[name]
            if path.endswith("/events"):
                return self.events(path.split("/")[2])
            with self.daemon.lock:
                status, answer = self.route(path, query, body)
                raw = None if answer is None else json.dumps(answer).encode()
            self.respond(status, raw)
        except Refusal as refusal:
            self.respond(refusal.status, refusal.body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def control(self, body):
        if body.pop("forget", False):
            self.daemon.plans.clear()
        self.daemon.settings.update(body)
        self.respond(200, self.daemon.settings)

    def static(self, path):
        file = (RESOURCES / (path.lstrip("/") or "index.html")).resolve()
        if RESOURCES not in file.parents or not file.is_file():
            raise Refusal(404, "not-found", "There is no such page.")
        self.respond(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def route(self, path, query, body):
        daemon, method = self.daemon, self.command
        parts = path.strip("/").split("/")
        match (method, *parts):
            case ("GET", "status"): return 200, daemon.status()
            case ("GET", "history"): return 200, daemon.history(query)
            case ("GET", "tree"): return 200, daemon.tree_answer(query)
            case ("GET", "explain"): return 200, daemon.explain(query)
            case ("POST", "scans"): return 202, daemon.scan(body)
            case ("POST", "plans"): return 201, daemon.make_plan(body)
            case ("GET", "plans", name): return 200, daemon.plan_answer(daemon.plan(name))
            case ("DELETE", "plans", name):
                daemon.plan(name)
                del daemon.plans[name]
                return 204, None
            case ("GET", "plans", name, "entries"): return 200, daemon.entries(name, query)
            case ("PUT", "plans", name, "selection"): return 200, daemon.select(name, body)
            case ("POST", "purges"): return 202, daemon.purge(body)
            case ("GET", "jobs"): return 200, {"jobs": [daemon.public(job) for job in daemon.jobs.values()]}
            case ("GET", "jobs", name): return 200, daemon.public(self.a_job(name))
            case ("POST", "jobs", name, "cancel"):
                job = self.a_job(name)
                job["_cancel"] = True
                return 202, daemon.public(job)
            case ("GET", "receipts"):
                start, limit = int(query.get("cursor", 0)), int(query.get("limit", 50))
                answer = {"receipts": [daemon.summary(one) for one in daemon.receipts[start:start + limit]]}
                if start + limit < len(daemon.receipts):
                    answer["cursor"] = str(start + limit)
                return 200, answer
            case ("GET", "receipts", name): return 200, daemon.public(daemon.receipt(name))
            case ("GET", "receipts", name, "paths"):
                return 200, {"removed": daemon.receipt(name)["removed"], "skipped": []}
            case ("POST", "receipts", name, "undo"): return 200, daemon.undo(name)
            case ("GET", "trash"): return 200, daemon.trash_answer(query)
            case ("POST", "trash", "restore"): return 200, daemon.restore(body)
            case ("GET", "cleanables"): return 200, daemon.cleanables.answer(query)
            case ("POST", "cleanables"): return 202, daemon.cleanables.look_again()
            case ("POST", "cleanables", "preview"): return daemon.cleanables.preview(body)
            case ("POST", "disposals"): return 201, daemon.dispose(body)
            case ("POST", "disposals", name, "confirm"): return 202, daemon.confirm_disposal(name)
            case ("POST", "module-runs", name, "confirm"): return 202, daemon.cleanables.run_modules(name)
            case ("POST", "audits"): return 202, daemon.audit()
            case ("GET", "audits", name):
                if name not in daemon.audits:
                    raise Refusal(404, "not-found", "There is no such audit.")
                return 200, daemon.audits[name]
            case ("GET", "settings"): return 200, daemon.all_settings()
        raise Refusal(404, "not-found", f"There is no {path}.")

    def a_job(self, name):
        if name not in self.daemon.jobs:
            raise Refusal(404, "not-found", "There is no such job.")
        return self.daemon.jobs[name]

    def events(self, name):
        job = self.a_job(name)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        seen = -1
        while True:
            with self.daemon.lock:
                version, state = job["_version"], job["state"]
                raw = json.dumps(self.daemon.public(job))
            if version != seen:
                seen = version
                event = "progress" if state == "running" else "done"
                self.wfile.write(f"event: {event}\nid: {version}\ndata: {raw}\n\n".encode())
                self.wfile.flush()
            if state != "running":
                return
            time.sleep(0.02)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.connections = set()

    def get_request(self):
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def end(self):
        """Ends as a process does: with all its connections."""
        self.shutdown()
        self.server_close()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, request, client_address):
        if os.environ.get("MOCK_VERBOSE"):
            super().handle_error(request, client_address)


def make_server(port, token, daemon=None):
    handler = type("BoundHandler", (Handler,), {"daemon": daemon or Daemon(), "token": token})
    return Server(("127.0.0.1", port), handler)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8737)
    parser.add_argument("--token", default="mock-token")
    options = parser.parse_args()
    server = make_server(options.port, options.token)
    print(f"http://127.0.0.1:{server.server_port}/#token={options.token}", flush=True)
    server.serve_forever()
