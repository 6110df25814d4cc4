//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Directories in caches that are recognized by the names in them.
@Suite("Shapes of directories in purgeable areas")
struct ShapeTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try tree.directory("cache")
    }

    private func inventory(
        _ purgeClass: PurgeClass = .cache, unit: PurgeUnit = .directory
    ) throws -> Inventory {
        let root = directory.path.appending("cache")
        return try Scanner.scan(
            [ScanRoot(path: root)],
            areas: [Area(root: root, purgeClass: purgeClass, unit: unit, origin: "test")],
            options: ScanOptions(now: .now()))
    }

    private func plan(_ inventory: Inventory, through: PurgeableClass = .lastResort) -> Plan {
        Planner.plan(inventory, PlanRequest(targets: [.all], through: through, now: .now()))
    }

    private func names(_ plan: Plan) -> [String] {
        plan.filter { $0.unit != .emptyDirectory }.compactMap { entry in
            entry.path.string.split(separator: "/").firstIndex(of: "cache").map { index in
                entry.path.string.split(separator: "/")[(index + 1)...].joined(separator: "/")
            }
        }.sorted()
    }

    private func create(_ paths: [String]) throws {
        for path in paths {
            if path.hasSuffix("/") {
                try tree.directory(TreePath("cache/\(path.dropLast())"))
            } else {
                try tree.file(TreePath("cache/\(path)"), size: .kilobytes(8))
            }
        }
    }

    static let kept: [(String, [String])] = [
        ("a browser profile", ["Local State"]),
        ("a browser profile", ["Login Data"]),
        ("a browser profile", ["key4.db"]),
        ("a browser profile", ["places.sqlite"]),
        ("a Wine prefix", ["system.reg", "drive_c/users/u/save"]),
        ("a backup repository", ["config", "data/00/x", "keys/k", "snapshots/s"]),
        ("a backup repository", ["config", "README", "data/0/1"]),
        ("a directory with the state of Terraform or Pulumi", ["terraform.tfstate"]),
        ("a directory with the state of Terraform or Pulumi", [".pulumi/stacks/dev.json"]),
        (
            "a directory with the state of Terraform or Pulumi",
            ["terraform.tfstate", "conda-meta/history"]
        ),
        ("a data store of DVC", ["files/md5/ab/cdef"]),
    ]

    @Test(
        "Keeps structures that may hold the only copy of something, at any depth", .tags(.r44d),
        arguments: kept)
    func keepsStructure(kind: String, content: [String]) throws {
        try create(content.map { "vendor/app/deep/\($0)" } + ["other/file"])
        for unit in [PurgeUnit.directory, .file, .entry] {
            let inventory = try inventory(unit: unit)
            let plan = plan(inventory)
            #expect(names(plan) == (unit == .file ? ["other/file"] : ["other"]), "\(unit)")
            let obstacle = try #require(plan.obstacles.first)
            #expect(obstacle.reason.code == .structure)
            #expect(obstacle.reason.text.hasPrefix("It is \(kind), and Headroom can't tell"))
            // The rule is named for each file in it.
            let file = try #require(content.first)
            let request = PlanRequest(targets: [.all], now: .now())
            let path = directory.path.appending("cache/vendor/app/deep/\(file)")
            let explanation = Explainer(inventory, request).explain(path)
            #expect(explanation.outlook == .never(obstacle.reason))
        }
    }

    @Test(
        "Purges directories that have only a part of such a structure",
        arguments: [
            ["system.reg"], ["drive_c/x"], ["config", "data/x"],
            ["data/x", "keys/k", "snapshots/s"],
            ["README", "config", "chunks"], [".terraform/terraform.tfstate"], ["md5/x"],
            ["Local State2", "my key4.db", "tfstate", "x.tfstates"],
        ])
    func purgesPart(content: [String]) throws {
        try create(content.map { "app/\($0)" })
        #expect(names(plan(try inventory(), through: .cache)) == ["app"])
    }

    @Test(
        "Keeps a file of Terraform or a browser in a directory of all users, and nothing beside it",
        .tags(.r44d),
        .enabled(if: Privilege.isRoot, "needs root, whose directory it has to be"))
    func keepsLooseFile() throws {
        try create(["terraform.tfstate", "key4.db", "other"])
        try tree.setPermissions(0o1777, of: "cache")
        let inventory = try inventory(.temporary)
        #expect(names(plan(inventory)) == ["other"])
        let path = directory.path.appending("cache/terraform.tfstate")
        let explanation = Explainer(inventory, PlanRequest(targets: [.all], now: .now()))
            .explain(path)
        guard case .never(let reason) = explanation.outlook else {
            Issue.record("unexpected outlook \(explanation.outlook)")
            return
        }
        #expect(reason.text.contains("the state of Terraform or Pulumi"))
    }

    @Test(
        "Takes small files with ambiguous names for no model or image",
        arguments: ["venv.pth", "page.pt", "test.h5", "disk.img"])
    func ignoresSmallFiles(name: String) throws {
        try tree.file(TreePath("cache/app/\(name)"), size: .kilobytes(1))
        #expect(names(plan(try inventory(), through: .cache)) == ["app"])
    }

    @Test(
        "Purges models and images as a last resort", .tags(.r44g),
        arguments: [
            "a.gguf", "a.ggml", "a.safetensors", "a.ckpt", "a.onnx", "a.keras", "a.pt", "a.pth",
            "a.h5", "pytorch_model.bin", "model.bin", "ggml-base.en.bin", "a.qcow2", "a.vmdk",
            "a.vdi", "a.ova", "a.sif", "a.vhd", "a.vhdx",
        ])
    func defersCostlyContent(name: String) throws {
        try create(["app/models/\(name)", "app/index", "other/file"])
        for purgeClass in [PurgeClass.temporary, .cache] {
            let inventory = try inventory(purgeClass)
            #expect(names(plan(inventory, through: .cache)) == ["other"])
            let all = plan(inventory)
            #expect(names(all) == ["app", "other"])
            #expect(all.first { $0.path.lastComponent == "app" }?.purgeClass == .lastResort)
        }
    }

    @Test("Finds weights in a live inventory that appear, and that disappear")
    func followsChanges() throws {
        let root = directory.path.appending("cache")
        try create(["app/index", "loose"])
        let area = Area(root: root, purgeClass: .cache, unit: .directory, origin: "test")
        let live = try LiveInventory(roots: [ScanRoot(path: root)], areas: [area]) {
            ScanOptions(now: .now())
        }
        defer { live.close() }
        #expect(names(plan(try live.inventory(), through: .cache)) == ["app", "loose"])
        try create(["app/a.gguf", "b.gguf"])
        #expect(names(plan(try live.inventory(), through: .cache)) == ["loose"])
        try tree.remove("cache/app/a.gguf")
        #expect(names(plan(try live.inventory(), through: .cache)) == ["app", "loose"])
    }
}
