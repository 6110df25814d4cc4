//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
/// The shell side of a sandbox.
extension FieldSandbox {
    /// Runs as the first process of new mount, PID, IPC and network namespaces: builds a root of its own, changes
    /// to it, and waits. Arguments: a directory, the binary, and NAME:PATH of each volume.
    ///
    /// Only `/usr` and its like are the machine's, read-only. So nothing that Headroom does here, not even as
    /// root, reaches the machine's files.
    static let builder = #"""
        set -eu
        base=$1 program=$2; shift 2
        # With the machine's /proc still mounted, this is the number outside.
        read -r outside _ </proc/self/stat
        [ "$$" = 1 ] || { echo "not in a PID namespace of its own" >&2; exit 1; }
        new=$base/root
        mkdir "$new"
        mount -t tmpfs -o mode=755,size=1g sandbox "$new"
        for entry in /bin /sbin /lib /lib32 /lib64 /libx32 /usr /opt; do
            if [ -L "$entry" ]; then
                cp -P "$entry" "$new$entry"
            elif [ -d "$entry" ]; then
                mkdir "$new$entry"
                mount --rbind "$entry" "$new$entry"
                mount -o remount,bind,ro "$new$entry"
            fi
        done
        mkdir "$new"/{dev,etc,home,mnt,old,proc,root,run,sys,tmp,var}
        cp -a /etc/. "$new/etc"
        rm -rf "$new/etc/headroom" "$new/etc/tmpfiles.d"
        sed -i '/^\(alice\|bob\):/d' "$new"/etc/{passwd,group}
        for account in alice:4100 bob:4101; do
            name=${account%:*} number=${account#*:}
            echo "$name:x:$number:$number::/home/$name:/bin/bash" >>"$new/etc/passwd"
            echo "$name:x:$number:" >>"$new/etc/group"
        done
        mount --bind /dev "$new/dev"
        mount -t tmpfs -o mode=1777 shm "$new/dev/shm"
        mount -t proc proc "$new/proc"
        mount --bind /sys "$new/sys"
        for name in headroom headroomd; do
            touch "$new/run/$name"
            mount --bind "${program%/*}/$name" "$new/run/$name"
        done
        # Libraries that the binaries have elsewhere.
        ldd "$program" "${program}d" | sed -n 's|.*=> \(/.*\)/[^/]* (0x.*|\1|p' | sort -u | while read -r directory; do
            case $directory in
                /usr/* | /opt/* | /lib*) ;;
                *)
                    mkdir -p "$new$directory"
                    mount --bind "$directory" "$new$directory"
                    ;;
            esac
        done
        number=0
        for volume; do
            number=$((number + 1))
            image=$base/${volume%%:*} directory=${volume#*:}
            truncate -s 96M "$image"
            mkfs.ext4 -q -F -b 4096 -I 256 -m 0 -N 8192 -O ^has_journal,^resize_inode \
                -E lazy_itable_init=1,nodiscard "$image"
            # Each volume begins with another inode number, so that none looks like one elsewhere.
            printf 'rmdir lost+found\nseti <11> %d\n' $((number * 1000)) >"$base/commands"
            debugfs -w -f "$base/commands" "$image" >/dev/null 2>&1
            device=$(losetup --find --show "$image")
            # This process keeps the device; the system detaches it after that.
            exec {kept}<"$device"
            losetup --detach "$device"
            mkdir -p "$new$directory"
            mount "$device" "$new$directory"
            echo "$device $directory" >>"$new/run/volumes"
        done
        chmod 1777 "$new/tmp"
        chmod 700 "$new/root"
        mkdir -p "$new"/var/{cache,lib,log} "$new"/home/{alice,bob}
        mkdir -m 1777 "$new/var/tmp"
        for account in alice:4100 bob:4101; do
            chown "${account#*:}:${account#*:}" "$new/home/${account%:*}"
            chmod 700 "$new/home/${account%:*}"
        done
        cd "$new"
        pivot_root . old
        cd /
        umount -l /old
        rmdir /old
        echo "ready $outside."
        sleep infinity &
        wait
        """#

    /// Functions for scripts that set a sandbox up.
    static let functions = #"""
        set -eu
        now=$(date +%s)
        parents() { # PATH OWNER: makes a directory and those around it
            [ -d "$1" ] && return
            parents "${1%/*}" "$2"
            mkdir "$1"
            chown "$2" "$1"
        }
        put() { # PATH SIZE AGE OWNER
            parents "${1%/*}" "$4"
            head -c "$2" /dev/urandom >"$1"
            chown "$4" "$1"
            touch -h -d "@$((now - $3))" "$1"
        }
        folder() { # PATH AGE OWNER
            parents "$1" "$3"
            touch -d "@$((now - $2))" "$1"
        }
        age() { # AGE PATH…: of everything there
            local seconds=$1
            shift
            find "$@" -depth -exec touch -h -d "@$((now - seconds))" {} +
        }

        """#

    /// Sets birth times and status change times to the modification times, and gives each directory the
    /// time of its newest entry. No system call sets them; debugfs(8) does, on a volume that is not mounted.
    static let settler = #"""
        set -eu
        while read -r device directory; do
            : >/run/touches
            : >/run/commands
            find "$directory" -xdev -mindepth 1 -depth -printf '%y %i %T@ %P\n' \
                | awk -v limit=$(($(date +%s) - 30)) -v top="$directory" '
                    {
                        type = $1; inode = $2; time = int($3); path = $4
                        if (type == "d" && path in newest) time = newest[path]
                        parent = path
                        if (!sub("/[^/]*$", "", parent)) parent = ""
                        if (parent != "" && time > newest[parent]) newest[parent] = time
                        if (time > limit) next
                        if (type == "d") print "touch -d @" time " " top "/" path >"/run/touches"
                        print "set_inode_field <" inode "> crtime @" time >"/run/commands"
                        print "set_inode_field <" inode "> ctime @" time >"/run/commands"
                    }'
            sh /run/touches
            umount "$directory"
            debugfs -w -f /run/commands "$device" >/dev/null 2>&1
            mount "$device" "$directory"
        done </run/volumes
        """#
}
#endif
