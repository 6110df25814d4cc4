//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import HeadroomRequests
import Hummingbird

extension APIError {
    var response: Response {
        var response = APIAnswer.json(body, status: status)
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if status == .tooManyRequests || status == .serviceUnavailable {
            if let name = HTTPField.Name("Retry-After") { response.headers[name] = "2" }
        }
        if let allow { response.headers[.allow] = allow }
        return response
    }
}
