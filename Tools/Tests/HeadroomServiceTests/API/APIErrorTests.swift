//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import HeadroomRequests
import SystemPackage
import Testing

@Suite("R46: error bodies of the API") struct APIErrorTests {
    @Test(
        "Tells absent, unreadable, read-only and unsupported paths apart", .tags(.r46b),
        arguments: [
            (.noSuchFileOrDirectory, 404, "not-found"), (.permissionDenied, 403, "not-permitted"),
            (.readOnlyFileSystem, 403, "read-only"), (.notSupported, 403, "unsupported"),
        ] as [(Errno, Int, String)])
    func distinguishesCauses(cause: Errno, status: Int, code: String) {
        let error = APIError(HeadroomError("open", "/some/path", cause))
        #expect("\(error.status)".hasPrefix("\(status)"))
        #expect(error.body.error.code == code)
        #expect(error.body.error.message.contains("/some/path"))
        #expect(!error.body.error.advice.isEmpty)
    }
}
