//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import Testing

struct MountedContentTests {
    private static let table = [
        "21 1 8:1 / / rw - ext4 /dev/sda1 rw",
        "22 21 0:5 / /dev rw - devtmpfs udev rw",
        "30 21 0:31 / /tmp rw - tmpfs tmp rw",
        "31 30 0:32 / /tmp/inner rw - tmpfs inner rw",
    ]

    private func differences(_ first: [String], _ second: [String]) -> Set<String> {
        let tables = [first, second].map { lines in
            MountedContent(parsing: Array(lines.map { $0 + "\n" }.joined().utf8))
        }
        let points = tables[0].points(differingFrom: tables[1])
        #expect(Set(points) == Set(tables[1].points(differingFrom: tables[0])))
        return Set(points.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("Tables of a copied namespace are equal, whatever their numbers and order")
    func copies() {
        let copy = [
            "121 101 8:1 / / rw - ext4 /dev/sda1 rw",
            "130 121 0:31 / /tmp rw - tmpfs tmp rw",
            "131 130 0:32 / /tmp/inner rw - tmpfs inner rw",
            "122 121 0:5 / /dev rw - devtmpfs udev rw",
        ]
        #expect(differences(Self.table, copy).isEmpty)
        #expect(differences(Self.table, Self.table).isEmpty)
    }

    @Test(
        "Finds the mount points that differ",
        arguments: [
            ("30 21 0:31 /", "30 21 0:77 /", ["/tmp"]),
            ("30 21 0:31 /", "30 21 0:31 /sub", ["/tmp"]),
            ("22 21 0:5 / /dev", "22 21 0:5 / /devices", ["/dev", "/devices"]),
            // The mount at /tmp was made later and covers the inner one.
            ("31 30 0:32", "31 21 0:32", ["/tmp/inner"]),
        ])
    func changes(old: String, new: String, points: [String]) {
        let other = Self.table.map { $0.hasPrefix(old) ? new + $0.dropFirst(old.count) : $0 }
        #expect(differences(Self.table, other) == Set(points))
        #expect(differences(Self.table, Array(Self.table.dropLast())) == ["/tmp/inner"])
    }

    @Test("A point with several mounts may differ")
    func stacks() {
        let stack = Self.table + ["40 30 0:31 / /tmp rw - tmpfs tmp rw"]
        #expect(differences(stack, stack) == ["/tmp"])
    }

    @Test("Without a table, everything may differ")
    func noTable() {
        #expect(differences(Self.table, []) == [""])
        #expect(differences([], []) == [""])
    }
}
#endif
