//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// on: iOS tvOS visionOS
// fails: 'submitTaskRequest\(_:completionHandler:\)' is only available in .* 27\.0 or newer

import BackgroundTasks

func submit(_ request: BGProcessingTaskRequest) {
    BGTaskScheduler.shared.submitTaskRequest(request) { _ in }
}
