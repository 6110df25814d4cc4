//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

/// What a user's settings name in the directories that are scanned: programs that links on the search path lead to,
/// scripts that shells read at their start, units of systemd, the desktop's background.
///
/// Such a file is in use, although no process has it open now.
struct SettingsReferences {
    private let home: FilePath
    private let roots: [FilePath]
    private var known: Set<FilePath> = []
    private(set) var entries: [KeptPaths.Entry] = []

    /// Reads the settings. Blocks for about a millisecond.
    ///
    /// - Parameters:
    ///   - home: the user's home directory.
    ///   - roots: the plain paths of the directories that are scanned.
    init(home: FilePath, below roots: [FilePath]) {
        self.home = home
        self.roots = roots
        for directory in Self.programDirectories { addLinks(in: home.pushing(directory)) }
        for directory in Self.sharedProgramDirectories { addLinks(in: directory) }
        for file in Self.files { addPaths(in: home.pushing(file)) }
        for (directory, suffix) in Self.directories {
            let directory = home.pushing(directory)
            for name in Self.names(in: directory)
            where name.bytes.suffix(suffix.utf8.count) == Array(suffix.utf8)[...] {
                addPaths(in: directory.appending(name))
            }
        }
    }

    private static let programDirectories: [FilePath] = [".local/bin", "bin", ".bin"]
    private static let sharedProgramDirectories: [FilePath] = ["/usr/local/bin", "/usr/local/sbin"]

    /// From the documentation of shells, editors, display managers and desktops.
    private static let files: [FilePath] = [
        ".profile", ".bash_profile", ".bash_login", ".bashrc", ".bash_aliases", ".zshenv",
        ".zprofile", ".zshrc", ".zlogin", ".config/zsh/.zshrc", ".config/fish/config.fish",
        ".vimrc", ".config/nvim/init.vim", ".config/nvim/init.lua", ".tmux.conf", ".xinitrc",
        ".xprofile", ".xsession", ".Xresources", ".fehbg", ".config/dconf/user",
        ".config/plasma-org.kde.plasma.desktop-appletsrc", ".config/kscreenlockerrc",
        ".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-desktop.xml", ".config/sway/config",
        ".config/i3/config", ".config/waybar/style.css", ".config/kitty/kitty.conf",
        ".config/rofi/config.rasi", ".config/nitrogen/bg-saved.cfg",
    ]

    private static let directories: [(FilePath, suffix: String)] = [
        (".config/environment.d", ".conf"), (".config/hypr", ".conf"),
        (".config/fish/conf.d", ".fish"), (".config/systemd/user", ".service"),
        (".config/autostart", ".desktop"), (".local/share/applications", ".desktop"),
    ]

    /// Larger files are databases of the desktop with more than settings.
    private static let sizeLimit = 1 << 20

    /// A directory that isn't there, or can't be read, names nothing.
    private static func names(in directory: FilePath) -> [FileName] {
        (try? ContainerDirectory(directory).names(in: nil) { _ in true }) ?? []
    }

    private mutating func addLinks(in directory: FilePath) {
        // Its own programs need no protection by their names.
        if roots.contains(where: { directory.lies(in: $0) }) { return }
        for name in Self.names(in: directory) {
            let link = directory.appending(name)
            guard link.linkTarget != nil else { continue }
            add(link, "The link \(link.displayText) leads to it.")
        }
    }

    private mutating func addPaths(in file: FilePath) {
        guard let content = try? SmallFile.read(file, limit: Self.sizeLimit) else { return }
        for word in content.split(whereSeparator: Self.separates) {
            guard let path = path(of: word) else { continue }
            add(path, "\(file.displayText) names it.")
        }
    }

    private static func separates(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || separators.contains(byte)
    }

    private static let separators = Set("\"'`=:;,()<>|&[]".utf8)

    /// The absolute path that a word of a settings file is; nil if it is none, or leads to programs of the system.
    private func path(of word: ArraySlice<UInt8>) -> FilePath? {
        guard word.count < 4096, let first = word.first else { return nil }
        switch first {
        case UInt8(ascii: "/"):
            // `file:///home/…` has been divided at the colon.
            let path = FilePath(bytes: Array(word.drop { $0 == UInt8(ascii: "/") }))
            let top = path.components.first?.string
            return top.map(Self.systemDirectories.contains) == false
                ? FilePath("/").pushing(path) : nil
        case UInt8(ascii: "~"), UInt8(ascii: "$"), UInt8(ascii: "%"):
            for (prefix, directory) in Self.prefixes where word.starts(with: prefix.utf8) {
                return home.pushing(directory)
                    .pushing(FilePath(bytes: Array(word.dropFirst(prefix.utf8.count))))
            }
            return nil
        default: return nil
        }
    }

    private static let prefixes: [(String, FilePath)] = [
        ("~/", ""), ("$HOME/", ""), ("${HOME}/", ""), ("%h/", ""),
        ("$XDG_CACHE_HOME/", ".cache"), ("${XDG_CACHE_HOME}/", ".cache"), ("%C/", ".cache"),
    ]

    private static let systemDirectories: Set<String> = [
        "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "proc", "run", "sbin", "sys", "usr",
    ]

    private mutating func add(_ path: FilePath, _ reason: String) {
        guard known.insert(path).inserted, let real = try? PathCalls.resolved(path),
            roots.contains(where: { real.lies(in: $0) && real != $0 })
        else { return }
        entries.append(KeptPaths.Entry(path: real, reason: Reason(.inUse, reason), extent: .unit))
    }
}
