//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// Which volumes are watched, and by what settings.
struct WorkspaceWorkTests {
    private let directory: TemporaryDirectory
    private let workspace: Workspace

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("area")
        let area = Area(
            root: directory.path.appending("area"), purgeClass: .cache, origin: "test")
        workspace = Workspace.open(
            environment: [:], home: directory.path,
            ledgerDirectory: directory.path.appending("ledger"), minIdle: .none
        ) { .now() }.declaring([area])
    }

    private func settings(leavingAt factor: Double) -> PressureSettings {
        var settings = PressureSettings.standard
        settings.thresholds.leavingFactor = factor
        return settings
    }

    @Test(.tags(.r23f)) func settingsOfAVolumeThatIsAbsentGovernNoOther() async throws {
        let absent = VolumeConfiguration(
            path: directory.path.appending("backup/disk"), settings: settings(leavingAt: 2))
        let own = VolumeConfiguration(
            path: try Volume.containing(directory.path).mountPoint,
            settings: settings(leavingAt: 3))
        var volumes = await WorkspaceWork(workspace, volumes: [absent]).volumes()
        #expect(volumes.allSatisfy { $0.settings == PressureSettings.standard })
        #expect(volumes.contains { $0.mountPoint == own.path })
        volumes = await WorkspaceWork(workspace, volumes: [absent, own]).volumes()
        #expect(volumes.first { $0.mountPoint == own.path }?.settings == own.settings)
    }

    @Test func aVolumeThatIsConfiguredAndAbsentMakesNobodyWatchTheOneAroundIt() async throws {
        // On a volume on which there are no areas.
        let memory = try TemporaryDirectory(on: .memory)
        let absent = VolumeConfiguration(
            path: memory.path.appending("backup/disk"), settings: .standard)
        let before = await WorkspaceWork(workspace).volumes()
        let volumes = await WorkspaceWork(workspace, volumes: [absent]).volumes()
        #expect(volumes == before)
    }

    #if os(Linux)
    @Test(.enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
    func aVolumeIsMountedUntilItIsNot() async throws {
        var image: MountedImage? = try MountedImage.tmpfs(size: .mebibytes(1))
        let place = try #require(image?.path)
        let work = WorkspaceWork(
            workspace, volumes: [VolumeConfiguration(path: place, settings: .standard)])
        let volume = try #require(await work.volumes().first { $0.mountPoint == place })
        let isMounted = await work.isMounted(volume)
        #expect(isMounted)
        withExtendedLifetime(image) {}
        image = nil
        let isMountedStill = await work.isMounted(volume)
        #expect(!isMountedStill)
        let volumes = await work.volumes()
        #expect(!volumes.contains { $0.mountPoint == place })
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
    func aFileSystemThatIsBoundElsewhereIsWatchedOnceByTheMountWithSettings() async throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        try image.tree.directory("part")
        try directory.tree.directory("bound")
        let bound = try MountedImage.bind(
            image.path.appending("part"), at: directory.path.appending("bound"))
        let work = WorkspaceWork(
            workspace,
            volumes: [
                VolumeConfiguration(
                    path: image.path.appending("part"), settings: settings(leavingAt: 2)),
                VolumeConfiguration(path: bound.path, settings: settings(leavingAt: 3)),
            ])
        let device = try Volume.containing(image.path).device
        let volumes = await work.volumes().filter { $0.device == device }
        #expect(volumes.map(\.mountPoint) == [bound.path])
        #expect(volumes.first?.settings == settings(leavingAt: 3))
        withExtendedLifetime((image, bound)) {}
    }
    #endif

    /// By the mounts in the order in which areas are found on them.
    @Test func aFileSystemIsNamedByTheMountWithSettingsElseByTheShortest() {
        let mounts = ([2, 3, 1] as [UInt64]).compactMap { table.mount(id: $0) }
        let found = mounts.map { (volume: Volume(mount: $0), place: $0.point) }
        func names(_ configured: [FilePath]) -> [FilePath] {
            let entries = configured.map {
                VolumeConfiguration(path: $0, settings: settings(leavingAt: 2))
            }
            let watched = WorkspaceWork.fileSystems(found) { volume in
                entries.entry(of: volume, in: table) { _ in true }
            }
            for volume in watched where volume.mountPoint != "/data" {
                let isOwn = volume.settings == settings(leavingAt: 2)
                #expect(isOwn == !configured.isEmpty)
            }
            return watched.map(\.mountPoint)
        }
        #expect(names([]) == ["/", "/data"])
        #expect(names(["/home"]) == ["/home", "/data"])
        #expect(names(["/home", "/"]) == ["/", "/data"])
        #expect(names(["/srv"]) == ["/", "/data"])
    }

    // MARK: - What is configured for a volume

    /// A file system in two places, and another one.
    private let table = MountTable([
        Self.mount(1, device: 10, at: "/"), Self.mount(2, device: 10, at: "/home"),
        Self.mount(3, device: 20, at: "/data"),
    ])

    private static func mount(_ id: UInt64, device: UInt64, at point: FilePath) -> Mount {
        Mount(
            id: id, device: device, root: "/", point: point, type: "btrfs", source: "/dev/vda",
            isReadOnly: false, isNoatime: false)
    }

    /// Which of the configured paths a volume's settings are from, where all but `/mnt/backup` is there.
    private func path(of mountPoint: FilePath, _ configured: [FilePath]) throws -> FilePath? {
        let mount = try #require(table.mounts.first { $0.point == mountPoint })
        return configured.map { VolumeConfiguration(path: $0, settings: .standard) }
            .entry(of: Volume(mount: mount), in: table) { $0 != "/mnt/backup" }?.path
    }

    @Test func settingsAreThoseOfTheFileSystemByWhicheverMount() throws {
        for mountPoint in ["/", "/home"] as [FilePath] {
            #expect(try path(of: mountPoint, ["/mnt/backup"]) == nil)
            #expect(try path(of: mountPoint, ["/mnt/backup", "/home"]) == "/home")
            #expect(try path(of: mountPoint, ["/home", "/"]) == "/")
            #expect(try path(of: mountPoint, ["/srv", "/home"]) == "/home")
            #expect(try path(of: mountPoint, ["/data", "/srv", "/opt"]) == "/srv")
        }
        #expect(try path(of: "/data", ["/", "/data/cache"]) == "/data/cache")
    }
}
