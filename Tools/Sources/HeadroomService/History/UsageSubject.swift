//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// Something of which the history knows how much it occupied.
public enum UsageSubject: Hashable, Sendable {
    /// By its root.
    case area(FilePath)
    /// By its id.
    case module(String)
}

extension UsageSubject {
    /// The name in messages and metrics.
    public var name: String {
        switch self {
        case .area(let root): root.string
        case .module(let id): id
        }
    }

    /// What it is: `area`, `module`.
    public var kind: String {
        switch self {
        case .area: "area"
        case .module: "module"
        }
    }

}
