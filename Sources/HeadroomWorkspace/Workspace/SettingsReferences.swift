//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

/// The paths in scanned directories that a user's settings name: programs behind links, scripts that shells read at their
/// start, executables of systemd units, the desktop's background, a mail client's state.
///
/// Such a file is in use, although no process has it open now.
struct SettingsReferences {
    private let home: FilePath
    private let roots: [FilePath]
    private var known: Set<FilePath> = []
    private var read = 0
    private(set) var entries: [KeptPaths.Entry] = []

    /// Reads the settings. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - home: the user's home directory.
    ///   - roots: the plain paths of the directories that are scanned.
    init(home: FilePath, below roots: [FilePath]) {
        self.home = home
        self.roots = roots
        for directory in Self.linkDirectories { addLinks(in: home.pushing(directory)) }
        for directory in Self.sharedLinkDirectories { addLinks(in: directory) }
        for name in Self.names(in: home) where name.bytes.first == UInt8(ascii: ".") {
            if !Self.isHistory(name) { addPaths(in: home.appending(name)) }
        }
        addPaths(in: home.pushing(".ssh/config"))
        for directory in Self.settingsDirectories { addFiles(in: home.pushing(directory)) }
        let configuration = home.appending(".config")
        for name in Self.names(in: configuration) where !Self.cleaners.contains(name.text) {
            let path = configuration.appending(name)
            addPaths(in: path)
            addFiles(in: path)
        }
        for file in Self.sharedFiles { addPaths(in: file) }
        for directory in Self.sharedDirectories { addFiles(in: directory) }
    }

    private static let linkDirectories: [FilePath] = [
        "", ".config", ".local/bin", ".local/share", "bin", ".bin", "Desktop", ".cargo/bin",
        ".npm-global/bin", "go/bin", ".mozilla/firefox", ".thunderbird",
    ]
    private static let sharedLinkDirectories: [FilePath] = ["/usr/local/bin", "/usr/local/sbin"]

    /// Directories with settings deeper than `~/.config/NAME`, and those of programs that have others.
    private static let settingsDirectories: [FilePath] = [
        ".config/systemd/user", ".config/fish/conf.d", ".config/xfce4/xfconf/xfce-perchannel-xml",
        ".local/share/applications", ".bashrc.d", ".mutt", ".newsboat",
    ]

    private static let sharedFiles: [FilePath] = [
        "/etc/fstab", "/etc/exports", "/etc/crontab", "/etc/samba/smb.conf",
    ]
    private static let sharedDirectories: [FilePath] = [
        "/etc/systemd/system", "/etc/cron.d", "/var/spool/cron/crontabs", "/etc/profile.d",
        "/etc/xdg/autostart",
    ]

    /// Larger files hold data rather than settings.
    private static let sizeLimit = 1 << 18
    /// Limits how long reading takes.
    private static let fileLimit = 2000

    /// The settings of these programs name paths to delete.
    private static let cleaners: Set<String> = ["headroom", "user-tmpfiles.d", "bleachbit"]

    /// Histories name paths that aren't used any more.
    private static func isHistory(_ name: FileName) -> Bool {
        let text = name.text
        return text.contains("hist") || histories.contains(text)
    }

    private static let histories: Set<String> = [".viminfo", ".xsession-errors", ".wget-hsts"]

    /// A directory that isn't there, or can't be read, names nothing.
    private static func names(in directory: FilePath) -> [FileName] {
        (try? ContainerDirectory(directory).names(in: nil) { _ in true }) ?? []
    }

    private mutating func addLinks(in directory: FilePath) {
        // Links inside need no protection by their names.
        if roots.contains(where: { directory.lies(in: $0) }) { return }
        for name in Self.names(in: directory) {
            let link = directory.appending(name)
            guard link.linkTarget != nil else { continue }
            add(link, "The link \(link.displayText) leads to it.")
        }
    }

    private mutating func addFiles(in directory: FilePath) {
        for name in Self.names(in: directory) { addPaths(in: directory.appending(name)) }
    }

    private mutating func addPaths(in file: FilePath) {
        guard read < Self.fileLimit,
            let content = try? SmallFile.read(file, limit: Self.sizeLimit)
        else { return }
        read += 1
        let separates = Self.separates
        var start = 0
        var hasSlash = false
        for index in 0...content.count {
            let byte = index < content.count ? content[index] : 0
            if byte == UInt8(ascii: "/") { hasSlash = true }
            guard separates[Int(byte)] else { continue }
            if hasSlash, index - start < 4096 {
                for path in paths(of: Array(content[start..<index])) {
                    add(path, "\(file.displayText) names it.")
                }
            }
            start = index + 1
            hasSlash = false
        }
    }

    /// By byte, whether it ends a word.
    private static let separates: [Bool] = {
        let separators = Set("\"'`=:;,()<>|&[]".utf8)
        return (0...255).map { $0 <= 0x20 || $0 == 0x7F || separators.contains(UInt8($0)) }
    }()

    /// The absolute paths that a word of a settings file may be; none where it leads to programs of the system.
    private func paths(of word: [UInt8]) -> [FilePath] {
        var paths: [FilePath] = []
        if word[0] == UInt8(ascii: "/") {
            // `file:///home/…` has been divided at the colon.
            let path = FilePath(bytes: Array(word.drop { $0 == UInt8(ascii: "/") }))
            if let top = path.components.first?.string, !Self.systemDirectories.contains(top) {
                paths.append(FilePath("/").pushing(path))
            }
        }
        for prefix in Self.prefixes where word.starts(with: prefix.utf8) {
            paths.append(home.pushing(FilePath(bytes: Array(word.dropFirst(prefix.utf8.count)))))
        }
        // ${XDG_CACHE_HOME:-$HOME/.cache}/x, /home/$USER/.cache/x
        for marker in Self.cacheMarkers {
            guard let end = Self.end(of: marker, in: word) else { continue }
            paths.append(
                home.appending(".cache").pushing(FilePath(bytes: Array(word[end...]))))
        }
        return paths
    }

    private static let prefixes = ["~/", "$HOME/", "${HOME}/", "%h/"]
    private static let cacheMarkers = [
        "/.cache/", "/.cache}/", "CACHE_HOME/", "CACHE_HOME}/", "%C/",
    ].map { Array($0.utf8) }

    private static func end(of marker: [UInt8], in word: [UInt8]) -> Int? {
        guard word.count > marker.count else { return nil }
        return (0..<(word.count - marker.count)).first { start in
            word[start] == marker[0] && word[start...].starts(with: marker)
        }.map { $0 + marker.count }
    }

    private static let systemDirectories: Set<String> = [
        "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "sys", "usr",
    ]

    private mutating func add(_ path: FilePath, _ reason: String) {
        guard known.insert(path).inserted, let real = try? PathCalls.resolved(path),
            roots.contains(where: { real.lies(in: $0) && real != $0 })
        else { return }
        entries.append(KeptPaths.Entry(path: real, reason: Reason(.inUse, reason), extent: .unit))
    }
}
