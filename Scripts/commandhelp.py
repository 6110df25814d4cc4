# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0
"""What the program says of its commands, for the scripts that write pages of it."""
import json
import subprocess


def read(program):
    """The program's command, with all that are below it."""
    said = subprocess.run([program, "--experimental-dump-help"], check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout)["command"]


def value_name(argument):
    return argument.get("valueName") or "value"


def shown(arguments):
    return [argument for argument in arguments or [] if argument.get("shouldDisplay", True)]


def own(command):
    """What stands in the synopsis: neither help nor version, which each command has."""
    return [argument for argument in shown(command.get("arguments"))
            if not {name["name"] for name in argument.get("names") or []} & {"help", "version"}]


def subcommands(command):
    return [child for child in command.get("subcommands") or []
            if child.get("shouldDisplay", True) and child["commandName"] != "help"]
