//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import SystemPackage
import Testing

@Suite("R46: errors of paths") struct HeadroomErrorTests {
    @Test(
        "Tells absent, unreadable, read-only and unsupported paths apart", .tags(.r45e, .r46b),
        arguments: [
            (.noSuchFileOrDirectory, .notFound, "Check the path."),
            (.permissionDenied, .notPermitted, ""), (.notPermitted, .notPermitted, ""),
            (.readOnlyFileSystem, .readOnly, "Remount it read-write"),
            (.notSupported, .unsupported, "does not support this"),
            (.noFunction, .unsupported, "does not support this"),
            (.inappropriateIOCTLForDevice, .unsupported, "does not support this"),
            (.ioError, .io, ""),
        ] as [(Errno, HeadroomError.Code, String)])
    func distinguishesCauses(cause: Errno, code: HeadroomError.Code, advice: String) {
        let error = HeadroomError("open", "/some/path", cause)
        #expect(error.code == code)
        #expect(error.cause == cause)
        #expect(error.message.hasPrefix("Could not open /some/path: \(cause)."))
        #expect(error.message.contains(advice), "\(error.message)")
    }

    @Test("Does not advise root to run as root", .tags(.s12c, .r45e))
    func advisesRootDifferently() {
        #expect(HeadroomError.permissionAdvice(user: 1000).contains("or as root"))
        #expect(!HeadroomError.permissionAdvice(user: 0).contains("as root"))
    }
}
