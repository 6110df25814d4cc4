//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// What people made themselves, in directories for caches and temporary files.
@Suite(
    "R44: people's own work in caches and temporary directories", .serialized, .blocks,
    .enabled(if: FieldSandbox.isPossible, FieldSandbox.needs))
struct OwnWorkTests {
    private let home = FieldSandbox.home

    @Test(
        "Keeps unsaved work, keys, browser profiles, backups and state wherever they lie",
        .tags(.r44d))
    func keepsOwnWork() throws {
        let sandbox = try FieldSandbox()
        let cache = "\(home)/.cache"
        let kept = [
            "/tmp/.arduinoIDE-unsaved20241127/sketch/sketch.ino", "/tmp/kubectl-edit-143.yaml",
            "/tmp/#report.tex#", "/var/tmp/.report.tex.un~", "/tmp/.report.tex.swp",
            "/tmp/x509up_u4100", "/tmp/kafka-logs/orders-0/0.log",
            "\(cache)/prek/patches/1700000000-4711.patch", "\(cache)/gargle/0a1b_me@example.com",
            "\(cache)/molecule/role/default/state.yml", "\(cache)/.fr-aBcDeF/letter.odt",
            "\(cache)/agents/a/b/profile/Local State", "\(cache)/games/one/drive_c/save",
            "\(cache)/games/one/system.reg", "\(cache)/nightly/repo/config",
            "\(cache)/nightly/repo/keys/k", "\(cache)/nightly/repo/data/d",
            "\(cache)/nightly/repo/snapshots/s", "\(cache)/infra/a/b/terraform.tfstate",
            "/tmp/wip.patch", "/tmp/patches/0001-fix.patch", "/tmp/repo.bundle",
            "/tmp/gh123456.json",
            "/tmp/aerc-compose-1.eml", "/tmp/mutt-host-1000-4711-1", "/tmp/prod.sql.gz",
            "/tmp/backup-2026/a", "/tmp/mydb.dump", "/tmp/id_ed25519", "/tmp/ca/private/ca.key.pem",
            "/tmp/gnupg-2026/private-keys-v1.d/1.key", "/tmp/vault.init",
            "/tmp/nats/jetstream/1.blk",
            "/tmp/connect.offsets", "/tmp/FreeCAD_Doc_1/fc_recovery_file.fcstd",
            "/tmp/untitled119304.tmp/sketch_may01a/sketch_may01a.ino", "/tmp/rclone/vfs/box/a.odt",
            "/tmp/exp/wandb/offline-run-1/run.wandb", "/tmp/0001.png",
            "/tmp/zookeeper2/version-2/log.1",
            "\(cache)/golang-autocert/acme_account+key", "\(cache)/go-build/fuzz/p/FuzzX/0a",
            "\(cache)/rclone/box/vfs/box/a.odt", "\(cache)/junkfile/2026/05/memo.md",
            "\(cache)/tg/database/td.binlog", "\(cache)/hypnotix/favorites/list",
            "\(cache)/rpcs3/savestates/game/1.zst", "\(cache)/lutris/.gog.token",
            "\(cache)/JetBrains/Idea2026.1/coverage/a.ic", "\(cache)/mpv/watch_later/0A",
            "\(home)/.ansible/tmp/molecule.ab.default/ssh_key",
        ]
        for path in kept { sandbox.file(path, size: 9_000, age: .days(100)) }
        try sandbox.settle()
        try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        let lost = Set(kept).subtracting(try sandbox.existing(kept))
        #expect(lost.isEmpty, "lost \(lost)")
        try sandbox.expectControlsPurged()
    }

    @Test("Purges models and disk images as a last resort, and explain says why", .tags(.r44g))
    func defersModels() throws {
        let sandbox = try FieldSandbox()
        let models = [
            "\(home)/.cache/tuner/out/adapter_model.safetensors", "\(home)/.cache/vm/disk.qcow2",
        ]
        for path in models { sandbox.file(path, size: 90_000, age: .days(400)) }
        try sandbox.settle()
        let answer = try sandbox.headroom("explain", models[0])
        #expect(answer.output.contains("the weights of a model"), "\(answer)")
        try sandbox.headroom("purge", "--all", "--yes")
        #expect(try sandbox.existing(models) == models)
        try sandbox.expectControlsPurged()
        try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        #expect(try sandbox.existing(models) == [])
    }

