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

#if canImport(Glibc)
import Glibc
#endif

/// A home, a container and a place of one's own in a temporary directory.
struct AreaValidationTests {
    private let directory: TemporaryDirectory
    private let ledger = MemoryMarkLedger()
    private let marks: MarkStore
    private let home: FilePath

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        marks = MarkStore(calls: POSIXCalls(), ledger: ledger)
        home = directory.tree.path("users/ann")
        for path in [
            "users/ann/Documents/album", "users/ann/.cache/pip", "users/ann/work/build/deep",
            "own/x",
            "box/Documents/made", "box/Library/Caches/Box", "box/Library/Preferences/p", "box/tmp",
        ] {
            try directory.tree.directory(TreePath(path))
        }
    }

    private func validation(user: UInt32 = User.effective) -> AreaValidation {
        AreaValidation(
            layouts: [.xdg(environment: ["TMPDIR": "/no/such"], home: home)], marks: marks,
            userID: user)
    }

    private func area(_ path: FilePath, _ purgeClass: PurgeClass = .cache) -> Area {
        Area(root: path, purgeClass: purgeClass, origin: "--as")
    }

    private func refusal(_ path: FilePath, _ purgeClass: PurgeClass = .cache) -> HeadroomError? {
        #expect(throws: HeadroomError.self, "\(path)") {
            try validation().validate(area(path, purgeClass))
        }
    }

    @Test("Rejects trash directories and their parts as areas")
    func rejectsTrash() throws {
        for path in ["disk/.Trash-4711/files", "disk/.Trash-4711/info/x"] as [TreePath] {
            try directory.tree.directory(path)
        }
        for path in ["disk/.Trash-4711", "disk/.Trash-4711/info", "disk/.Trash-4711/info/x"] {
            let error = refusal(directory.tree.path(TreePath(path)))
            #expect(error?.code == .refused)
            #expect(error?.message.contains("trash") == true)
        }
    }

    @Test func allowsADirectoryOfOnesOwn() throws {
        let path = directory.tree.path("own/x")
        let valid = try validation().validate(area(path))
        #expect(valid.area.root == path)
        #expect(valid.area.purgeClass == .cache)
        #expect(try valid.status.identity == directory.tree.status(of: "own/x").identity)
        #expect(valid.mark == .none)
    }

    @Test(
        .tags(.s11a),
        arguments: [
            ("", HeadroomError.Code.invalid, "empty"),
            ("relative", .invalid, "absolute"),
            ("/no/such/directory", .notFound, "Check the path"),
            ("/", .refused, "root of the file tree"),
            ("//", .refused, "root of the file tree"),
            ("/usr/..", .refused, "root of the file tree"),
            ("/usr", .refused, "part of the system"),
            ("/usr/lib", .refused, "part of the system"),
            ("/etc", .refused, "part of the system"),
            ("/var", .refused, "part of the system"),
            ("/var/lib", .refused, "part of the system"),
            ("/proc/sys", .refused, "the kernel's own"),
            ("/dev", .refused, "the kernel's own"),
            ("/tmp", .refused, "shared by all"),
            ("/usr/../tmp/.", .refused, "shared by all"),
            ("/home", .refused, "shared by all"),
            ("/etc/passwd", .invalid, "not a directory"),
        ])
    func refusesPlacesThatAreNobodysToDeclare(
        _ path: String, _ code: HeadroomError.Code, _ text: String
    ) {
        let error = refusal(FilePath(path))
        #expect(error?.code == code, "\(path): \(error?.message ?? "")")
        #expect(error?.message.contains(text) == true, "\(path): \(error?.message ?? "")")
    }

    @Test(
        .tags(.s11a),
        arguments: [
            ("users/ann", "the home directory"), ("users", "contains"), ("", "contains"),
            ("users/ann/Documents", "XDG_DOCUMENTS_DIR"), ("users/ann/.cache", "leave out --as"),
            ("users/ann/Documents/../../ann", "the home directory"),
            ("users/ann/work/build", "bears no mark"),
            ("users/ann/Documents/album", "bears no mark"),
            ("box", "the container"), ("box/Documents", "Documents"), ("box/tmp", "tmp"),
            ("box/Library/Caches", "Library/Caches"), ("box/Library/Preferences/p", "Preferences"),
            ("box/Documents/made", "bears no mark"),
        ])
    func refusesRoleRootsAndWhatIsEssential(_ path: String, _ text: String) {
        for purgeClass in [PurgeClass.temporary, .cache, .lastResort] {
            let error = refusal(FilePath("\(directory.path)/\(path)"), purgeClass)
            #expect(error?.code == .refused, "\(path)")
            #expect(error?.message.contains(text) == true, "\(path): \(error?.message ?? "")")
        }
    }

    @Test(arguments: ["users/ann/.cache/pip", "box/Library/Caches/Box"])
    func allowsDirectoriesInACache(_ path: String) throws {
        _ = try validation().validate(area(directory.tree.path(TreePath(path))))
    }

    @Test func refusesTheHomesOfTheMachine() throws {
        for account in UserAccount.local() where account.isPerson {
            guard (try? ResolvedDirectory(account.home)) != nil else { continue }
            #expect(refusal(account.home)?.code == .refused)
        }
    }

    @Test func aMarkOpensAnEssentialPlace() throws {
        let build = directory.tree.path("users/ann/work/build")
        try marks.update(build) { $0.purgeClass = .cache }
        #expect(try validation().validate(area(build)).area.purgeClass == .cache)
        let deep = directory.tree.path("users/ann/work/build/deep")
        #expect(try validation().validate(area(deep)).area.purgeClass == .cache)
        #expect(refusal(directory.tree.path("users/ann/work"))?.code == .refused)
    }

    @Test func theMoreProtectiveOfMarkAndDeclarationHolds() throws {
        let build = directory.tree.path("users/ann/work/build")
        try marks.update(build) { $0.purgeClass = .lastResort }
        #expect(try validation().validate(area(build, .temporary)).area.purgeClass == .lastResort)
        let own = directory.tree.path("own/x")
        try marks.update(own) { $0.purgeClass = .temporary }
        #expect(try validation().validate(area(own)).area.purgeClass == .cache)
    }

    @Test func aPinIsNoPermissionAndIsInherited() throws {
        let build = directory.tree.path("users/ann/work/build")
        try marks.update(build) { $0.isPinned = true }
        #expect(refusal(build)?.code == .refused)
        try marks.update(directory.tree.path("own")) { $0.isPinned = true }
        #expect(try validation().validate(area(directory.tree.path("own/x"))).mark.isPinned == true)
    }

    @Test func aMarkOnTheEssentialPlaceItselfOpensNothing() throws {
        try marks.update(home) { $0.purgeClass = .cache }
        #expect(refusal(directory.tree.path("users/ann/work/build"))?.code == .refused)
    }

    @Test func aMarkDoesNotOpenWhatIsNeverDeclared() throws {
        let path = directory.tree.path("box/Library/Preferences/p")
        try marks.update(path) { $0.purgeClass = .cache }
        #expect(refusal(path)?.message.contains("ever purged") == true)
    }

    @Test func keepsWhatIsUsableOfALayout() throws {
        try directory.tree.directory("elsewhere")
        try directory.tree.symbolicLink("users/ann/scratch", to: "../../elsewhere")
        let layout = Layout.xdg(
            environment: ["TMPDIR": home.appending("scratch").string], home: home)
        let usable = validation().usable(layout)
        let purgeable = usable.areas.filter { $0.purgeClass != .essential }
        #expect(purgeable.map(\.root) == [home.appending(".cache")])
        #expect(layout.notes.count == 1)
        #expect(layout.notes.first?.text.contains("TMPDIR") == true)
        #expect(usable.areas.contains { $0.root == home && $0.purgeClass == .essential })
    }

    @Test(.tags(.s11b)) func noVariableMakesAnEssentialPlacePurgeableByAnotherName() throws {
        try directory.tree.symbolicLink("alias", to: "users")
        try directory.tree.symbolicLink("up", to: ".")
        for value in ["alias/ann", "alias", "up/users", "alias/ann/Documents"] {
            let layout = Layout.xdg(
                environment: [
                    "XDG_CACHE_HOME": "\(directory.path)/\(value)", "TMPDIR": "/no/such",
                ],
                home: home)
            let usable = AreaValidation(layouts: [layout], marks: marks).usable(layout)
            let purgeable = usable.areas.filter { $0.purgeClass != .essential }
            #expect(purgeable.map(\.root) == [home.appending(".cache")], "\(value)")
            #expect(!layout.notes.isEmpty)
        }
    }

    @Test func noVariableMakesAnothersDirectoryPurgeable() throws {
        let layout = Layout.xdg(
            environment: [
                "XDG_CACHE_HOME": directory.tree.path("own/x").string, "TMPDIR": "/no/such",
            ],
            home: home)
        let stranger = AreaValidation(
            layouts: [layout], marks: marks, userID: User.effective &+ 12345)
        let usable = stranger.usable(layout)
        #expect(usable.areas.allSatisfy { $0.purgeClass == .essential })
        #expect(usable.notes.contains { $0.text.contains("another user") })
    }

    @Test(
        .tags(.s11b),
        arguments: ["box", "box/Documents", "box/tmp", "box/Library", "box/Library/Caches"])
    func aMarkDoesNotOpenARoleOfAContainer(_ path: String) throws {
        let path = directory.tree.path(TreePath(path))
        try marks.update(path) { $0.purgeClass = .cache }
        #expect(refusal(path)?.code == .refused)
    }

    @Test func aContainersOwnAreasAreUsable() throws {
        let layout = try #require(Layout.appleContainer(at: directory.tree.path("box")))
        let usable = AreaValidation(layouts: [layout], marks: marks).usable(layout)
        #expect(usable.notes.isEmpty)
        #expect(usable.areas.count { $0.purgeClass != .essential } == 2)
    }

    @Test func saysWhereALinkPoints() throws {
        try directory.tree.symbolicLink("link", to: "own/x")
        let error = refusal(directory.tree.path("link"))
        #expect(error?.code == .refused)
        #expect(error?.message.contains("own/x") == true)
    }

    @Test func essentialMayBeDeclaredAnywhere() throws {
        #expect(try validation().validate(area(home, .essential)).area.purgeClass == .essential)
        #expect(throws: HeadroomError.self) {
            try validation().validate(area("/no/such", .essential))
        }
    }

    @Test(.tags(.s11c)) func refusesDirectoriesOfOthersUnlessRootWasAsked() throws {
        let path = directory.tree.path("own/x")
        let owner = User.effective
        let stranger = validation(user: owner &+ 12345)
        let error = #expect(throws: HeadroomError.self) { try stranger.validate(area(path)) }
        #expect(error?.message.contains("another user") == true)
    }

    @Test(.tags(.s11c), .enabled(if: User.effective == 0, "needs root"))
    func rootMayNameAnothersDirectoryButNotRegisterIt() throws {
        let path = directory.tree.path("own/x")
        let result = unsafe path.withPlatformString { unsafe chown($0, 12345, 12345) }
        try #require(result == 0)
        _ = try validation().validate(area(path))
        #expect(throws: HeadroomError.self) {
            try validation().validate(area(path), declaredBy: .registration)
        }
    }

    #if os(Linux)
    @Test(.tags(.s11d), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func refusesMountRootsUnlessTheyAreAllowed() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        let validation = validation()
        let error = #expect(throws: HeadroomError.self) {
            try validation.validate(area(image.path))
        }
        #expect(error?.message.contains("volume is mounted") == true)
        var allowed = area(image.path)
        allowed.allowsMountRoot = true
        _ = try validation.validate(allowed)
    }

    @Test(.tags(.s11b), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func aBindMountIsWhatItShows() throws {
        try directory.tree.directory("alias")
        let bound = try MountedImage.bind(home, at: directory.tree.path("alias"))
        let validation = validation()
        // The home itself by its other name, what is in it, and with the mount root allowed.
        for path in ["alias", "alias/work/build", "alias/Documents"] {
            var area = area(directory.tree.path(TreePath(path)))
            area.allowsMountRoot = true
            let error = #expect(throws: HeadroomError.self) { try validation.validate(area) }
            #expect(error?.code == .refused, "\(path)")
        }
        withExtendedLifetime(bound) {}
    }

    @Test(.enabled(if: Privilege.canMount, "needs the right to mount"))
    func aBindMountOfAPartOfAHomeIsEssential() throws {
        try directory.tree.directory("alias")
        let bound = try MountedImage.bind(
            home.appending("Documents"), at: directory.tree.path("alias"))
        let error = #expect(throws: HeadroomError.self) {
            try validation().validate(area(directory.tree.path("alias/album")))
        }
        #expect(error?.message.contains("essential") == true)
        withExtendedLifetime(bound) {}
    }

    /// None of what is bound is guarded itself: only where it lies in its file system tells.
    @Test(.tags(.s11b), .enabled(if: Privilege.canMount, "needs the right to mount"))
    func aBindMountOfWhatLiesInAHomeLiesInThatHome() throws {
        try directory.tree.directory("alias")
        let bound = try MountedImage.bind(
            home.appending("work"), at: directory.tree.path("alias"))
        for path in ["alias/build", "alias/build/deep"] as [TreePath] {
            let error = #expect(throws: HeadroomError.self) {
                try validation().validate(area(directory.tree.path(path)))
            }
            #expect(error?.message.contains("bears no mark") == true, "\(path)")
        }
        withExtendedLifetime(bound) {}
    }
    #endif
}
