//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Types as an app's own modules and SwiftUI have them, under names that Headroom's engine uses too.

public struct Intent {
    public init() {}
}

public struct Layout {
    public init() {}
}

public struct Mark {
    public init() {}
}

public struct Plan {
    public init() {}
}

public struct Receipt {
    public init() {}
}

public struct User {
    public init() {}
}
