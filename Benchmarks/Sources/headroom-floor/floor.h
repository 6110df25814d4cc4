//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The least that a scan and a purge can cost, and a stopwatch small enough to time small programs.

#ifndef HEADROOM_FLOOR_H
#define HEADROOM_FLOOR_H

/// Adds up what lies below a directory and prints it; 0 if all of it could be read.
int floor_scan(const char *path);

/// Removes everything below a directory, in the order it is read in; 0 if all of it went.
int floor_purge(const char *path);

/// Runs a program with its output discarded and prints what it used: wall nanoseconds, user and
/// system microseconds, peak memory in KiB, and how it ended.
int floor_time(char **command);

/// The same in a terminal of its own: once `text` appears there, `keys` are typed.
int floor_time_in_terminal(const char *text, const char *keys, char **command);

#endif