    @Test("Purges databases and environments of unknown programs as a last resort", .tags(.r44g))
    func defersDatabases() throws {
        let sandbox = try FieldSandbox()
        let files = [
            "/tmp/pgdata/PG_VERSION", "/tmp/pgdata/base/1", "\(home)/.cache/app-redis/dump.rdb",
            "\(home)/.cache/envs/work/pyvenv.cfg", "\(home)/.cache/envs/work/bin/python",
            "\(home)/.cache/envs/conda/conda-meta/history",
        ]
        for path in files { sandbox.file(path, size: 90_000, age: .days(400)) }
        try sandbox.settle()
        let answer = try sandbox.headroom("explain", "/tmp/pgdata")
        #expect(answer.output.contains("a database in several files"), "\(answer)")
        try sandbox.headroom("purge", "--all", "--yes")
        #expect(try sandbox.existing(files) == files)
        try sandbox.expectControlsPurged()
        try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        #expect(try sandbox.existing(files) == [])
    }

    @Test(
        "Purges what people may have made in temporary directories as a last resort", .tags(.r44i))
    func defersWork() throws {
        let sandbox = try FieldSandbox()
        let work = [
            "/tmp/thesis/thesis.tex", "/tmp/trip/photos/1.jpg", "/tmp/analysis.ipynb",
            "/tmp/proto/main.go", "/tmp/kbuild/.config", "/tmp/site.tar.gz", "/tmp/optuna.db",
            "/tmp/java_pid4711.hprof", "/tmp/core.nginx.4711", "/tmp/capture.pcap",
            "/tmp/user/4100/letter.odt", "/tmp/talk.mp4", "/tmp/road.shp", "/tmp/road.dbf",
            "/tmp/site.tar.gz.aa", "/tmp/bios.bin", "/tmp/npm-demo/index.js",
            "/tmp/go-builder/main.go", "/tmp/pip-wheel-tests/setup.py",
            "/tmp/cargo-install-notes/src/main.rs", "/tmp/v8-compile-cache/index.js",
            "/tmp/spec/requirements.docx", "\(home)/.cache/tmp/letter.odt",
            "\(home)/.var/app/org.example.App/cache/tmp/letter.odt",
        ]
        for path in work { sandbox.file(path, size: 9_000, age: .days(40), owner: .alice) }
        // Packages, intermediate files, data that programs exchange.
        let rest = [
            "/tmp/job/flask.whl", "/tmp/job/README.md", "/tmp/pip-req-build-a1b2c3_4/setup.py",
            "/tmp/cc1.o", "/tmp/run/state.json",
            "/tmp/site/node_modules/left/index.js", "/tmp/env/pyvenv.cfg", "/tmp/env/lib/a.py",
        ]
        for path in rest { sandbox.file(path, size: 9_000, age: .days(40)) }
        try sandbox.settle()
        let answer = try sandbox.headroom("explain", "/tmp/thesis")
        #expect(answer.output.contains("thesis.tex is a document"), "\(answer)")
        let loose = try sandbox.headroom("explain", "/tmp/capture.pcap")
        #expect(loose.output.contains("capture.pcap is a file of unknown kind"), "\(loose)")
        try sandbox.headroom("purge", "--all", "--yes")
        let lost = Set(work).subtracting(try sandbox.existing(work))
        #expect(lost.isEmpty, "lost \(lost)")
        #expect(try sandbox.existing(rest) == [])
        try sandbox.expectControlsPurged()
        try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        let left = try sandbox.existing(work)
        #expect(left == [], "kept \(left)")
    }

