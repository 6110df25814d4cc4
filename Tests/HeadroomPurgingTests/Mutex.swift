//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if HEADROOM_THREAD_SANITIZER
import HeadroomPlatform

typealias Mutex = SanitizedMutex
#endif
