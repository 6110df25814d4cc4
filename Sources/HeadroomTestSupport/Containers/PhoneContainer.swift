//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// Containers as they are on a phone, with what apps and the system leave in them, for tests: copied
/// to this machine, so that nothing says what they are but their shape and their metadata.
///
///     try PhoneContainer.app.make(in: directory.tree, at: "copy")
public struct PhoneContainer: Sendable {
    /// Paths relative to the container's root, with what the file holds.
    public let files: [(path: String, content: Content)]
    /// Directories that are empty.
    public let emptyDirectories: [String]

    /// What is in a file: the beginning is that of a real one of its kind.
    public enum Content: Sendable {
        case jpeg, heic, mp4, mp3, pdf, pages, sqlite, binaryPropertyList, xmlPropertyList, text
        case closure, bytes
        /// The container manager's metadata, for an identifier.
        case metadata(String)
    }

    /// Makes the container in a tree.
    ///
    /// - Parameter size: of each file that is not metadata.
    public func make(
        in tree: Tree, at root: String, size: ByteCount = .kilobytes(12)
    ) throws {
        for (path, content) in files {
            var bytes = content.header
            if case .metadata = content {
            } else {
                bytes += [UInt8](repeating: 0x2E, count: max(0, Int(size.bytes) - bytes.count))
            }
            try tree.file(TreePath(stringLiteral: "\(root)/\(path)"), contents: bytes)
        }
        for path in emptyDirectories {
            try tree.directory(TreePath(stringLiteral: "\(root)/\(path)"))
        }
    }

    // MARK: - The containers

    /// The data container of an app that has been used for a year.
    public static let app = PhoneContainer(
        files: appDocuments + appSupport + appCaches + appSystem + appTemporary,
        emptyDirectories: ["Library/Caches/com.apple.AudioUnitCache", "tmp/com.apple.Empty"])

    /// The container of an app group.
    ///
    /// - Parameter metadata: whether the container manager's file is there, as it is on a device.
    public static func group(metadata: Bool) -> PhoneContainer {
        PhoneContainer(
            files: (metadata ? [(metadataName, .metadata("group.com.example.podcaster"))] : [])
                + groupFiles, emptyDirectories: [])
    }

    /// The container of a group of the system's own programs.
    public static let systemGroup = PhoneContainer(
        files: [
            (metadataName, .metadata("systemgroup.com.apple.configurationprofiles")),
            ("Library/Caches/profiles.cache", .bytes),
            ("Library/ConfigurationProfiles/PayloadManifest.plist", .binaryPropertyList),
            ("Library/Preferences/com.apple.profiles.plist", .binaryPropertyList),
        ], emptyDirectories: [])

    /// A home with the directories that make an app's container, and a shell's files.
    public static let home = PhoneContainer(
        files: [
            ("Documents/thesis.pages", .pages),
            ("Library/Caches/notes.txt", .text),
            ("Library/Application Support/Mail/Mail.sqlite", .sqlite),
            ("tmp/unsaved-novel.txt", .text),
            (".bash_history", .text),
            (".ssh/id_ed25519", .text),
        ], emptyDirectories: ["Desktop"])

    private static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

    private typealias Files = [(path: String, content: Content)]

    private static let appDocuments: Files = [
        ("Documents/Essay.pages", .pages),
        ("Documents/Trip/IMG_0001.HEIC", .heic),
        ("Documents/Trip/IMG_0002.MOV", .mp4),
        ("Documents/Inbox/Invoice.pdf", .pdf),
        ("Documents/Notes.sqlite", .sqlite),
        ("Documents/Notes.sqlite-wal", .bytes),
        ("Documents/Notes.sqlite-shm", .bytes),
    ]

    private static let appSupport: Files = [
        ("Library/Application Support/Podcaster/Library.sqlite", .sqlite),
        ("Library/Application Support/Podcaster/Library.sqlite-wal", .bytes),
        ("Library/Application Support/Podcaster/Library.sqlite-shm", .bytes),
        ("Library/Application Support/Podcaster/Library_ckAssets/8F2A/asset", .bytes),
        (
            "Library/Application Support/Podcaster/.Library_SUPPORT/_EXTERNAL_DATA/5C1E",
            .bytes
        ),
        ("Library/Application Support/Podcaster/Receipts/purchases.json", .text),
        ("Library/Application Support/com.apple.contextstore/store.db", .sqlite),
        ("Library/Application Support/Google/FIRApp/FIREBASE_DIAGNOSTICS_HEARTBEAT_DATE", .text),
    ]

