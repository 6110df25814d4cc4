//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// Other processes that use files; each is killed with its owner.
public enum Holder {
    /// Runs a shell script that says `ready` when it holds what the test is about.
    public static func shell(_ script: String) throws -> ChildProcess {
        try started(ChildProcess("/bin/sh", ["-c", script]))
    }

    /// Runs Python code that says `ready` when it holds what the test is about.
    public static func python(_ code: String) throws -> ChildProcess {
        try started(
            ChildProcess(
                python,
                [
                    "-c",
                    "import os,mmap,fcntl,time,sys,signal\n\(code)\nprint('ready',flush=True)\nsignal.pause()",
                ]))
    }

    public static func started(_ child: ChildProcess) throws -> ChildProcess {
        guard try child.readOutput(until: "ready") else {
            throw FixtureError(
                "start", on: "a holder",
                details: String(decoding: child.standardError, as: UTF8.self))
        }
        return child
    }

    public static let python = Privilege.has(program: "python3") ? "python3" : "/usr/bin/python3"

    public static func identity(_ path: FilePath) throws -> FileIdentity {
        try PathCalls.status(path).identity
    }
}
