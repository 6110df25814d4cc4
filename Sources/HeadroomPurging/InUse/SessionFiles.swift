//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Names in directories for temporary files that display servers, sessions and services keep for as long as
/// they run.
///
/// Nothing is open there most of the time, and the files are as old as the session. Deleting one breaks
/// the session: programs no longer find the display, the agent or the socket.
enum SessionFiles {
    struct Rule: Sendable {
        let pattern: String
        let code: Reason.Code
        /// A description of the file for people: a noun phrase.
        let meaning: String
        private let glob: NameGlob?

        init(_ pattern: String, _ meaning: String, _ code: Reason.Code = .session) {
            self.pattern = pattern
            self.meaning = meaning
            self.code = code
            glob = NameGlob(pattern.utf8)
        }

        func matches(_ name: FileName) -> Bool { glob?.matches(name.bytes) ?? false }

        var reason: Reason { Reason(code, "It belongs to \(meaning) (\(pattern)).") }
    }

    /// Returns the rule for a name directly in a directory for temporary files, or nil.
    static func rule(for name: FileName, in directory: FilePath) -> Rule? {
        // An archive that was downloaded (`snap.tar.gz`, `nvim.appimage`) is no session's.
        if archives.contains(where: { name.bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            return nil
        }
        if let rule = rules.first(where: { $0.matches(name) }) { return rule }
        guard directory.lies(in: "/run/user") else { return nil }
        return runtimeRules.first { $0.matches(name) }
    }

    /// The directories for temporary files that lie in scanned directories, or around them.
    static func directories(_ roots: [FilePath], _ areas: [Area]) -> [FilePath] {
        let known: [FilePath] = ["/tmp", "/var/tmp", FilePath("/run/user/\(User.effective)")]
        let declared = areas.filter { $0.purgeClass == .temporary }.map(\.root)
        return Set(known + declared).filter { directory in
            roots.contains { directory.lies(in: $0) || $0.lies(in: directory) }
        }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    private static let archives = [
        ".tar", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tgz", ".zip", ".deb", ".rpm",
        ".iso",
        ".appimage", ".AppImage",
    ]

    /// Sources: systemd's `x11.conf`, `tmp.conf` and `systemd-tmp.conf` in tmpfiles.d; the default excludes
    /// of tmpreaper(8) and tmpwatch(8) in Debian and Fedora; each program's manual page or source for the
    /// names that it makes.
    private static let rules: [Rule] = [
        // systemd.exec(5): PrivateTmp=. snap-confine: the private /tmp of snaps.
        Rule("systemd-private-*", "a service with a private /tmp", .mountSource),
        Rule("snap-private-tmp", "snaps with a private /tmp", .mountSource),
        Rule("snap.*", "a snap with a private /tmp", .mountSource),
        // tmpfiles.d/x11.conf
        Rule(".X*-lock", "a display server"),
        Rule(".X11-unix", "a display server"),
        Rule(".X11-pipe", "a display server"),
        Rule(".ICE-unix", "a session manager"),
        Rule(".XIM-unix", "an input method"),
        Rule(".font-unix", "a font server"),
        Rule(".Test-unix", "a display server"),
        // xauth(1) with sddm, KDE, GDM, mutter and startx
        Rule("xauth_*", "a display session"),
        Rule("xauth-*", "a display session"),
        Rule(".xauth*", "a display session"),
        Rule(".Xauth*", "a display session"),
        Rule("serverauth.*", "a display session"),
        Rule(".mutter-Xwaylandauth.*", "a display session"),
        Rule("sddm-*", "a display manager"),
        Rule("gdm-*", "a display manager"),
        Rule(".gdm*", "a display manager"),
        Rule("wayland-*", "a display server"),
        Rule(".xrdp*", "a remote desktop session"),
        Rule("xrdp*", "a remote desktop session"),
        // D-Bus, agents, sound, desktops
        Rule("dbus-*", "a message bus"),
        Rule("at-spi2*", "the accessibility bus"),
        Rule("ssh-*", "an SSH agent or connection"),
        Rule("ssh_mux_*", "an SSH connection"),
        Rule("gpg-*", "a GnuPG agent"),
        Rule("keyring-*", "a keyring"),
        Rule("pulse-*", "a sound server"),
        Rule("pipewire-*", "a sound server"),
        Rule(".esd*", "a sound server"),
        Rule("kde-*", "a desktop session"),
        Rule("ksocket-*", "a desktop session"),
        Rule("plasma-*", "a desktop session"),
        Rule("akonadi-*", "a mail service of the desktop"),
        Rule("orbit-*", "a desktop session"),
        Rule("gconfd-*", "a desktop session"),
        Rule("fam-*", "a file monitor"),
        Rule("fcitx*", "an input method"),
        Rule("ibus*", "an input method"),
        Rule(".ibus*", "an input method"),
        // Kerberos: krb5.conf(5) default_ccache_name
        Rule("krb5cc*", "a Kerberos session"),
        Rule(".heim_org*", "a Kerberos session"),
        // Grid computing: voms-proxy-init(1), and the bearer tokens of the WLCG Bearer Token Discovery
        Rule("x509up_*", "a grid session"),
        Rule("bt_u*", "a grid session"),
        Rule("vt_u*", "a grid session"),
        // Terminals and editors
        Rule("tmux-*", "a tmux server"),
        Rule("screens", "screen sessions"),
        Rule("uscreens", "screen sessions"),
        Rule("zellij-*", "a terminal session"),
        Rule("emacs[0-9]*", "an Emacs server"),
        Rule("nvim.*", "an editor server"),
        Rule("vscode-ipc-*", "an editor session"),
        Rule("vscode-git-*", "an editor session"),
        Rule("vscode-ssh-*", "an editor session"),
        Rule("vscode-remote-*", "an editor session"),
        // Java: jps(1) and the attach mechanism
        Rule("hsperfdata_*", "a Java virtual machine"),
        Rule(".java_pid*", "a Java virtual machine"),
        Rule(".attach_pid*", "a Java virtual machine"),
        // Services whose sockets have lock files beside them
        Rule(".s.PGSQL.*", "a PostgreSQL server"),
        Rule("mysql*.sock*", "a MySQL server"),
        Rule(".vbox-*-ipc", "VirtualBox"),
        Rule("VMwareDnD", "VMware"),
        Rule("vmware-*", "VMware"),
        Rule(".wine-*", "Wine"),
        // Rootless container engines, in the runtime directory and its substitutes
        Rule("podman-run-*", "a container engine"),
        Rule("storage-run-*", "a container engine"),
        Rule("containers-user-*", "a container engine"),
        Rule("runtime-*", "a desktop session"),
    ]

    /// Names in `/run/user/UID`: file-hierarchy(7) and the programs' own.
    private static let runtimeRules: [Rule] = [
        Rule("systemd", "the user's service manager"),
        Rule("headroom", "Headroom"),
        Rule("bus", "a message bus"),
        Rule("gnupg", "a GnuPG agent"),
        Rule("pulse", "a sound server"),
        Rule("keyring", "a keyring"),
        Rule("gcr", "a keyring"),
        Rule("gvfs*", "a desktop session"),
        Rule("doc", "the document portal"),
        Rule("dconf", "a desktop session"),
        Rule("at-spi", "the accessibility bus"),
        Rule("ICEauthority", "a session manager"),
        Rule("p11-kit", "a keyring"),
        Rule("libpod", "a container engine"),
        Rule("containers", "a container engine"),
        Rule("crun", "a container engine"),
        Rule("runc", "a container engine"),
        Rule("netns", "a container engine"),
        Rule(".flatpak*", "a Flatpak session"),
        Rule("app", "a Flatpak session"),
    ]
}
