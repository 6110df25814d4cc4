//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What each path of a container copied from a phone must be: role, class, backup.
enum PhoneTable {
    /// The paths of a table whose class satisfies a condition.
    static func paths(_ table: String, _ isWanted: (String) -> Bool) -> [String] {
        table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "|").map { column in
                let text = column.drop { $0 == " " }
                return String(text.reversed().drop { $0 == " " }.reversed())
            }
            // Empty directories are nothing that frees anything.
            guard isWanted(columns[1]), !columns[3].hasSuffix("AudioUnitCache") else { return nil }
            return columns[3]
        }
    }

    static let app = """
        container | essential | byLocation | .com.apple.mobile_container_manager.metadata.plist
        documents | essential | included | Documents/Essay.pages
        inbox | essential | included | Documents/Inbox/Invoice.pdf
        documents | essential | included | Documents/Notes.sqlite
        documents | essential | included | Documents/Notes.sqlite-shm
        documents | essential | included | Documents/Notes.sqlite-wal
        documents | essential | included | Documents/Trip/IMG_0001.HEIC
        documents | essential | included | Documents/Trip/IMG_0002.MOV
        applicationSupport | essential | included | Library/Application Support/Google/FIRApp/FIREBASE_DIAGNOSTICS_HEARTBEAT_DATE
        applicationSupport | essential | included | Library/Application Support/Podcaster/.Library_SUPPORT/_EXTERNAL_DATA/5C1E
        applicationSupport | essential | included | Library/Application Support/Podcaster/Library.sqlite
        applicationSupport | essential | included | Library/Application Support/Podcaster/Library.sqlite-shm
        applicationSupport | essential | included | Library/Application Support/Podcaster/Library.sqlite-wal
        applicationSupport | essential | included | Library/Application Support/Podcaster/Library_ckAssets/8F2A/asset
        applicationSupport | essential | included | Library/Application Support/Podcaster/Receipts/purchases.json
        applicationSupport | essential | included | Library/Application Support/com.apple.contextstore/store.db
        caches | cache | byLocation | Library/Caches/CloudKit/6f1e/Assets/8F2A
        caches | cache | byLocation | Library/Caches/CloudKit/6f1e/Records/cache.db
        caches | cache | byLocation | Library/Caches/Podcaster/Responses/feed.json
        caches | cache | byLocation | Library/Caches/Podcaster/Thumbnails/1.jpg
        system | essential | byLocation | Library/Caches/Snapshots/com.example.podcaster/A1B2@3x.ktx
        caches | cache | byLocation | Library/Caches/WebKit/NetworkCache/Version 17/Records/A1/Resource/B2
        system | essential | byLocation | Library/Caches/com.apple.AudioUnitCache
        system | essential | byLocation | Library/Caches/com.apple.dyld/Podcaster-5D2C.closure
        system | essential | byLocation | Library/Caches/com.apple.metal/32023/functions.data
        system | essential | byLocation | Library/Caches/com.apple.nsurlsessiond/Downloads/com.example.podcaster/CFNetworkDownload_zE4.tmp
        caches | cache | byLocation | Library/Caches/com.example.podcaster/Cache.db
        caches | cache | byLocation | Library/Caches/com.example.podcaster/Cache.db-shm
        caches | cache | byLocation | Library/Caches/com.example.podcaster/Cache.db-wal
        caches | cache | byLocation | Library/Caches/com.example.podcaster/fsCachedData/0E6A4C1B-77D2
        caches | cache | byLocation | Library/Caches/com.hackemist.SDImageCache/default/3b1f.jpg
        system | essential | included | Library/Cookies/Cookies.binarycookies
        system | essential | included | Library/HTTPStorages/com.example.podcaster/httpstorages.sqlite
        system | essential | included | Library/HTTPStorages/com.example.podcaster/httpstorages.sqlite-wal
        preferences | essential | included | Library/Preferences/com.apple.EmojiCache.plist
        preferences | essential | included | Library/Preferences/com.example.podcaster.plist
        system | essential | included | Library/Saved Application State/com.example.podcaster.savedState/KnownSceneSessions/data.data
        system | essential | included | Library/SplashBoard/Snapshots/com.example.podcaster - {DEFAULT GROUP}/A1B2@3x.ktx
        system | essential | included | Library/SyncedPreferences/com.example.podcaster.plist
        system | essential | included | Library/WebKit/WebsiteData/LocalStorage/https_example.com_0.localstorage
        system | essential | included | Library/WebKit/com.example.podcaster/WebsiteData/IndexedDB/x.sqlite3
        system | essential | included | Library/com.apple.UserManagedAssets.aB3/Episode.movpkg/boot.xml
        system | essential | included | Library/com.apple.iTunesCloud/play_activity.sqlitedb
        bundle | essential | byLocation | Podcaster.app/Info.plist
        bundle | essential | byLocation | Podcaster.app/Podcaster
        container | essential | byLocation | StoreKit/receipt
        container | essential | byLocation | SystemData/com.apple.SafariViewService/Library/WebKit/state.db
        container | essential | byLocation | iTunesMetadata.plist
        temporary | temporary | byLocation | tmp/CFNetworkDownload_4fG2.tmp
        temporary | temporary | byLocation | tmp/NSIRD_Podcaster_aBcDeF/Essay.pages
        temporary | temporary | byLocation | tmp/TemporaryItems/(A Document Being Saved By Podcaster)/Essay.pages
        temporary | temporary | byLocation | tmp/WKVideoUpload-Z9/clip.mp4
        temporary | temporary | byLocation | tmp/WKWebFileUpload-X1y2/IMG_0001.jpg
        system | essential | byLocation | tmp/com.apple.Empty
        system | essential | byLocation | tmp/com.apple.dyld/Podcaster-0A1B.closure
        temporary | temporary | byLocation | tmp/scratch.bin
        """

    static let group = """
        group | essential | included | .com.apple.mobile_container_manager.metadata.plist
        group | essential | included | Episodes/17.mp3
        applicationSupport | essential | included | Library/Application Support/Widgets/timeline.json
        caches | cache | byLocation | Library/Caches/Widgets/timeline-1.png
        system | essential | byLocation | Library/Caches/com.apple.chrono/placeholder
        preferences | essential | included | Library/Preferences/group.com.example.podcaster.plist
        group | essential | included | Shared.sqlite
        group | essential | included | Shared.sqlite-shm
        group | essential | included | Shared.sqlite-wal
        """

    static let systemGroup = """
        group | essential | included | .com.apple.mobile_container_manager.metadata.plist
        caches | essential | byLocation | Library/Caches/profiles.cache
        system | essential | included | Library/ConfigurationProfiles/PayloadManifest.plist
        preferences | essential | included | Library/Preferences/com.apple.profiles.plist
        """
}
