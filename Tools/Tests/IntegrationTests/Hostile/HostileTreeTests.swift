//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Foundation
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

extension VolumeTests {
    /// One hostile tree, planned and purged by the real binary on each file system.
    @Suite(
        .serialized,
        .enabled(
            if: HostileProcess.isPossible && Privilege.has(program: "sqlite3"),
            "needs python3 and sqlite3 for databases, and unshare for namespaces"
        ))
    struct HostileTreeTests {
        @Test(.tags(.s2b, .s9c, .r22d), arguments: HostileVolume.Kind.allCases.filter(\.isPossible))
        func nothingIsLostThatShouldStay(kind: HostileVolume.Kind) throws {
            let volume = try HostileVolume(kind, prepare: HostileTree.makeLower)
            let tree = HostileTree(
                base: volume.base, depth: Privilege.isSoak || kind == .tmpfs ? 3_000 : 300)
            try tree.make()
            let mounts = try mount(in: tree)
            let holders = try hold(tree)
            try pin(in: tree)

            try lastUsesStay(tree)
            try anArchiveIsAsYoungAsItsUnpacking(tree)
            let plans = try plan(tree)
            try tree.change()
            let expected = try Expectation(tree, on: kind)
            let swapper = try HostileProcess.python(
                HostileProcess.swapper, in: tree.base.appending("area"))
            let writer = try HostileProcess.python(
                HostileProcess.writer, in: tree.base.appending("area"))

            let files = try purge(plans.files, tree)
            let units = try purge(plans.units, tree)

            swapper.send(15)
            try swapper.wait()
            writer.send(15)
            let written = try writer.wait().output
            try expected.verify(files: files, units: units, written: written)
            for holder in holders { #expect(try HostileProcess.isRunning(holder)) }
            try databasesAreSound(tree)
            try receiptsAreKept([files, units], tree)
            withExtendedLifetime((mounts, holders)) {}
        }

        @Test(
            .disabled(
                if: HostileVolume.Kind.allCases.allSatisfy(\.isPossible),
                "every file system can be mounted"))
        func fileSystemsThatCannotBeMountedHere() {
            let missing = HostileVolume.Kind.allCases.filter { !$0.isPossible }.map(\.rawValue)
            // No failure: said, so that nobody takes a short run for a whole one.
            print("The hostile tree was not tested on: \(missing.joined(separator: ", "))")
        }

        // MARK: - Before

        private func mount(in tree: HostileTree) throws -> [MountedImage] {
            let other = try MountedImage.tmpfs(size: .mebibytes(1))
            try other.tree.file("in", text: "on another volume")
            return [other]
                + [
                    try MountedImage.bind(other.path, at: tree.files.appending("nested/mount")),
                    try MountedImage.bind(
                        tree.base.appending("outside"), at: tree.units.appending("mounted/in/mount")
                    ),
                ]
        }

        private func hold(_ tree: HostileTree) throws -> [ChildProcess] {
            var holders = [
                try HostileProcess.python(HostileProcess.holder, in: tree.base.appending("area"))
            ]
            for path in [tree.files.appending("l/leased"), tree.units.appending("leased/in")] {
                // Its process numbers mean nothing out here, nor ours in there.
                let lease = try ChildProcess(
                    "unshare",
                    [
                        "--pid", "--fork", "--kill-child", "--mount-proc", Program.path, "lease",
                        path.string, "--", "sh", "-c", "echo ready; exec sleep 1000",
                    ], environment: tree.environment)
                holders.append(try HostileProcess.ready(lease))
            }
            return holders
        }

        /// Pinned where its directory is flagged, moved where it is not, and the ledger gone.
        private func pin(in tree: HostileTree) throws {
            for (name, place) in [
                ("pinned", "files/unflagged/pinned"), ("pinned-unit", "units/pinned/pinned"),
            ] {
                let path = tree.outside.path(TreePath(name)).string
                #expect(try tree.run("mark", path, "--pin").exitCode == 0)
                try tree.tree.rename(TreePath("outside/\(name)"), to: TreePath("area/\(place)"))
            }
            try tree.tree.remove("state")
        }

        private func plan(_ tree: HostileTree) throws -> (files: String, units: String) {
            let plans = (
                files: tree.base.appending("files.plan").string,
                units: tree.base.appending("units.plan").string
            )
            let files = try tree.run(
                "plan", tree.files.string, "--as", "cache", "--all", "--save", plans.files)
            #expect(files.exitCode == 0, "\(files.errors)")
            let units = try tree.run(
                "plan", tree.units.string, "--as", "cache", "--unit", "entry", "--all", "--save",
                plans.units)
            #expect(units.exitCode == 0, "\(units.errors)")
            return plans
        }

        // MARK: - The purge

        private func purge(_ plan: String, _ tree: HostileTree) throws -> PurgeOutput {
            let result = try tree.run("purge", "--plan", plan, "--yes", "--json")
            #expect(result.exitCode == 4, "\(result.errors)")
            let output = try PurgeOutput(result)
            #expect(output.completed)
            // What was freed is what was expected, or it is said why not.
            let gained = try #require(output.volumeGainedBytes)
            if output.expectedBytes - gained > 1 << 20 { #expect(output.differences != []) }
            return output
        }

        // MARK: - Around it

        /// Looking changes nothing of what is looked at: the last use of all that a plan names.
        private func lastUsesStay(_ tree: HostileTree) throws {
            func uses() throws -> [LastUse] {
                let plans = [
                    ["plan", tree.files.string, "--as", "cache", "--all", "--json"],
                    [
                        "plan", tree.units.string, "--as", "cache", "--unit", "entry", "--all",
                        "--json",
                    ],
                ]
                return try plans.flatMap { plan in
                    let result = try tree.run(plan)
                    #expect(result.exitCode == 0, "\(result.errors)")
                    return try JSONDecoder().decode(
                        LastUses.self, from: Data(result.standardOutput)
                    ).entries
                }
            }
            let before = try uses()
            // Of `files/swap` alone there are more.
            #expect(before.count > 150)
            #expect(before.allSatisfy { $0.lastUse != nil })
            #expect(
                try tree.run("scan", tree.base.appending("area").string, "--json").exitCode == 0)
            #expect(try uses() == before)
        }

        private struct LastUses: Decodable {
            var entries: [LastUse]
        }

        private struct LastUse: Decodable, Equatable {
            var path: String
            var pathBytes: String?
            var lastUse: String?
        }

        /// 1985 is when a file was changed last, not when it was used last.
        private func anArchiveIsAsYoungAsItsUnpacking(_ tree: HostileTree) throws {
            let used = try tree.run(
                "plan", tree.files.string, "--as", "cache", "--older-than", "300d", "--json")
            #expect(!used.output.contains("archive/old"))
            let modified = try tree.run(
                "plan", tree.files.string, "--as", "cache", "--older-than", "300d", "--age-by",
                "modified", "--json")
            #expect(modified.output.contains("archive/old\""))
        }

        private func databasesAreSound(_ tree: HostileTree) throws {
            for name in ["files/db/used.sqlite", "units/sqlite/used.sqlite"] {
                let result = try ChildProcess.run(
                    "sqlite3",
                    [
                        tree.area.path(TreePath(name)).string,
                        "pragma integrity_check; select x from t",
                    ])
                #expect(result.output == "ok\nprecious\n", "\(name): \(result.errors)")
            }
        }

        private func receiptsAreKept(_ outputs: [PurgeOutput], _ tree: HostileTree) throws {
            for output in outputs {
                let id = try #require(output.receipt)
                let log = try tree.run("log", "--receipt", id, "--json")
                #expect(log.exitCode == 0)
                #expect(log.json("expectedBytes") == "\(output.expectedBytes)")
                #expect(log.json("volumeGainedBytes") == "\(output.volumeGainedBytes ?? -1)")
            }
        }
    }
}
#endif
