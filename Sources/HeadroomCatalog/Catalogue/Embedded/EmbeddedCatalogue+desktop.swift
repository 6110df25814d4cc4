//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/desktop.catalogue: change that.

extension EmbeddedCatalogue {
    static let desktop = Text(
        file: "desktop.catalogue",
        content: #"""
            [chrome]
            name       = Chrome
            what       = Pages, pictures and compiled scripts that Google Chrome keeps
            path.linux = $XDG_CACHE_HOME/google-chrome/*
            path.linux = $XDG_CACHE_HOME/google-chrome-beta/*
            path.linux = $XDG_CACHE_HOME/google-chrome-unstable/*
            path.macos = ~/Library/Caches/Google/Chrome/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [chromium]
            name       = Chromium
            what       = Pages, pictures and compiled scripts that Chromium keeps
            path.linux = $XDG_CACHE_HOME/chromium/*
            path.macos = ~/Library/Caches/Chromium/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [edge]
            name       = Edge
            what       = Pages, pictures and compiled scripts that Microsoft Edge keeps
            path.linux = $XDG_CACHE_HOME/microsoft-edge/*
            path.macos = ~/Library/Caches/Microsoft Edge/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [brave]
            name       = Brave
            what       = Pages, pictures and compiled scripts that Brave keeps
            path.linux = $XDG_CACHE_HOME/BraveSoftware/Brave-Browser/*
            path.macos = ~/Library/Caches/BraveSoftware/Brave-Browser/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [firefox]
            name       = Firefox
            what       = Pages, pictures and compiled scripts that Firefox keeps
            path.linux = $XDG_CACHE_HOME/mozilla/firefox/*
            path.macos = ~/Library/Caches/Firefox/Profiles/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://support.mozilla.org/kb/profiles-where-firefox-stores-user-data

            [thunderbird]
            name       = Thunderbird
            what       = Pictures and compiled scripts that Thunderbird keeps
            path.linux = $XDG_CACHE_HOME/thunderbird/*
            path.macos = ~/Library/Caches/Thunderbird/Profiles/*
            unit       = entry
            cost       = Pictures in mails are loaded again
            source     = https://support.mozilla.org/kb/profiles-where-thunderbird-stores-user-data

            [epiphany]
            name       = GNOME Web
            what       = Pages and pictures that GNOME Web keeps
            path.linux = $XDG_CACHE_HOME/epiphany
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://help.gnome.org/users/epiphany/stable/

            [safari]
            name       = Safari
            what       = Pages and pictures that Safari keeps
            path.macos = ~/Library/Caches/com.apple.Safari/WebKitCache
            path.macos = ~/Library/Containers/com.apple.Safari/Data/Library/Caches/com.apple.Safari/WebKitCache
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://support.apple.com/guide/safari/clear-cache-ibrw1097/mac

            [thumbnails]
            name       = Thumbnails
            what       = Small pictures of files that a file manager showed
            path.linux = $XDG_CACHE_HOME/thumbnails
            path.linux = ~/.thumbnails
            unit       = file
            cost       = They are made again when a folder is next shown
            source     = https://specifications.freedesktop.org/thumbnail-spec/latest/

            [fontconfig]
            name       = Fonts
            what       = What fontconfig found out about fonts
            path       = $XDG_CACHE_HOME/fontconfig
            unit       = file
            cost       = The next program that draws text starts more slowly, once
            source     = https://www.freedesktop.org/software/fontconfig/fontconfig-user.html

            [mesa]
            name       = Mesa shaders
            what       = Shaders that were compiled for the graphics card
            path.linux = $XDG_CACHE_HOME/mesa_shader_cache
            path.linux = $XDG_CACHE_HOME/radv_builtin_shaders64
            path.linux = $MESA_SHADER_CACHE_DIR/mesa_shader_cache
            shape      = index marker [0-9a-f]{2}
            unit       = file
            cost       = Games and pages with graphics stutter until they are compiled again
            source     = https://docs.mesa3d.org/envvars.html

            [mesa-database]
            name       = Mesa shader databases
            what       = Shaders that were compiled for the graphics card, in databases
            path.linux = $XDG_CACHE_HOME/mesa_shader_cache_db
            path.linux = $XDG_CACHE_HOME/mesa_shader_cache_sf
            path.linux = $MESA_SHADER_CACHE_DIR/mesa_shader_cache_db
            shape      = marker part[0-9] part[0-9][0-9] mesa_cache.db mesa_cache.idx
            unit       = entry
            cost       = Games and pages with graphics stutter until they are compiled again
            source     = https://github.com/roddhjav/apparmor.d/issues/450

            [nvidia]
            name       = NVIDIA shaders
            what       = Shaders and kernels that were compiled for the graphics card
            path.linux = $XDG_CACHE_HOME/nvidia/*
            path.linux = ~/.nv/GLCache
            path.linux = ~/.nv/ComputeCache
            path.linux = $CUDA_CACHE_PATH/[0-9a-f]
            shape      = [0-9a-f]/[0-9a-f]{8}* ../index
            unit       = entry
            cost       = Programs start more slowly until they are compiled again
            source     = https://docs.nvidia.com/cuda/cuda-c-programming-guide/#cuda-environment-variables

            [steam-shaders]
            name       = Steam shaders
            what       = Shaders that Steam compiled or downloaded for games
            path.linux = $XDG_DATA_HOME/Steam/steamapps/shadercache
            unit       = entry
            cost       = Games compile or download them again
            source     = https://partner.steamgames.com/doc/steamdeck/proton

            [gstreamer]
            name       = GStreamer
            what       = What GStreamer found out about its plug-ins
            path.linux = $XDG_CACHE_HOME/gstreamer-1.0
            unit       = file
            cost       = The next program that plays something starts more slowly, once
            source     = https://gstreamer.freedesktop.org/documentation/gstreamer/gstregistry.html

            [tracker]
            name       = Search index
            what       = What the desktop's search knows of files
            path.linux = $XDG_CACHE_HOME/tracker3/files
            path.linux = $XDG_CACHE_HOME/tracker
            by         = command
            clean      = tracker3 reset --filesystem
            cost       = All files are indexed again
            source     = https://gnome.pages.gitlab.gnome.org/localsearch/commandline.html

            [gnome-software]
            name       = GNOME Software
            what       = Descriptions and pictures of programs
            path.linux = $XDG_CACHE_HOME/gnome-software
            unit       = entry
            cost       = They are loaded again
            source     = https://gitlab.gnome.org/GNOME/gnome-software

            [jetbrains]
            name       = JetBrains
            what       = Indexes of projects that IntelliJ and its kin keep
            path.linux = $XDG_CACHE_HOME/JetBrains/*
            path.linux = $XDG_CACHE_HOME/Google/AndroidStudio*
            path.macos = ~/Library/Caches/JetBrains/*
            path.macos = ~/Library/Caches/Google/AndroidStudio*
            unit       = entry
            cost       = Projects are indexed again
            source     = https://www.jetbrains.com/help/idea/directories-used-by-the-ide-to-store-settings-caches-plugins-and-logs.html

            [jetbrains-remote]
            name       = JetBrains remote IDEs
            what       = The IDEs that JetBrains Gateway installed on this machine
            path.linux = $XDG_CACHE_HOME/JetBrains/RemoteDev/dist
            unit       = entry
            class      = lastResort
            cost       = More than a gigabyte is downloaded again for each IDE
            source     = https://www.jetbrains.com/help/idea/remote-development-troubleshooting.html

            [jetbrains-history]
            name       = JetBrains history
            what       = Earlier states of files that people edited
            path.linux = $XDG_CACHE_HOME/JetBrains/LocalHistory
            path.linux = $XDG_CACHE_HOME/JetBrains/*/LocalHistory
            path.linux = $XDG_CACHE_HOME/JetBrains/*/*/LocalHistory
            path.linux = $XDG_CACHE_HOME/Google/LocalHistory
            path.linux = $XDG_CACHE_HOME/Google/*/LocalHistory
            path.linux = $XDG_CACHE_HOME/Google/*/*/LocalHistory
            path.macos = ~/Library/Caches/JetBrains/LocalHistory
            path.macos = ~/Library/Caches/JetBrains/*/LocalHistory
            path.macos = ~/Library/Caches/JetBrains/*/*/LocalHistory
            path.macos = ~/Library/Caches/Google/*/LocalHistory
            class      = essential
            cost       = What was changed cannot be taken back
            source     = https://www.jetbrains.com/help/idea/local-history.html

            [vscode]
            name       = VS Code
            what       = Compiled scripts, pages and archives of extensions that VS Code keeps
            path.linux = $XDG_CONFIG_HOME/Code/Cache
            path.linux = $XDG_CONFIG_HOME/Code/CachedData
            path.linux = $XDG_CONFIG_HOME/Code/CachedExtensionVSIXs
            path.linux = $XDG_CONFIG_HOME/Code/Code Cache
            path.macos = ~/Library/Application Support/Code/Cache
            path.macos = ~/Library/Application Support/Code/CachedData
            path.macos = ~/Library/Application Support/Code/CachedExtensionVSIXs
            path.macos = ~/Library/Application Support/Code/Code Cache
            unit       = entry
            cost       = It starts more slowly once, and downloads extensions again to install them anew
            source     = https://code.visualstudio.com/docs/configure/settings

            [vscode-logs]
            name       = VS Code logs
            what       = Logs of past sessions
            path.linux = $XDG_CONFIG_HOME/Code/logs
            path.macos = ~/Library/Application Support/Code/logs
            unit       = entry
            class      = temporary
            cost       = Reports of past failures are gone
            source     = https://code.visualstudio.com/docs/configure/settings

            [cpptools]
            name       = C/C++ for VS Code
            what       = Precompiled headers for completion
            path       = $XDG_CACHE_HOME/vscode-cpptools
            path.macos = ~/Library/Caches/vscode-cpptools
            unit       = entry
            cost       = They are compiled again
            source     = https://code.visualstudio.com/docs/cpp/faq-cpp

            [flatpak-apps]
            name       = Flatpak caches
            what       = Caches of programs that Flatpak installed
            path.linux = ~/.var/app/*/cache
            unit       = directory
            cost       = Each program creates or loads its content again
            source     = https://docs.flatpak.org/en/latest/sandbox-permissions.html

            [snap-apps]
            name       = Snap caches
            what       = Caches of programs that Snap installed
            path.linux = ~/snap/*/*/.cache
            unit       = directory
            cost       = Each program creates or loads its content again
            source     = https://snapcraft.io/docs/data-locations

            [flatpak]
            name       = Flatpak
            what       = Programs and runtimes that Flatpak installed for this user
            path.linux = $XDG_DATA_HOME/flatpak
            by         = command
            class      = essential
            clean      = flatpak uninstall --user --unused --assumeyes
            cost       = Runtimes that no program uses are downloaded again when one does
            source     = https://docs.flatpak.org/en/latest/using-flatpak.html

            [podman]
            name       = Podman
            what       = Images and containers of this user
            path.linux = $XDG_DATA_HOME/containers/storage
            by         = command
            class      = essential
            clean      = podman system prune --force
            cost       = Stopped containers and unused images are gone; images are pulled again
            source     = https://docs.podman.io/en/latest/markdown/podman-system-prune.1.html

            [spotify]
            name       = Spotify
            what       = Music that Spotify played
            path.linux = $XDG_CACHE_HOME/spotify/Storage
            path.macos = ~/Library/Caches/com.spotify.client/Data
            unit       = entry
            class      = lastResort
            cost       = Music is loaded again when it is next played, also the songs for use without a network
            source     = https://support.spotify.com/article/storage-information/

            [rclone]
            name       = rclone
            what       = Files that are still to be uploaded, and the state of both sides
            path       = $XDG_CACHE_HOME/*/vfs
            path       = $XDG_CACHE_HOME/*/vfsMeta
            path       = $XDG_CACHE_HOME/rclone/bisync
            path.macos = ~/Library/Caches/rclone/vfs
            path.macos = ~/Library/Caches/rclone/vfsMeta
            path.macos = ~/Library/Caches/rclone/bisync
            path       = $RCLONE_CACHE_DIR/vfs
            path       = $RCLONE_CACHE_DIR/vfsMeta
            path       = $RCLONE_CACHE_DIR/bisync
            class      = essential
            cost       = What was not uploaded yet is lost
            source     = https://rclone.org/commands/rclone_mount/#vfs-file-caching

            [restic]
            name       = restic
            what       = Indexes of backups, a directory for each repository
            path       = $XDG_CACHE_HOME/restic
            path.macos = ~/Library/Caches/restic
            path       = $RESTIC_CACHE_DIR
            shape      = [0-9a-f]{64}
            unit       = entry
            clean      = restic cache --cleanup
            by         = files
            cost       = The next backup reads them again from the repository
            source     = https://restic.readthedocs.io/en/stable/manual_rest.html#caching

            [borg]
            name       = Borg
            what       = Indexes of backups, a directory for each repository
            path       = $XDG_CACHE_HOME/borg
            path       = $BORG_CACHE_DIR
            shape      = [0-9a-f]{64}
            unit       = entry
            cost       = The next backup reads them again from the repository, which may take hours
            importance = 70
            source     = https://borgbackup.readthedocs.io/en/stable/internals/data-structures.html
            """#)
}
