# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""How the stand-in refuses: a status, and what the API says of an error."""


class Refusal(Exception):
    def __init__(self, status, code, message, advice=""):
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message, "advice": advice}}
