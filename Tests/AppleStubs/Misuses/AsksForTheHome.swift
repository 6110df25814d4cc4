//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: iOS tvOS watchOS visionOS
// fails: 'homeDirectoryForCurrentUser' is unavailable in

import Foundation

func home() -> URL { FileManager.default.homeDirectoryForCurrentUser }
