//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// Four situations of a path: absent, unreadable for the user, on a read-only volume, and on a file system that lacks
/// a feature. Every command answers each of them differently.
@Suite(
    "R46: distinct answers", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct DistinctAnswerTests {
    enum Situation: String, CaseIterable, CustomTestStringConvertible {
        case absent, unreadable, readOnly, unsupported

        var testDescription: String { rawValue }

        var directory: String {
            switch self {
            case .absent: "/mnt/data/absent"
            case .unreadable: "/mnt/data/private/d"
            case .readOnly: "/mnt/fixed/d"
            // ramfs has no extended attributes.
            case .unsupported: "/mnt/ram/d"
            }
        }
    }

    /// The answer of a command: its exit code, and the value of a member of its document.
    struct Answer {
        var exits: Set<Int32>
        var member = ""
        var value = ""

        static func failure(_ code: String) -> Answer {
            Answer(exits: [1], member: "code", value: "\"\(code)\"")
        }

        static let success = Answer(exits: [0])
    }

    struct Row {
        var command: [String]
        var answers: [Situation: Answer]

        /// - Parameters:
        ///   - readOnly, unsupported: commands that only read work there.
        init(
            _ command: String..., absent: Answer = .failure("notFound"),
            unreadable: Answer = .failure("notPermitted"), readOnly: Answer = .success,
            unsupported: Answer = .success
        ) {
            self.command = command
            answers = [
                .absent: absent, .unreadable: unreadable, .readOnly: readOnly,
                .unsupported: unsupported,
            ]
        }
    }

    /// In their order; `PATH` stands for a directory in the situation, which has a file `f`.
    static let rows = [
        Row("trash", "PATH/f", readOnly: .failure("read-only")),
        Row("scan", "PATH"),
        Row("plan", "PATH", "--as", "cache", "--all"),
        Row(
            "purge", "PATH", "--as", "cache", "--all", "--yes",
            // It has nothing to do, or says that it skipped something.
            readOnly: Answer(exits: [0, 4], member: "code", value: "\"read-only\"")),
        Row("explain", "PATH"),
        Row("audit", "PATH"),
        Row(
            "mark", "PATH", "--pin",
            readOnly: Answer(exits: [0], member: "ledgerOnly", value: "\"readOnly\""),
            unsupported: Answer(exits: [0], member: "ledgerOnly", value: "\"unsupported\"")),
        // Creates the directory, and those around it.
        Row("dir", "add", "PATH/new", absent: .success, readOnly: .failure("readOnly")),
    ]

    @Test(
        "Gives each situation its own exit code and error code, in every command",
        .tags(.r46a, .r46c))
    func distinguishesSituations() throws {
        let sandbox = try Self.sandbox()
        for row in Self.rows {
            for situation in Situation.allCases {
                let path = situation.directory
                let arguments = row.command.map {
                    $0.hasPrefix("PATH") ? path + $0.dropFirst(4) : $0
                }
                let result = try sandbox.run(
                    [FieldSandbox.binary] + arguments + ["--json"], as: .alice)
                let answer = try #require(row.answers[situation])
                let exit = try #require(result.exitCode)
                #expect(answer.exits.contains(exit), "\(arguments): \(result)")
                guard !answer.member.isEmpty else { continue }
                #expect(
                    result.json(answer.member) == answer.value[...],
                    "\(arguments): \(result.output)")
            }
        }
    }

    @Test(
        "A lease says whether its path is absent or may not be read, and works on a read-only volume",
        .tags(.r46a)
    )
    func leaseDistinguishesSituations() throws {
        let sandbox = try Self.sandbox()
        let words: [Situation: String] = [
            .absent: "No such file or directory", .unreadable: "Permission denied",
        ]
        for situation in Situation.allCases {
            let result = try sandbox.headroom("lease", situation.directory, "--", "true")
            guard let words = words[situation] else {
                #expect(result.exitCode == 0, "\(situation): \(result)")
                continue
            }
            #expect(result.exitCode == 1, "\(situation): \(result)")
            #expect(result.errors.contains(words), "\(situation): \(result.errors)")
        }
    }

    @Test("Says in words that a mark is kept by the ledger alone, and why", .tags(.r46c))
    func markSaysWhereItIsKept() throws {
        let sandbox = try Self.sandbox()
        let fixed = try sandbox.headroom("mark", "/mnt/fixed/d", "--pin")
        #expect(
            fixed.output.contains("only the ledger keeps it: the volume is mounted read-only"),
            "\(fixed)")
        let ram = try sandbox.headroom("mark", "/mnt/ram/d", "--pin")
        #expect(
            ram.output.contains(
                "only the ledger keeps it: the file system does not support extended attributes"),
            "\(ram)")
        // The ledger's word counts.
        for path in ["/mnt/fixed/d", "/mnt/ram/d"] {
            let shown = try sandbox.headroom("mark", path, "--json")
            #expect(shown.json("pinned") == "true", "\(shown)")
        }
    }

    @Test(
        "A plan promises nothing on a read-only volume, and names it as the obstacle", .tags(.r45b))
    func plansNothingOnReadOnlyVolume() throws {
        let sandbox = try Self.sandbox()
        let plan = try sandbox.headroom(
            "plan", "/mnt/fixed/d", "--as", "cache", "--all", "--json")
        #expect(try plan.plannedPaths().isEmpty, "\(plan)")
        #expect(plan.output.contains("\"read-only\""), "\(plan)")
        let purge = try sandbox.headroom(
            "purge", "/mnt/fixed/d", "--as", "cache", "--all", "--yes", "--json")
        #expect(purge.output.contains("\"read-only\""), "\(purge)")
        try sandbox.expectKept("/mnt/fixed/d/f")
    }

    private static func sandbox() throws -> FieldSandbox {
        let sandbox = try FieldSandbox(volumes: ["data", "fixed"])
        for directory in ["/mnt/data/private/d", "/mnt/fixed/d"] {
            sandbox.file("\(directory)/f", age: .days(400))
        }
        sandbox.prepare(
            """
            chmod 700 /mnt/data/private
            chown 4101 /mnt/data/private
            mkdir /mnt/ram
            mount -t ramfs ram /mnt/ram
            chown 4100 /mnt/ram
            """)
        sandbox.file("/mnt/ram/d/f", age: .days(400))
        try sandbox.settle()
        try sandbox.shell("mount -o remount,ro /mnt/fixed", as: .root)
        return sandbox
    }

    @Test("Explains links, files on mounted volumes and open files", .tags(.r46a))
    func explainsWhatPurgesKeep() throws {
        let sandbox = try FieldSandbox()
        let home = FieldSandbox.home
        let (mounted, open) = ("\(home)/.cache/disk/f", "\(home)/.cache/app/f")
        sandbox.file(mounted, age: .days(40))
        sandbox.file(open, age: .days(40))
        sandbox.prepare(
            """
            ln -s /nowhere \(home)/.cache/link
            chown -h 4100:4100 \(home)/.cache/link
            """)
        try sandbox.settle()
        try #require(
            try sandbox.run(
                [
                    "bash", "-c",
                    "mount --bind \(home)/.cache/disk \(home)/.cache/disk && "
                        + "mount -o remount,bind,ro \(home)/.cache/disk",
                ], as: .root
            ).succeeded)
        let onMount = try sandbox.headroom("explain", mounted)
        #expect(onMount.output.contains("the volume that is mounted at"), "\(onMount)")
        let link = try sandbox.headroom("explain", "\(home)/.cache/link")
        #expect(link.exitCode == 0 && link.output.contains("Class      cache"), "\(link)")
        let process = try sandbox.start("exec 3<\(open); echo ready; exec sleep 1000")
        let answer = try sandbox.headroom("explain", open)
        #expect(answer.output.contains("It is open in"), "\(answer)")
        #expect(!answer.output.contains("when the volume is at"), "\(answer)")
        try sandbox.stop(process)
    }
}
#endif
