//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension HeadroomError.Code {
    /// The same as a reason of something that stays.
    package var reason: Reason.Code {
        switch self {
        case .notFound: .vanished
        case .notPermitted: .notPermitted
        case .readOnly: .readOnly
        case .unsupported: .unsupported
        case .refused, .invalid: .refused
        default: .failed
        }
    }
}

extension Reason.Code {
    /// It may not be thrown away; the text says why.
    public static let refused = Reason.Code("refused")
}
