//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/system.catalogue: change that.

extension EmbeddedCatalogue {
    static let system = Text(
        file: "system.catalogue",
        content: #"""
            [apt]
            name       = apt
            what       = Packages that apt downloaded and installed
            path.linux = /var/cache/apt/archives
            lock       = lock /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock
            protect    = partial
            scope      = system
            unit       = file
            clean      = apt-get clean
            by         = files
            cost       = Packages are downloaded again when they are reinstalled
            source     = https://manpages.debian.org/stable/apt/apt-get.8.en.html

            [dnf]
            name       = DNF
            what       = Packages and lists that DNF downloaded
            path.linux = /var/cache/dnf
            path.linux = /var/cache/libdnf5
            lock       = /run/dnf/rpmtransaction.lock /usr/lib/sysimage/rpm/.rpm.lock /var/lib/rpm/.rpm.lock
            lock       = metadata_lock.pid download_lock.pid /var/lib/dnf/rpmdb_lock.pid
            lock       = /usr/lib/sysimage/libdnf5/system-repo.lock /var/lib/dnf/system-repo.lock
            scope      = system
            unit       = entry
            clean      = dnf clean all
            cost       = Lists and packages are downloaded again
            source     = https://dnf.readthedocs.io/en/latest/command_ref.html

            [zypper]
            name       = zypper
            what       = Packages that zypper downloaded
            path.linux = /var/cache/zypp/packages
            lock       = /run/zypp.pid /usr/lib/sysimage/rpm/.rpm.lock /var/lib/rpm/.rpm.lock
            scope      = system
            unit       = file
            clean      = zypper clean
            cost       = Packages are downloaded again
            source     = https://doc.opensuse.org/documentation/leap/reference/html/book-reference/cha-sw-cl.html

            [pacman]
            name       = pacman
            what       = Packages that pacman downloaded, old versions as well
            path.linux = /var/cache/pacman/pkg
            scope      = system
            by         = command
            class      = essential
            clean      = paccache --remove
            cost       = Versions before the last three cannot be gone back to
            source     = https://wiki.archlinux.org/title/Pacman#Cleaning_the_package_cache

            [journald]
            name       = Journal
            what       = The system's log
            path.linux = /var/log/journal
            scope      = system
            by         = command
            class      = essential
            clean      = journalctl --rotate --vacuum-time=30d
            cost       = Messages older than 30 days are gone
            source     = https://www.freedesktop.org/software/systemd/man/latest/journalctl.html

            [coredump]
            name       = Core dumps
            what       = Memory of programs that crashed
            path.linux = /var/lib/systemd/coredump
            scope      = system
            unit       = file
            class      = lastResort
            cost       = Those crashes can't be examined any more
            source     = https://www.freedesktop.org/software/systemd/man/latest/systemd-coredump.html

            [crash]
            name       = Crash reports
            what       = Reports of programs that crashed
            path.linux = /var/crash
            scope      = system
            unit       = entry
            class      = lastResort
            cost       = Those crashes can't be examined any more
            source     = https://wiki.ubuntu.com/Apport

            [docker]
            name       = Docker
            what       = Images, containers, volumes and caches of builds
            path.linux = /var/lib/docker
            scope      = system
            by         = command
            class      = essential
            clean      = docker system prune --force
            cost       = Stopped containers and dangling images are gone, and builds are done again; volumes stay
            source     = https://docs.docker.com/reference/cli/docker/system/prune/

            [podman-system]
            name       = Podman
            what       = Images and containers of root
            path.linux = /var/lib/containers/storage
            scope      = system
            by         = command
            class      = essential
            clean      = podman system prune --force
            cost       = Stopped containers and unused images are gone; images are pulled again
            source     = https://docs.podman.io/en/latest/markdown/podman-system-prune.1.html

            [snap]
            name       = snap
            what       = Packages that snapd downloaded
            path.linux = /var/lib/snapd/cache
            scope      = system
            unit       = file
            cost       = Packages are downloaded again when they are reinstalled
            source     = https://snapcraft.io/docs/system-snap-directory

            [flatpak-system]
            name       = Flatpak
            what       = Programs and runtimes that Flatpak installed for all users
            path.linux = /var/lib/flatpak
            scope      = system
            by         = command
            class      = essential
            clean      = flatpak uninstall --system --unused --assumeyes --noninteractive
            cost       = Runtimes that no program uses are downloaded again when one does
            source     = https://docs.flatpak.org/en/latest/using-flatpak.html

            [fontconfig-system]
            name       = Fonts
            what       = What fontconfig found out about the machine's fonts
            path.linux = /var/cache/fontconfig
            scope      = system
            unit       = file
            clean      = fc-cache --system-only --force
            cost       = Programs that draw text start more slowly until fc-cache has run
            source     = https://www.freedesktop.org/software/fontconfig/fontconfig-user.html

            [man-db]
            name       = Manual pages
            what       = Formatted pages, and the index of apropos
            path.linux = /var/cache/man
            scope      = system
            by         = command
            clean      = mandb --quiet
            cost       = apropos finds nothing until the index is made again
            source     = https://manpages.debian.org/stable/man-db/mandb.8.en.html

            [packagekit]
            name       = PackageKit
            what       = Packages and lists that PackageKit downloaded
            path.linux = /var/cache/PackageKit
            lock       = /usr/lib/sysimage/rpm/.rpm.lock /var/lib/rpm/.rpm.lock /var/lib/dpkg/lock-frontend
            scope      = system
            unit       = entry
            cost       = They are downloaded again
            source     = https://www.freedesktop.org/software/PackageKit/pk-introduction.html

            [fwupd]
            name       = Firmware
            what       = Lists of firmware that fwupd downloaded
            path.linux = /var/cache/fwupd
            scope      = system
            unit       = entry
            cost       = They are downloaded again
            source     = https://fwupd.org/lvfs/docs/introduction

            [apk]
            name       = apk
            what       = Packages that apk downloaded
            path.linux = /var/cache/apk
            lock       = /lib/apk/db/lock /usr/lib/apk/db/lock
            scope      = system
            unit       = file
            clean      = apk cache clean
            by         = files
            cost       = Packages are downloaded again when they are reinstalled
            source     = https://wiki.alpinelinux.org/wiki/Local_APK_cache

            [xbps]
            name       = XBPS
            what       = Packages that XBPS downloaded, old versions as well
            path.linux = /var/cache/xbps
            scope      = system
            by         = command
            class      = essential
            clean      = xbps-remove --clean-cache
            cost       = Removed versions cannot be installed again without a download
            source     = https://docs.voidlinux.org/xbps/index.html

            [portage]
            name       = Portage
            what       = Source archives that Portage downloaded
            path.linux = /var/cache/distfiles
            scope      = system
            unit       = entry
            class      = lastResort
            clean      = eclean distfiles
            by         = files
            cost       = Archives are downloaded again, some of them by hand
            source     = https://wiki.gentoo.org/wiki/Eclean

            [portage-packages]
            name       = Portage packages
            what       = Packages that were built on this machine
            path.linux = /var/cache/binpkgs
            scope      = system
            by         = command
            class      = essential
            clean      = eclean packages
            cost       = Packages have to be built again
            source     = https://wiki.gentoo.org/wiki/Eclean

            [eopkg]
            name       = eopkg
            what       = Packages that eopkg downloaded
            path.linux = /var/cache/eopkg/packages
            scope      = system
            unit       = file
            clean      = eopkg delete-cache
            by         = files
            cost       = Packages are downloaded again when they are reinstalled
            source     = https://help.getsol.us/docs/user/package-management/basics/

            [apt-cacher-ng]
            name       = apt-cacher-ng
            what       = Packages that a proxy keeps for other machines
            path.linux = /var/cache/apt-cacher-ng
            scope      = system
            class      = essential
            cost       = Packages are downloaded again for all machines
            source     = https://manpages.debian.org/stable/apt-cacher-ng/apt-cacher-ng.8.en.html
            """#)
}