    @Test(
        "Keeps the paths that the user's settings name, and the targets of links",
        .tags(.r43i))
    func keepsWhatSettingsName() throws {
        let sandbox = try FieldSandbox()
        let cache = "\(home)/.cache"
        let kept = [
            "\(cache)/prompt/theme.omp", "\(cache)/tool/bin/tool", "\(cache)/agent/agent",
            "\(cache)/walls/pictures/1.jpg", "\(cache)/plugins/a/start.vim",
            "\(cache)/standard/a", "\(cache)/status/calendar", "\(cache)/linked/a",
        ]
        for path in kept { sandbox.file(path, size: 9_000, age: .days(40)) }
        sandbox.prepare(
            """
            mkdir -p \(home)/.local/bin \(home)/.config/dconf \(home)/.config/systemd/user
            echo 'eval "$(prompt init --config ~/.cache/prompt/theme.omp)"' >\(home)/.bashrc
            echo "call plugins('\(cache)/plugins')" >\(home)/.vimrc
            ln -s \(cache)/tool/bin/tool \(home)/.local/bin/tool
            ln -s \(cache)/linked \(home)/data
            mkdir -p \(home)/.config/vdirsyncer
            echo 'status_path = "~/.cache/status/"' >\(home)/.config/vdirsyncer/config
            echo 'D="${XDG_CACHE_HOME:-$HOME/.cache}/standard"' >>\(home)/.bashrc
            printf '[Service]\nExecStart=%%h/.cache/agent/agent\n' >\(home)/.config/systemd/user/a.service
            printf 'GVariant\\0file://\(cache)/walls/pictures/1.jpg\\0s' >\(home)/.config/dconf/user
            """)
        try sandbox.settle()
        let answer = try sandbox.headroom("explain", kept[0])
        #expect(answer.output.contains("\(home)/.bashrc names it"), "\(answer)")
        try sandbox.headroom("purge", "--all", "--through", "last-resort", "--yes")
        let lost = Set(kept).subtracting(try sandbox.existing(kept))
        #expect(lost.isEmpty, "lost \(lost)")
        try sandbox.expectControlsPurged()
    }

    @Test("Keeps a directory that was just moved there, and purges it later", .tags(.r43a))
    func keepsMovedDirectories() throws {
        let sandbox = try FieldSandbox()
        let moved = ["\(home)/.cache/project/main", "/tmp/letters/a"]
        for (name, path) in [("project", "main"), ("letters", "a")] {
            sandbox.file("\(home)/\(name)/\(path)", age: .days(400))
        }
        try sandbox.settle()
        try sandbox.shell(
            "mv ~/project ~/.cache/; cp -a ~/letters ~/.cache/x; mv ~/.cache/x /tmp/letters")
        let answer = try sandbox.headroom("explain", "\(home)/.cache/project")
        #expect(answer.output.contains("It was moved here"), "\(answer)")
        try sandbox.headroom("purge", "--all", "--yes")
        #expect(try sandbox.existing(moved) == moved)
        try sandbox.expectControlsPurged()
        try sandbox.headroom("purge", "--all", "--min-idle", "0s", "--yes")
        #expect(try sandbox.existing([moved[0]]) == [])
    }

    @Test(
        "Keeps what a running program named by its number or its name, until it ends", .tags(.r43d))
    func keepsFilesOfPrograms() throws {
        let sandbox = try FieldSandbox()
        try sandbox.copy("/bin/sleep", to: "/run/sigil")
        try sandbox.settle()
        let process = try sandbox.start("echo ready; exec /run/sigil 1000")
        let kept = ["/tmp/Sigil-aBcDeF/state", "/tmp/lu\(process)h7x2.tmp/image"]
        for path in kept { sandbox.file(path, size: 9_000) }
        try sandbox.headroom("purge", "--all", "--min-idle", "0s", "--yes")
        #expect(try sandbox.existing(kept) == kept)
        let answer = try sandbox.headroom("explain", "/tmp/Sigil-aBcDeF")
        #expect(answer.output.contains("a running program: sigil"), "\(answer)")
        try sandbox.stop(process)
        try sandbox.headroom("purge", "--all", "--min-idle", "0s", "--yes")
        #expect(try sandbox.existing(kept) == [])
    }
}
#endif
