//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct PrivilegesTests {
    @Test func readsTheMaskOfTheEffectiveRights() {
        let status = """
            Name:\tcat
            CapInh:\t0000000000000000
            CapPrm:\t000001ffffffffff
            CapEff:\t0000000010080006
            CapBnd:\t000001ffffffffff
            """
        #expect(Privileges.effective(in: status) == 0x1008_0006)
        #expect(Privileges.effective(in: "Name:\tcat\n") == nil)
        #expect(Privileges.effective(in: "CapEff:\tnone\n") == nil)
    }

    @Test func thisProcessHasSome() {
        // Whoever is not root lacks nothing of root's: nothing is expected of it.
        let own = Privileges.current()
        #expect(User.isRoot || own.missing.isEmpty)
        #expect(Set(own.missing).count == own.missing.count)
    }
}