    private static let appCaches: Files = [
        ("Library/Caches/Podcaster/Thumbnails/1.jpg", .jpeg),
        ("Library/Caches/Podcaster/Responses/feed.json", .text),
        ("Library/Caches/com.example.podcaster/Cache.db", .sqlite),
        ("Library/Caches/com.example.podcaster/Cache.db-wal", .bytes),
        ("Library/Caches/com.example.podcaster/Cache.db-shm", .bytes),
        ("Library/Caches/com.example.podcaster/fsCachedData/0E6A4C1B-77D2", .bytes),
        ("Library/Caches/com.hackemist.SDImageCache/default/3b1f.jpg", .jpeg),
        ("Library/Caches/WebKit/NetworkCache/Version 17/Records/A1/Resource/B2", .bytes),
        ("Library/Caches/CloudKit/6f1e/Records/cache.db", .sqlite),
        ("Library/Caches/CloudKit/6f1e/Assets/8F2A", .bytes),
        ("Library/Caches/com.apple.dyld/Podcaster-5D2C.closure", .closure),
        ("Library/Caches/com.apple.metal/32023/functions.data", .bytes),
        (
            "Library/Caches/com.apple.nsurlsessiond/Downloads/com.example.podcaster/"
                + "CFNetworkDownload_zE4.tmp", .bytes
        ),
        ("Library/Caches/Snapshots/com.example.podcaster/A1B2@3x.ktx", .bytes),
    ]

    private static let appSystem: Files = [
        (metadataName, .metadata("com.example.podcaster")),
        ("iTunesMetadata.plist", .binaryPropertyList),
        ("StoreKit/receipt", .bytes),
        ("SystemData/com.apple.SafariViewService/Library/WebKit/state.db", .sqlite),
        ("Podcaster.app/Podcaster", .bytes),
        ("Podcaster.app/Info.plist", .binaryPropertyList),
        ("Library/Cookies/Cookies.binarycookies", .bytes),
        ("Library/HTTPStorages/com.example.podcaster/httpstorages.sqlite", .sqlite),
        ("Library/HTTPStorages/com.example.podcaster/httpstorages.sqlite-wal", .bytes),
        ("Library/Preferences/com.example.podcaster.plist", .binaryPropertyList),
        ("Library/Preferences/com.apple.EmojiCache.plist", .binaryPropertyList),
        (
            "Library/Saved Application State/com.example.podcaster.savedState/"
                + "KnownSceneSessions/data.data", .bytes
        ),
        (
            "Library/SplashBoard/Snapshots/com.example.podcaster - {DEFAULT GROUP}/"
                + "A1B2@3x.ktx", .bytes
        ),
        ("Library/SyncedPreferences/com.example.podcaster.plist", .binaryPropertyList),
        ("Library/WebKit/WebsiteData/LocalStorage/https_example.com_0.localstorage", .sqlite),
        ("Library/WebKit/com.example.podcaster/WebsiteData/IndexedDB/x.sqlite3", .sqlite),
        ("Library/com.apple.iTunesCloud/play_activity.sqlitedb", .sqlite),
        ("Library/com.apple.UserManagedAssets.aB3/Episode.movpkg/boot.xml", .xmlPropertyList),
    ]

    private static let appTemporary: Files = [
        ("tmp/CFNetworkDownload_4fG2.tmp", .bytes),
        ("tmp/NSIRD_Podcaster_aBcDeF/Essay.pages", .pages),
        ("tmp/WKWebFileUpload-X1y2/IMG_0001.jpg", .jpeg),
        ("tmp/WKVideoUpload-Z9/clip.mp4", .mp4),
        ("tmp/TemporaryItems/(A Document Being Saved By Podcaster)/Essay.pages", .pages),
        ("tmp/scratch.bin", .bytes),
        ("tmp/com.apple.dyld/Podcaster-0A1B.closure", .closure),
    ]

    private static let groupFiles: Files = [
        ("Shared.sqlite", .sqlite),
        ("Shared.sqlite-wal", .bytes),
        ("Shared.sqlite-shm", .bytes),
        ("Episodes/17.mp3", .mp3),
        ("Library/Application Support/Widgets/timeline.json", .text),
        ("Library/Caches/Widgets/timeline-1.png", .bytes),
        ("Library/Caches/com.apple.chrono/placeholder", .bytes),
        ("Library/Preferences/group.com.example.podcaster.plist", .binaryPropertyList),
    ]
}

extension PhoneContainer.Content {
    /// How a file of the kind begins.
    var header: [UInt8] {
        switch self {
        case .jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10] + Array("JFIF\0".utf8)
        case .heic: [0, 0, 0, 0x18] + Array("ftypheic\0\0\0\0mif1heic".utf8)
        case .mp4: [0, 0, 0, 0x14] + Array("ftypqt  \0\0\0\0qt  ".utf8)
        case .mp3: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
        case .pdf: Array("%PDF-1.7\n".utf8)
        case .pages:
            [0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0, count: 20) + [18, 0, 0, 0]
                + Array("Index/Document.iwa".utf8)
        case .sqlite: Array("SQLite format 3\0".utf8)
        case .binaryPropertyList: Array("bplist00".utf8) + [0xD0, 8, 0]
        case .xmlPropertyList: Array("<?xml version=\"1.0\"?>\n<plist>".utf8)
        case .text: Array("text\n".utf8)
        case .closure: Array("dyld_closure".utf8) + [0, 1, 2, 3]
        case .bytes: [0x9C, 0xE1, 0x00, 0xB7]
        case .metadata(let identifier):
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x5F, 0x10, 0x15]
                + Array("MCMMetadataIdentifier".utf8) + [0x5F, 0x10, UInt8(identifier.utf8.count)]
                + Array(identifier.utf8) + [8, 0, 0, 0]
        }
    }
}
