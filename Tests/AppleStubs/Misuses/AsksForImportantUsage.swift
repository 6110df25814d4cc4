//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: tvOS watchOS
// fails: 'volumeAvailableCapacityForImportantUsageKey' is unavailable in (tvOS|watchOS)

import Foundation

func keys() -> Set<URLResourceKey> { [.volumeAvailableCapacityForImportantUsageKey] }
