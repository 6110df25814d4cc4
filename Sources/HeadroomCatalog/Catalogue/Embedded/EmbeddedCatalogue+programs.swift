//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/programs.catalogue: change that.

extension EmbeddedCatalogue {
    static let programs = Text(
        file: "programs.catalogue",
        content: #"""
            [vivaldi]
            name       = Vivaldi
            what       = Pages, pictures and compiled scripts that Vivaldi keeps
            path.linux = $XDG_CACHE_HOME/vivaldi/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [opera]
            name       = Opera
            what       = Pages, pictures and compiled scripts that Opera keeps
            path.linux = $XDG_CACHE_HOME/opera
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md

            [firefox-variants]
            name       = Firefox variants
            what       = Pages, pictures and compiled scripts of LibreWolf, Waterfox, Floorp and Zen
            path.linux = $XDG_CACHE_HOME/librewolf/*
            path.linux = $XDG_CACHE_HOME/waterfox/*
            path.linux = $XDG_CACHE_HOME/floorp/*
            path.linux = $XDG_CACHE_HOME/zen/*
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://librewolf.net/docs/faq/

            [qutebrowser]
            name       = qutebrowser
            what       = Pages and pictures that qutebrowser keeps
            path.linux = $XDG_CACHE_HOME/qutebrowser
            unit       = entry
            cost       = Pages load more slowly the first time
            source     = https://qutebrowser.org/doc/faq.html

            [darktable]
            name       = darktable
            what       = Previews of photos, and compiled kernels for the graphics card
            path.linux = $XDG_CACHE_HOME/darktable
            unit       = entry
            importance = 60
            cost       = Previews are created again when photos are next shown
            source     = https://docs.darktable.org/usermanual/stable/en/special-topics/program-invocation/darktable/

            [digikam]
            name       = digiKam
            what       = Previews that digiKam keeps
            path.linux = $XDG_CACHE_HOME/digikam
            unit       = entry
            cost       = Previews are created again when photos are next shown
            source     = https://docs.digikam.org/en/

            [shotwell]
            name       = Shotwell
            what       = Previews of photos
            path.linux = $XDG_CACHE_HOME/shotwell/thumbs
            unit       = entry
            cost       = Previews are created again when photos are next shown
            source     = https://gitlab.gnome.org/GNOME/shotwell

            [rawtherapee]
            name       = RawTherapee
            what       = Previews, and copies of the settings of photos
            path.linux = $XDG_CACHE_HOME/RawTherapee/images
            path.linux = $XDG_CACHE_HOME/RawTherapee/aehistograms
            path.linux = $XDG_CACHE_HOME/RawTherapee/embprofiles
            unit       = file
            cost       = Previews are created again when photos are next shown
            source     = https://rawpedia.rawtherapee.com/File_Paths

            [rawtherapee-settings]
            name       = RawTherapee settings
            what       = Settings with which photos were developed
            path.linux = $XDG_CACHE_HOME/RawTherapee/profiles
            path.linux = $XDG_CACHE_HOME/RawTherapee/data
            class      = essential
            cost       = Photos have to be developed again by hand
            source     = https://rawpedia.rawtherapee.com/Sidecar_Files_-_Processing_Profiles

            [kdenlive]
            name       = Kdenlive
            what       = Proxy clips and previews, a directory for each project
            path.linux = $XDG_CACHE_HOME/kdenlive
            unit       = entry
            class      = lastResort
            cost       = Proxy clips and previews are rendered again, which may take hours
            source     = https://docs.kdenlive.org/en/user_interface/menu/project_menu/project_settings.html

            [calibre]
            name       = calibre
            what       = Books that the viewer unpacked, lists of plug-ins and covers
            path.linux = $XDG_CACHE_HOME/calibre
            unit       = entry
            cost       = A book is unpacked again when it is next read
            source     = https://manual.calibre-ebook.com/customize.html#environment-variables

            [zotero]
            name       = Zotero
            what       = Compiled scripts and pages; the library is in the home
            path.linux = $XDG_CACHE_HOME/zotero
            unit       = entry
            cost       = It starts more slowly once
            source     = https://www.zotero.org/support/kb/profile_directory

            [kodi]
            name       = Kodi thumbnails
            what       = Pictures of films, albums and people
            path       = ~/.kodi/userdata/Thumbnails
            unit       = entry
            importance = 60
            cost       = Pictures are loaded again when they are next shown
            source     = https://kodi.wiki/view/Artwork/Cache

            [gnome-maps]
            name       = Maps
            what       = Parts of maps that were shown
            path.linux = $XDG_CACHE_HOME/champlain
            path.linux = $XDG_CACHE_HOME/shumate
            unit       = entry
            cost       = Maps are loaded again when they are next shown
            source     = https://gitlab.gnome.org/GNOME/libshumate

            [gnome-weather]
            name       = Weather
            what       = Reports of the weather
            path.linux = $XDG_CACHE_HOME/libgweather
            unit       = file
            cost       = Reports are loaded again
            source     = https://gitlab.gnome.org/GNOME/libgweather

            [discover]
            name       = KDE Discover
            what       = Descriptions and pictures of programs
            path.linux = $XDG_CACHE_HOME/discover
            unit       = entry
            cost       = They are loaded again
            source     = https://invent.kde.org/plasma/discover

            [kde-http]
            name       = KDE downloads
            what       = Pages and pictures that KDE programs loaded
            path.linux = $XDG_CACHE_HOME/kio_http
            unit       = file
            cost       = Pages load more slowly the first time
            source     = https://invent.kde.org/frameworks/kio

            [appstream]
            name       = AppStream
            what       = Descriptions of programs
            path.linux = $XDG_CACHE_HOME/appstream
            unit       = entry
            cost       = They are read again when a program center next starts
            source     = https://www.freedesktop.org/software/appstream/docs/

            [winetricks]
            name       = Winetricks
            what       = Installers of Windows components
            path.linux = $XDG_CACHE_HOME/winetricks
            unit       = entry
            class      = lastResort
            cost       = Installers are downloaded again, some of them by hand
            source     = https://github.com/Winetricks/winetricks

            [wine]
            name       = Wine
            what       = Installers of Mono and Gecko
            path.linux = $XDG_CACHE_HOME/wine
            unit       = file
            cost       = An installer is downloaded again when an environment is next created
            source     = https://gitlab.winehq.org/wine/wine/-/wikis/Wine-Mono

            [lutris]
            name       = Lutris
            what       = Covers of games, and installers
            path.linux = $XDG_CACHE_HOME/lutris
            unit       = entry
            cost       = They are downloaded again
            source     = https://github.com/lutris/lutris

            [prismlauncher]
            name       = Prism Launcher
            what       = Files that Prism Launcher downloaded to check for updates
            path.linux = $XDG_DATA_HOME/PrismLauncher/cache
            unit       = entry
            cost       = They are downloaded again when a game next starts
            source     = https://prismlauncher.org/wiki/getting-started/data-location/

            [dolphin-emu]
            name       = Dolphin Emulator
            what       = Covers and compiled shaders
            path.linux = $XDG_CACHE_HOME/dolphin-emu
            unit       = entry
            cost       = Games stutter until shaders are compiled again
            source     = https://github.com/dolphin-emu/dolphin

            [rpcs3]
            name       = RPCS3
            what       = Code and shaders of games that were compiled
            path.linux = $XDG_CACHE_HOME/rpcs3/cache
            unit       = entry
            importance = 60
            cost       = Games compile them again, which may take many minutes
            source     = https://wiki.rpcs3.net/index.php?title=Help:Troubleshooting

            [yt-dlp]
            name       = yt-dlp
            what       = Analyzed video players of web sites
            path.linux = $XDG_CACHE_HOME/yt-dlp
            unit       = file
            clean      = yt-dlp --rm-cache-dir
            by         = files
            cost       = Players are analyzed again
            source     = https://github.com/yt-dlp/yt-dlp#filesystem-options

            [mpv]
            name       = mpv
            what       = Compiled shaders, and parts of streams
            path.linux = $XDG_CACHE_HOME/mpv
            unit       = entry
            cost       = They are compiled and loaded again
            source     = https://mpv.io/manual/stable/#options-cache-dir

            [vlc]
            name       = VLC
            what       = Covers of albums and films
            path.linux = $XDG_CACHE_HOME/vlc
            unit       = entry
            cost       = Covers are loaded again
            source     = https://wiki.videolan.org/VLC_HowTo/Clear_the_art_cache/

            [strawberry]
            name       = Strawberry
            what       = Covers and pages of music services
            path.linux = $XDG_CACHE_HOME/strawberry
            path.linux = $XDG_CACHE_HOME/strawberry/strawberry
            protect    = *scrobbler.cache
            unit       = entry
            cost       = Covers are loaded again
            source     = https://github.com/strawberrymusicplayer/strawberry/issues/96

            [amdvlk]
            name       = AMD shaders
            what       = Shaders that AMD's driver compiled
            path.linux = $XDG_CACHE_HOME/AMD/VkCache
            path.linux = $XDG_CACHE_HOME/AMD/LlpcCache
            path.linux = $XDG_CACHE_HOME/AMD/GLCache
            path.linux = ~/.AMD/*Cache
            unit       = entry
            cost       = Games stutter until they are compiled again
            source     = https://github.com/GPUOpen-Drivers/AMDVLK

            [opencl]
            name       = OpenCL kernels
            what       = Kernels that drivers compiled
            path.linux = $XDG_CACHE_HOME/pocl/kcache
            path.linux = $XDG_CACHE_HOME/neo_compiler_cache
            unit       = entry
            cost       = Programs compile them again when they next start
            source     = https://portablecl.org/docs/html/env_variables.html

            [duplicity]
            name       = Déjà Dup and duplicity
            what       = Copies of the lists of files in backups
            path.linux = $XDG_CACHE_HOME/duplicity
            path.linux = $XDG_CACHE_HOME/deja-dup
            path.linux = $XDG_CACHE_HOME/tarsnap
            unit       = entry
            class      = lastResort
            importance = 70
            cost       = The next backup reads them again from the server, which takes the key: without it, backups fail
            source     = https://duplicity.gitlab.io/stable/duplicity.1.html

            [recoll]
            name       = Recoll
            what       = The index of documents for search
            path       = ~/.recoll/xapiandb
            by         = command
            clean      = recollindex -z
            cost       = All documents are indexed again
            source     = https://www.recoll.org/usermanual/usermanual.html

            [speech-models]
            name       = Speech Note and Vosk
            what       = Models of speech
            path.linux = $XDG_CACHE_HOME/net.mkiol
            path.linux = $XDG_CACHE_HOME/vosk
            unit       = directory
            class      = lastResort
            cost       = Gigabytes are downloaded again
            source     = https://alphacephei.com/vosk/models

            [desktop-colors]
            name       = pywal, betterlockscreen
            what       = Colors and pictures that settings of the desktop include
            path.linux = $XDG_CACHE_HOME/wal
            path.linux = $XDG_CACHE_HOME/betterlockscreen
            unit       = directory
            class      = lastResort
            cost       = The desktop has no colors, wallpaper or lock screen until they are made again
            source     = https://github.com/dylanaraps/pywal/wiki/Getting-Started
            """#)
}
