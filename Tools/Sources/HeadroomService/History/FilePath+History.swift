//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomPlatform
import SystemPackage

extension FilePath {
    /// The bytes of the path as a database keeps them: names are not always text.
    var historyBytes: Data { Data(bytes) }

    init(historyBytes: Data) { self.init(bytes: Array(historyBytes)) }
}

extension UsageSubject {
    var historyBytes: Data {
        switch self {
        case .area(let root): root.historyBytes
        case .module(let id): Data(id.utf8)
        }
    }

    init?(kind: String, historyBytes: Data) {
        switch kind {
        case "area": self = .area(FilePath(historyBytes: historyBytes))
        case "module": self = .module(String(decoding: historyBytes, as: UTF8.self))
        default: return nil
        }
    }
}
