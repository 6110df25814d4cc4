//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/content.catalogue: change that.

extension EmbeddedCatalogue {
    static let content = Text(
        file: "content.catalogue",
        content: #"""
            [keepassxc]
            name       = KeePassXC
            what       = Settings of KeePassXC that belong to this computer
            path.linux = $XDG_CACHE_HOME/[kK]ee[pP]ass[xX][cC]*
            class      = essential
            cost       = Recent databases and their key files have to be chosen again
            source     = https://github.com/keepassxreboot/keepassxc/issues/5313

            [obexd]
            name       = Bluetooth files
            what       = Files that were received by Bluetooth
            path.linux = $XDG_CACHE_HOME/obexd
            class      = essential
            cost       = Received photos and documents are lost
            source     = https://github.com/blueman-project/blueman/issues/1817

            [simple-scan]
            name       = Document Scanner
            what       = Scanned pages that have not been saved
            path.linux = $XDG_CACHE_HOME/simple-scan
            class      = essential
            cost       = Pages have to be scanned again
            source     = https://gitlab.gnome.org/GNOME/simple-scan/-/blob/master/src/autosave-manager.vala

            [file-roller]
            name       = Archive Manager
            what       = Documents that were opened from archives
            path.linux = $XDG_CACHE_HOME/.fr-*
            class      = essential
            cost       = Changes that were not put back into the archive are lost
            source     = https://gitlab.gnome.org/GNOME/file-roller

            [kioexec]
            name       = KDE open documents
            what       = Documents on servers and in archives that are open in a program
            path.linux = $XDG_CACHE_HOME/kioexec
            class      = essential
            cost       = Changes that were not uploaded are lost
            source     = https://invent.kde.org/frameworks/kio/-/blob/master/src/kioexec/main.cpp

            [evolution]
            name       = Evolution
            what       = Calendars, contacts and mails, with changes that have not been sent
            path.linux = $XDG_CACHE_HOME/evolution
            class      = essential
            cost       = Changes that were made offline are lost
            source     = https://gitlab.gnome.org/GNOME/evolution-data-server/-/wikis/home

            [gnome-boxes]
            name       = GNOME Boxes
            what       = Downloaded media and saved states of virtual machines
            path.linux = $XDG_CACHE_HOME/gnome-boxes
            class      = essential
            cost       = Virtual machines that use them do not start
            source     = https://gitlab.gnome.org/GNOME/gnome-boxes

            [vmware-files]
            name       = VMware dropped files
            what       = Files that were dragged into a virtual machine
            path.linux = $XDG_CACHE_HOME/vmware/drag_and_drop
            class      = essential
            cost       = Programs lose the files that they opened from there
            source     = https://github.com/vmware/open-vm-tools

            [lm-studio]
            name       = LM Studio
            what       = Conversations, settings and models of LM Studio
            path       = $XDG_CACHE_HOME/lm-studio
            class      = essential
            cost       = Conversations are lost, and models have to be downloaded or imported again
            source     = https://lmstudio.ai/docs/app/basics/import-model

            [inkscape]
            name       = Inkscape
            what       = Automatically saved drawings
            path.linux = $XDG_CACHE_HOME/inkscape
            class      = essential
            cost       = Unsaved drawings cannot be recovered after a crash
            source     = https://gitlab.com/inkscape/inkscape/-/blob/master/src/auto-save.cpp

            [freecad]
            name       = FreeCAD
            what       = Recovery files of open documents
            path.linux = $XDG_CACHE_HOME/FreeCAD
            class      = essential
            cost       = Unsaved documents cannot be recovered after a crash
            source     = https://wiki.freecad.org/Document_recovery

            [xournalpp]
            name       = Xournal++
            what       = Automatically saved notes
            path.linux = $XDG_CACHE_HOME/xournalpp
            class      = essential
            cost       = Unsaved notes cannot be recovered after a crash
            source     = https://github.com/xournalpp/xournalpp/blob/master/src/util/PathUtil.cpp

            [audacity]
            name       = Audacity
            what       = Recordings that have not been saved
            path.linux = $XDG_CACHE_HOME/*/SessionData
            path.linux = $XDG_CACHE_HOME/audacity/AutoSave
            path.linux = /tmp/audacity-*
            path.linux = /tmp/tenacity-*
            class      = essential
            cost       = Unsaved recordings are lost
            source     = https://manual.audacityteam.org/man/directories_preferences.html

            [kdenlive-library]
            name       = Kdenlive library
            what       = Clips that were added to the library
            path.linux = $XDG_CACHE_HOME/kdenlive/library
            class      = essential
            cost       = Clips of the library are lost
            source     = https://docs.kdenlive.org/en/user_interface/menu/view_menu/library.html

            [blender-recovery]
            name       = Blender recovery
            what       = Automatically saved files and the last session
            path.linux = /tmp/*_autosave.blend
            path.linux = /tmp/quit.blend
            path.linux = $XDG_CACHE_HOME/blender/*.blend
            class      = essential
            cost       = Unsaved work cannot be recovered
            source     = https://docs.blender.org/manual/en/latest/troubleshooting/recover.html

            [vim-recovery]
            name       = Vim recovery
            what       = Undo files, and swap files of files that are open or were open in a crash
            path       = /tmp/*.sw[a-p]
            path       = /tmp/.*.s[a-w][a-z]
            path       = /tmp/%home%*
            path       = /tmp/.*.un~
            path.linux = /var/tmp/vi.recover
            class      = essential
            cost       = Unsaved changes cannot be recovered
            source     = https://vimhelp.org/options.txt.html#%27directory%27

            [vim]
            name       = Vim
            what       = Undo files, swap files and backups
            path       = $XDG_CACHE_HOME/vim
            class      = essential
            cost       = Changes cannot be undone, and unsaved changes cannot be recovered
            source     = https://wiki.archlinux.org/title/XDG_Base_Directory

            [neovim]
            name       = Neovim
            what       = Undo files, swap files, backups and sessions
            path       = $XDG_CACHE_HOME/nvim/*undo*
            path       = $XDG_CACHE_HOME/nvim/*swap*
            path       = $XDG_CACHE_HOME/nvim/*backup*
            path       = $XDG_CACHE_HOME/nvim/*session*
            path       = $XDG_CACHE_HOME/nvim/shada
            path       = $XDG_CACHE_HOME/nvim/view
            class      = essential
            cost       = Changes cannot be undone, and unsaved changes cannot be recovered
            source     = https://neovim.io/doc/user/options.html#'undodir'

            [emacs]
            name       = Emacs
            what       = Automatically saved files, backups and histories
            path       = $XDG_CACHE_HOME/emacs
            class      = essential
            cost       = Unsaved changes cannot be recovered
            source     = https://www.gnu.org/software/emacs/manual/html_node/emacs/Auto-Save-Files.html

            [zsh]
            name       = Zsh
            what       = History of commands, and the list of completions
            path       = $XDG_CACHE_HOME/zsh
            class      = essential
            cost       = The history of commands is lost
            source     = https://wiki.archlinux.org/title/XDG_Base_Directory

            [fish]
            name       = fish
            what       = Completions that fish generated, and histories kept beside them
            path       = $XDG_CACHE_HOME/fish
            class      = essential
            cost       = Histories are lost
            source     = https://fishshell.com/docs/current/cmds/history.html

            [histories]
            name       = Histories
            what       = What was typed, played or copied earlier in shells and other programs
            path       = $XDG_CACHE_HOME/*[hH]istory*
            path       = $XDG_CACHE_HOME/*hist
            path       = $XDG_CACHE_HOME/*-hsts
            path       = $XDG_CACHE_HOME/lesshst
            path       = $XDG_CACHE_HOME/*/*[hH]istory*
            path       = $XDG_CACHE_HOME/*/*hist
            path       = $XDG_CACHE_HOME/*/.*hist
            path       = $XDG_CACHE_HOME/*/viminfo
            path       = $XDG_CACHE_HOME/*/.viminfo
            path       = $XDG_CACHE_HOME/*/*.shada
            path       = $XDG_CACHE_HOME/*/lesshst
            path       = $XDG_CACHE_HOME/*/*/[hH]istory*
            path       = $XDG_CACHE_HOME/*/*/*[hH]istory
            path       = $XDG_CACHE_HOME/*/*/*[hH]istory.*
            path       = $XDG_CACHE_HOME/*/*/*hist
            path       = $XDG_CACHE_HOME/*/*/lesshst
            path       = $XDG_CACHE_HOME/cliphist
            path       = $XDG_CACHE_HOME/ani-cli
            class      = essential
            cost       = Histories are lost
            source     = https://wiki.archlinux.org/title/XDG_Base_Directory

            [unsaved-work]
            name       = Unsaved work
            what       = Automatically saved files, undo files, drafts and uploads of any program
            path       = $XDG_CACHE_HOME/[aA]uto[sS]ave*
            path       = $XDG_CACHE_HOME/[aA]uto[-_][sS]ave*
            path       = $XDG_CACHE_HOME/[bB]ackup*
            path       = $XDG_CACHE_HOME/[cC]onversation*
            path       = $XDG_CACHE_HOME/[dD]raft*
            path       = $XDG_CACHE_HOME/[oO]utbox*
            path       = $XDG_CACHE_HOME/[rR]ecover*
            path       = $XDG_CACHE_HOME/[sS]wap*
            path       = $XDG_CACHE_HOME/[uU]ndo*
            path       = $XDG_CACHE_HOME/[uU]nsaved*
            path       = $XDG_CACHE_HOME/[uU]nsent*
            path       = $XDG_CACHE_HOME/[uU]pload*
            path       = $XDG_CACHE_HOME/*/[aA]uto[sS]ave*
            path       = $XDG_CACHE_HOME/*/[aA]uto[-_][sS]ave*
            path       = $XDG_CACHE_HOME/*/[bB]ackup*
            path       = $XDG_CACHE_HOME/*/[cC]onversation*
            path       = $XDG_CACHE_HOME/*/[dD]raft*
            path       = $XDG_CACHE_HOME/*/[oO]utbox*
            path       = $XDG_CACHE_HOME/*/[rR]ecover*
            path       = $XDG_CACHE_HOME/*/[sS]wap*
            path       = $XDG_CACHE_HOME/*/[uU]ndo*
            path       = $XDG_CACHE_HOME/*/[uU]nsaved*
            path       = $XDG_CACHE_HOME/*/[uU]nsent*
            path       = $XDG_CACHE_HOME/*/[uU]pload*
            path       = $XDG_CACHE_HOME/*/*/[aA]uto[sS]ave*
            path       = $XDG_CACHE_HOME/*/*/[aA]uto[-_][sS]ave*
            path       = $XDG_CACHE_HOME/*/*/[bB]ackup*
            path       = $XDG_CACHE_HOME/*/*/[cC]onversation*
            path       = $XDG_CACHE_HOME/*/*/[dD]raft*
            path       = $XDG_CACHE_HOME/*/*/[oO]utbox*
            path       = $XDG_CACHE_HOME/*/*/[rR]ecover*
            path       = $XDG_CACHE_HOME/*/*/[sS]wap*
            path       = $XDG_CACHE_HOME/*/*/[uU]ndo*
            path       = $XDG_CACHE_HOME/*/*/[uU]nsaved*
            path       = $XDG_CACHE_HOME/*/*/[uU]nsent*
            path       = $XDG_CACHE_HOME/*/*/[uU]pload*
            path       = $XDG_CACHE_HOME/*/*.aup3unsaved
            path       = $XDG_CACHE_HOME/*/*/*.aup3unsaved
            path       = $XDG_CACHE_HOME/*/[pP]atch*
            path       = $XDG_CACHE_HOME/wandb/offline-run-*
            class      = essential
            cost       = Work that was not saved or sent is lost
            source     = https://specifications.freedesktop.org/basedir-spec/latest/

            [made-by-users]
            name       = Lists and notes
            what       = Favorites, bookmarks, notes and saved states of any program
            path       = $XDG_CACHE_HOME/[fF]avorite*
            path       = $XDG_CACHE_HOME/[fF]avourite*
            path       = $XDG_CACHE_HOME/[bB]ookmark*
            path       = $XDG_CACHE_HOME/[tT]odo*
            path       = $XDG_CACHE_HOME/[mM]emo
            path       = $XDG_CACHE_HOME/[mM]emos
            path       = $XDG_CACHE_HOME/[mM]emo[-_.]*
            path       = $XDG_CACHE_HOME/[sS]avestate*
            path       = $XDG_CACHE_HOME/watch_later
            path       = $XDG_CACHE_HOME/*/[fF]avorite*
            path       = $XDG_CACHE_HOME/*/[fF]avourite*
            path       = $XDG_CACHE_HOME/*/[bB]ookmark*
            path       = $XDG_CACHE_HOME/*/[tT]odo*
            path       = $XDG_CACHE_HOME/*/[mM]emo
            path       = $XDG_CACHE_HOME/*/[mM]emos
            path       = $XDG_CACHE_HOME/*/[mM]emo[-_.]*
            path       = $XDG_CACHE_HOME/*/[sS]avestate*
            path       = $XDG_CACHE_HOME/*/watch_later
            path       = $XDG_CACHE_HOME/*/*/[fF]avorite*
            path       = $XDG_CACHE_HOME/*/*/[fF]avourite*
            path       = $XDG_CACHE_HOME/*/*/[bB]ookmark*
            path       = $XDG_CACHE_HOME/*/*/[tT]odo*
            path       = $XDG_CACHE_HOME/*/*/[mM]emo
            path       = $XDG_CACHE_HOME/*/*/[mM]emos
            path       = $XDG_CACHE_HOME/*/*/[mM]emo[-_.]*
            path       = $XDG_CACHE_HOME/*/*/[sS]avestate*
            path       = $XDG_CACHE_HOME/*/*/watch_later
            class      = essential
            cost       = The user has to make it again
            source     = https://specifications.freedesktop.org/basedir-spec/latest/

            [xfce-sessions]
            name       = Xfce sessions
            what       = Programs that the desktop starts again after a login
            path.linux = $XDG_CACHE_HOME/sessions
            class      = essential
            cost       = The saved session is lost
            source     = https://docs.xfce.org/xfce/xfce4-session/start

            [xfce-clipboard]
            name       = Xfce clipboard
            what       = History of the clipboard
            path.linux = $XDG_CACHE_HOME/xfce4/clipman
            class      = essential
            cost       = The history of the clipboard is lost
            source     = https://docs.xfce.org/panel-plugins/xfce4-clipman-plugin/start

            [onedriver]
            name       = onedriver
            what       = Files that may not be uploaded, and the keys to the account
            path.linux = $XDG_CACHE_HOME/onedriver
            class      = essential
            cost       = Changes that were not uploaded are lost
            source     = https://github.com/jstaf/onedriver/issues/99

            [written-back]
            name       = Mounted cloud storage
            what       = Files that are still to be uploaded
            path.linux = $XDG_CACHE_HOME/google-drive-ocamlfuse
            path.linux = $XDG_CACHE_HOME/s3ql
            path       = $XDG_CACHE_HOME/*/*/rawstaging
            class      = essential
            cost       = Changes that were not uploaded are lost
            source     = https://juicefs.com/docs/community/guide/cache/#client-write-cache

            [davfs2]
            name       = davfs2
            what       = Files of mounted WebDAV servers that may not be uploaded
            path.linux = /var/cache/davfs2
            scope      = system
            class      = essential
            cost       = Changes that were not uploaded are lost
            source     = https://manpages.debian.org/stable/davfs2/davfs2.conf.5.en.html

            [dvc]
            name       = DVC
            what       = Data of projects that DVC tracks
            path       = $XDG_CACHE_HOME/dvc
            path.linux = /var/cache/dvc
            class      = essential
            cost       = Data that was not pushed is lost
            source     = https://dvc.org/doc/user-guide/project-structure/internal-files

            [r-collections]
            name       = BiocFileCache and pins
            what       = Files that R users collected
            path       = $XDG_CACHE_HOME/R/BiocFileCache
            path       = $XDG_CACHE_HOME/pins
            class      = essential
            cost       = Results and files that exist nowhere else are lost
            source     = https://bioconductor.org/packages/release/bioc/html/BiocFileCache.html

            [molecule]
            name       = Molecule
            what       = State of test machines, with the keys to them
            path       = $XDG_CACHE_HOME/molecule
            path       = ~/.ansible/tmp/molecule*
            class      = essential
            cost       = Test machines go on running, and have to be found and removed by hand
            source     = https://ansible.readthedocs.io/projects/molecule/configuration/

            [debconf]
            name       = debconf
            what       = Answers to the questions that packages asked
            path.linux = /var/cache/debconf
            scope      = system
            class      = essential
            cost       = Packages ask everything again, or are configured wrongly
            source     = https://manpages.debian.org/stable/debconf-doc/debconf.7.en.html

            [bind]
            name       = BIND
            what       = Zones that a name server serves or receives
            path.linux = /var/cache/bind
            scope      = system
            class      = essential
            cost       = Dynamic zones are lost
            source     = https://wiki.debian.org/Bind9

            [cups]
            name       = CUPS
            what       = State of print jobs
            path.linux = /var/cache/cups
            scope      = system
            class      = essential
            cost       = Print jobs are lost from the queue
            source     = https://www.cups.org/doc/man-cups-files.conf.html

            [steam-compatdata]
            name       = Steam Proton data
            what       = Windows environments of games, with saved games
            path.linux = $XDG_DATA_HOME/Steam/steamapps/compatdata
            class      = essential
            cost       = Saved games and settings are lost
            source     = https://github.com/ValveSoftware/Proton/wiki/Proton-FAQ

            [wandb-staging]
            name       = Weights & Biases data
            what       = Files of runs that have not been uploaded
            path       = $XDG_DATA_HOME/wandb
            class      = essential
            cost       = Results that were not uploaded are lost
            source     = https://docs.wandb.ai/guides/track/environment-variables

            [ibus]
            name       = IBus
            what       = Words that input methods learned
            path.linux = $XDG_CACHE_HOME/ibus
            class      = essential
            cost       = Learned and imported words are lost
            source     = https://github.com/libpinyin/ibus-libpinyin/issues/218

            [deno-storage]
            name       = Deno storage
            what       = Databases of Deno programs
            path       = $XDG_CACHE_HOME/deno/location_data
            path       = $DENO_DIR/location_data
            path.macos = ~/Library/Caches/deno/location_data
            class      = essential
            cost       = Data that programs stored is lost
            source     = https://github.com/denoland/deno/issues/19902

            [zellij]
            name       = zellij
            what       = Saved sessions, and permissions of plug-ins
            path       = $XDG_CACHE_HOME/zellij/*/session_info
            path       = $XDG_CACHE_HOME/zellij/permissions.kdl
            path.macos = ~/Library/Caches/org.Zellij-Contributors.Zellij/*/session_info
            path.macos = ~/Library/Caches/org.Zellij-Contributors.Zellij/permissions.kdl
            class      = essential
            cost       = Saved sessions are lost
            source     = https://github.com/zellij-org/zellij/pull/2801
            """#)
}
