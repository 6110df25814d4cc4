//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Areas that only the system's daemon has.
@Suite(
    "Declarations of the system's configuration", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct SystemDeclarationTests {
    @Test("explain names the class that the system's daemon gives to a user's file", .tags(.r18b))
    func explainNamesTheSystemsClass() throws {
        let sandbox = try FieldSandbox()
        sandbox.file("/var/spool/jobs/f", age: .days(20), owner: .alice)
        sandbox.prepare(
            """
            mkdir -m 755 /etc/headroom
            printf 'areas:\\n  - path: /var/spool/jobs\\n    class: temporary\\n' >/etc/headroom/headroom.yaml
            chmod 644 /etc/headroom/headroom.yaml
            """)
        let explained = try sandbox.headroom("explain", "/var/spool/jobs/f", "--json")
        #expect(explained.output.contains("\"system-declaration\""), "\(explained)")
        #expect(explained.output.contains("the system's daemon treats it as temporary"))
    }
}
#endif
