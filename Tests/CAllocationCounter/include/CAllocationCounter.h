//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// How often a program has asked for memory: for tests that hold it to a number.

#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many blocks of memory the program has asked for so far, whoever in it asked; 0 where that cannot
/// be counted.
uint64_t hr_allocations(void);

#endif
