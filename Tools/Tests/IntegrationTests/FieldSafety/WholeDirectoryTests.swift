//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Directories that are useful as a whole only.
@Suite(
    "R44: directories that are purged whole", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct WholeDirectoryTests {
    private let home = FieldSandbox.home

    @Test(
        "Purges an unknown cache directory whole, by the last use of its newest file", .tags(.r44a))
    func purgesUnknownCacheWhole() throws {
        let sandbox = try FieldSandbox()
        let cache = "\(home)/.cache"
        for number in 1...4 {
            sandbox.file("\(cache)/idle-app/data/\(number)", size: 40_000, age: .days(300 + number))
            sandbox.file("\(cache)/busy-app/data/\(number)", size: 40_000, age: .days(300 + number))
        }
        try sandbox.settle()
        sandbox.file("\(cache)/busy-app/index", age: .minutes(1))
        try sandbox.flush()
        let busy = try sandbox.listing("\(cache)/busy-app")
        let idle = try sandbox.listing("\(cache)/idle-app")
        // Less than one of them holds.
        try sandbox.headroom("purge", "--free", "50kB", "--yes")
        #expect(try sandbox.listing("\(cache)/busy-app") == busy)
        let left = try sandbox.listing("\(cache)/idle-app")
        #expect(left.isEmpty || left == idle, "half of it: \(left.count) of \(idle.count)")
        try sandbox.headroom("purge", "--all", "--yes")
        #expect(try sandbox.listing("\(cache)/busy-app") == busy)
        try sandbox.expectPurged("\(cache)/idle-app")
        try sandbox.expectControlsPurged()
    }

    @Test(
        "Purges a repository whole or not at all, and keeps one that others borrow objects from",
        .tags(.r44c),
        .enabled(if: Privilege.has(program: "git"), "needs git"))
    func keepsRepositoriesWhole() throws {
        let sandbox = try FieldSandbox()
        try sandbox.shell(
            """
            commits() {
                for number in 1 2 3; do
                    head -c 30000 /dev/urandom >f$number; git add .; git commit -qm $number
                done
            }
            mkdir -p ~/.cache/builder/package ~/.cache/mirror ~/work
            cd ~/.cache/builder/package; git init -q .; commits
            git clone -q --bare . ~/.cache/mirror/package.git
            cd ~/work; git init -q .; commits
            git clone -q --bare . ~/.cache/mirror/lender.git
            git clone -q --shared ~/.cache/mirror/lender.git ~/borrower
            """)
        sandbox.prepare("age 43200000 \(home)/.cache/builder \(home)/.cache/mirror")
        try sandbox.settle()
        let repositories = ["builder/package", "mirror/package.git", "mirror/lender.git"].map {
            "\(home)/.cache/\($0)"
        }
        let before = try repositories.map(sandbox.listing)
        for arguments in [["--free", "40kB"], ["--free", "150kB"], ["--all"]] {
            let purge = try sandbox.run(
                [FieldSandbox.binary, "purge"] + arguments + ["--yes"], as: .alice)
            for (index, path) in repositories.enumerated() {
                let left = try sandbox.listing(path)
                #expect(
                    left.isEmpty || left == before[index],
                    "\(arguments): \(left.count) of \(before[index].count) in \(path): \(purge)")
            }
        }
        #expect(try sandbox.listing(repositories[2]) == before[2])
        let check = try sandbox.run(["git", "-C", "\(home)/borrower", "fsck"], as: .alice)
        #expect(check.succeeded, "\(check.errors)")
        try sandbox.expectControlsPurged()
    }

    @Test(
        "Leaves out of plans what cannot be removed, and purges all that a plan contains",
        .tags(.r45a))
    func plansOnlyWhatCanBeRemoved() throws {
        let sandbox = try FieldSandbox()
        let cache = "\(home)/.cache"
        let fixed = [
            "\(cache)/immutable-directory/f", "\(cache)/app/immutable", "\(cache)/app/append",
        ]
        for path in fixed { sandbox.file(path, size: 90_000, age: .days(400)) }
        sandbox.file("\(cache)/unwritable/f", size: 90_000, age: .days(400))
        try sandbox.settle()
        try sandbox.shell(
            """
            chmod 500 \(cache)/unwritable
            chattr +i \(cache)/immutable-directory \(cache)/app/immutable
            chattr +a \(cache)/app/append
            """, as: .root)
        for (account, environment) in [
            (FieldSandbox.Account.alice, [:]), (.root, ["HOME": home]),
        ] as [(FieldSandbox.Account, [String: String])] {
            let planned = try sandbox.headroom(
                "plan", "--all", "--json", as: account, environment: environment
            ).plannedPaths()
            #expect(Set(planned).isDisjoint(with: fixed), "\(account)")
            let purge = try sandbox.headroom(
                "purge", "--all", "--yes", as: account, environment: environment)
            // Says why something stayed.
            let receipt = try sandbox.headroom(
                "log", "--json", as: account, environment: environment)
            #expect(purge.exitCode == 0, "\(account): \(purge) \(receipt.output)")
            let left = try sandbox.existing(planned)
            #expect(left.isEmpty, "\(account): planned and still there: \(left)")
        }
        #expect(try sandbox.existing(fixed) == fixed)
        try sandbox.shell(
            """
            chattr -i \(cache)/immutable-directory \(cache)/app/immutable
            chattr -a \(cache)/app/append
            """, as: .root)
        try sandbox.headroom("purge", "--all", "--yes")
        #expect(try sandbox.existing(fixed).isEmpty)
        try sandbox.expectControlsPurged()
    }
}
#endif
