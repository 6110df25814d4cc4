//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/kept.catalogue: change that.

extension EmbeddedCatalogue {
    static let kept = Text(
        file: "kept.catalogue",
        content: #"""
            [tg]
            name       = tg and TDLib
            what       = Logins, and secret chats that only this device has
            path.linux = $XDG_CACHE_HOME/tg
            path.linux = $XDG_CACHE_HOME/*/td.binlog
            path.linux = $XDG_CACHE_HOME/*/*/td.binlog
            class      = essential
            cost       = The login and secret chats are lost
            source     = https://github.com/paul-nameless/tg

            [jami]
            name       = Jami
            what       = Messages that were not sent
            path.linux = $XDG_CACHE_HOME/jami
            class      = essential
            cost       = Messages that were not sent are lost
            source     = https://docs.jami.net/

            [junkfile]
            name       = junkfile.vim
            what       = Notes of users of Vim
            path.linux = $XDG_CACHE_HOME/junkfile
            class      = essential
            cost       = The notes are lost
            source     = https://github.com/Shougo/junkfile.vim

            [rawtherapee-versions]
            name       = RawTherapee and ART
            what       = Profiles by which photos were developed
            path.linux = $XDG_CACHE_HOME/RawTherapee*
            path.linux = $XDG_CACHE_HOME/ART
            class      = essential
            cost       = How photos were developed is lost
            source     = https://rawpedia.rawtherapee.com/File_Paths

            [clipboard-indicator]
            name       = Clipboard Indicator
            what       = Pinned texts of the clipboard
            path.linux = $XDG_CACHE_HOME/clipboard-indicator*
            class      = essential
            cost       = The pinned texts are lost
            source     = https://github.com/Tudmotu/gnome-shell-extension-clipboard-indicator

            [ags]
            name       = AGS
            what       = Lists of tasks of the desktop shell
            path.linux = $XDG_CACHE_HOME/ags/user
            class      = essential
            cost       = The lists are lost
            source     = https://github.com/end-4/dots-hyprland

            [junie]
            name       = JetBrains Junie
            what       = Conversations with the assistant
            path.linux = $XDG_CACHE_HOME/JetBrains/*/projects/*/matterhorn
            path.linux = $XDG_CACHE_HOME/JetBrains/*/aia*
            class      = essential
            cost       = The conversations are lost
            source     = https://www.jetbrains.com/junie/

            [buzz]
            name       = Buzz
            what       = Transcriptions of recordings
            path.linux = $XDG_CACHE_HOME/Buzz/tasks
            class      = essential
            cost       = Recordings have to be transcribed again
            source     = https://github.com/chidiwilliams/buzz

            [downloads-in-progress]
            name       = aria2 and rtorrent
            what       = Lists of downloads
            path.linux = $XDG_CACHE_HOME/aria2
            path.linux = $XDG_CACHE_HOME/rtorrent
            class      = essential
            cost       = Downloads have to be found and started again
            source     = https://aria2.github.io/manual/en/html/aria2c.html

            [amfora]
            name       = Amfora
            what       = Certificates of servers that the user trusts
            path.linux = $XDG_CACHE_HOME/amfora
            path.linux = $XDG_CACHE_HOME/*/tofu*
            path.linux = $XDG_CACHE_HOME/*/known_hosts*
            class      = essential
            cost       = Changed certificates are not noticed
            source     = https://github.com/makew0rld/amfora

            [mepo]
            name       = Mepo
            what       = Pins, and maps for use without a network
            path.linux = $XDG_CACHE_HOME/mepo
            class      = essential
            cost       = The pins are lost
            source     = https://sr.ht/~mil/mepo/

            [lutris-logins]
            name       = Lutris logins
            what       = Tokens with which Lutris signs in to shops
            path.linux = $XDG_CACHE_HOME/lutris/.*
            class      = essential
            cost       = The user signs in to each shop again
            source     = https://github.com/lutris/lutris/blob/master/lutris/settings.py

            [gallery-dl]
            name       = gallery-dl
            what       = Tokens with which gallery-dl signs in
            path.linux = $XDG_CACHE_HOME/gallery-dl/cache.sqlite3
            class      = essential
            cost       = The user signs in again
            source     = https://github.com/mikf/gallery-dl/blob/master/gallery_dl/cache.py

            [mu]
            name       = mu and mu4e
            what       = The index of mail, with the addresses and folders of the user
            path.linux = $XDG_CACHE_HOME/mu
            class      = essential
            cost       = The mail client does not work until mu init has been run with the same addresses
            source     = https://manpages.debian.org/stable/maildir-utils/mu-init.1.en.html

            [rclone-mounts]
            name       = rclone mounts
            what       = Files that have not been uploaded yet
            path.linux = $XDG_CACHE_HOME/*/*/vfs
            path.linux = $XDG_CACHE_HOME/*/*/vfsMeta
            path.linux = $XDG_CACHE_HOME/rclone/*/*/vfs
            path.linux = $XDG_CACHE_HOME/rclone/*/*/vfsMeta
            class      = essential
            cost       = Changes that were not uploaded are lost
            source     = https://rclone.org/commands/rclone_mount/#vfs-cache-mode-writes

            [autocert]
            name       = Go autocert
            what       = Keys to certificates, and to the account at the certificate authority
            path       = $XDG_CACHE_HOME/golang-autocert
            class      = essential
            cost       = Sites have no certificate until the authority's limits allow new ones
            source     = https://pkg.go.dev/golang.org/x/crypto/acme/autocert

            [localstack]
            name       = LocalStack
            what       = The resources of an emulated cloud
            path       = $XDG_CACHE_HOME/localstack/volume
            class      = essential
            cost       = Buckets, tables and queues of the emulated cloud are lost
            source     = https://docs.localstack.cloud/references/filesystem/

            [jetbrains-coverage]
            name       = JetBrains coverage
            what       = Results of coverage runs, and the files that were open in a task
            path.linux = $XDG_CACHE_HOME/JetBrains/*/coverage
            path.linux = $XDG_CACHE_HOME/JetBrains/*/tasks
            path.macos = ~/Library/Caches/JetBrains/*/coverage
            path.macos = ~/Library/Caches/JetBrains/*/tasks
            class      = essential
            cost       = The results and the contexts of tasks are lost
            source     = https://www.jetbrains.com/help/idea/directories-used-by-the-ide-to-store-settings-caches-plugins-and-logs.html

            [lorri]
            name       = lorri
            what       = Links that keep the packages of shells in the Nix store
            path.linux = $XDG_CACHE_HOME/lorri/gc_roots
            class      = essential
            cost       = The next collection of garbage deletes the packages of all shells
            source     = https://github.com/nix-community/lorri

            [settings-in-caches]
            name       = Settings and ratings
            what       = Short names of images, ratings, open queries and logins
            path.linux = $XDG_CACHE_HOME/containers/short-name-aliases.conf
            path.linux = $XDG_CACHE_HOME/mpd/sticker.sql
            path       = $XDG_CACHE_HOME/harlequin
            path       = $XDG_CACHE_HOME/*/bugzillatoken
            path       = $XDG_CACHE_HOME/chatblade
            path       = $XDG_CACHE_HOME/nvim*/scratch*
            path       = $XDG_CACHE_HOME/emacs*/scratch*
            path       = $XDG_CACHE_HOME/emacs*/.persistent-scratch*
            path       = $XDG_CACHE_HOME/doom*/scratch*
            path       = $XDG_CACHE_HOME/openbox/sessions
            path       = $XDG_CACHE_HOME/*mutt/certificates
            path       = $XDG_CACHE_HOME/iamb
            class      = essential
            cost       = The user has to enter it again
            source     = https://docs.podman.io/en/latest/markdown/podman.1.html
            """#)
}
