//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Reason.Code {
    /// Used more recently than `MinIdle` allows.
    public static let recentlyUsed = Reason.Code("recently-used")
}

extension Reason.Code {
    /// The wall clock was moved: what goes by age stays for a day.
    public static let clockMoved = Reason.Code("clock-moved")
}

extension Reason.Code {
    /// A volume did not answer within its time limit.
    public static let volumeSilent = Reason.Code("volume-silent")
}
