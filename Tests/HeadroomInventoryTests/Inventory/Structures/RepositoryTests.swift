//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Git repositories in a cache: which of them hold work that exists nowhere else.
@Suite("Repositories in purgeable areas")
struct RepositoryTests {
    private let directory: TemporaryDirectory
    private var cache: FilePath { directory.path.appending("cache") }
    private var clone: FilePath { cache.appending("clone") }

    /// A repository to clone from, and a clone of it in a cache.
    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("cache")
        try run(
            """
            git init -q -b main upstream; cd upstream
            printf '*.o\\n/build/\\n' >.gitignore
            mkdir src; echo one >src/one.c; git add .; git commit -qm one; git tag v1
            echo two >src/two.c; git add .; git commit -qm two
            cd ..; git clone -q "$PWD/upstream" cache/clone
            git clone -q upstream made; cd made; echo made >made; git add .; git commit -qm made
            """)
    }

    private func run(_ script: String) throws {
        let child = try ChildProcess(
            "sh", ["-euc", script],
            environment: [
                "GIT_CONFIG_NOSYSTEM": "1", "HOME": directory.path.string,
                "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@n", "GIT_COMMITTER_NAME": "n",
                "GIT_COMMITTER_EMAIL": "n@n", "GIT_DIR": nil, "GIT_INDEX_FILE": nil,
                "GIT_WORK_TREE": nil,
            ], directory: directory.path)
        let result = try child.wait()
        #expect(result.succeeded, "\(result.errors)")
    }

    private func plan(
        unit: PurgeUnit = .file, free bytes: Int64? = nil, holdsClones: Bool = false
    ) throws -> Plan {
        var area = Area(root: cache, purgeClass: .cache, unit: unit, origin: "test")
        area.holdsClones = holdsClones
        let inventory = try Scanner.scan(
            [ScanRoot(path: cache)], areas: [area], options: ScanOptions(now: .now()))
        let target = bytes.map { Target.free(ByteCount($0)) } ?? .all
        return Planner.plan(inventory, PlanRequest(targets: [target], now: .now()))
    }

    /// Why the clone is kept; nil if it is planned, which has to be as a whole.
    private func reason() throws -> String? {
        let plan = try plan()
        let inside = plan.filter { $0.path.starts(with: clone) }
        if inside.isEmpty {
            let obstacle = try #require(plan.obstacles.first { $0.path == clone })
            #expect(obstacle.reason.code == .repository)
            return obstacle.reason.text
        }
        #expect(inside.map(\.path) == [clone] && inside.first?.unit == .directory)
        return nil
    }

    @Test("Plans a clone whole if everything in it came from its remote", .tags(.r44c))
    func plansPristineClone() throws {
        #expect(try reason() == nil)
        try run(
            "cd upstream; echo 3 >3; git add .; git commit -qm 3; cd ../cache/clone; git pull -q")
        #expect(try reason() == nil)
        // Even if a few bytes are wanted.
        #expect(try plan(free: 1).map(\.path) == [clone])
    }

    @Test("Plans a clone that was checked out at a tag, with build outputs that it ignores")
    func plansDetachedClone() throws {
        try run(
            "cd cache/clone; git checkout -q v1; echo o >src/one.o; mkdir build; echo b >build/b")
        #expect(try reason() == nil)
    }

    @Test(
        "Keeps a repository with work that exists nowhere else", .tags(.r44c),
        arguments: [
            (
                "git fetch -q ../../made main; git merge -q FETCH_HEAD",
                "commits that were made here"
            ),
            (
                "git worktree add -qb w ../w; cd ../w; echo w >w; git add w; git commit -qm w; "
                    + "cd ../clone; git merge -q w; git worktree remove ../w; git branch -qd w",
                "commits that were made here"
            ),
            (
                "echo t >t; git add t; git commit -qm t; git tag t; git reset -q --hard origin/main; "
                    + "git checkout -q t; git reflog expire --expire=now --all",
                "has commits that no remote is known to have"
            ),
            (
                "echo t >t; git add t; git commit -qm t; git tag t; git reset -q --hard origin/main; "
                    + "git reflog expire --expire=now --all",
                "tag whose commits no remote"
            ),
            ("mkdir build; echo x >build/id_rsa", "can't be created again (build/id_rsa)"),
            ("echo changed >src/one.c", "changed file (src/one.c)"),
            ("echo note >notes.txt", "doesn't track (notes.txt)"),
            ("mkdir build; echo KEY=1 >build/.env", "can't be created again (build/.env)"),
            ("mkdir build; echo x >build/data.sqlite", "can't be created again"),
            ("echo x >.git/hooks/pre-commit", "hooks that were added here"),
            ("echo new >new; git add new", "staged"),
            ("echo x >src/one.c; git stash -q", "a stash"),
            ("echo x >>src/one.c; git commit -qam local", "commits that were made here"),
            (
                "git checkout -q -b topic; echo x >>src/one.c; git commit -qam t; git checkout -q main; rm -r .git/logs",
                "branch topic"
            ),
            ("git remote remove origin", "without a remote"),
            ("git worktree add -q ../tree v1", "linked worktrees"),
            ("echo abc >.git/MERGE_HEAD", "in the middle of"),
            ("mkdir .git/rebase-merge; echo 1 >.git/rebase-merge/x", "in the middle of a rebase"),
            ("truncate -s 20 .git/index", "index can't be read"),
            ("git reset -q --soft HEAD~1", "commits that were made here"),
            ("git notes --ref mine add -m n; rm -r .git/logs", "refs/notes/mine"),
        ])
    func keepsUniqueWork(change: String, why: String) throws {
        try run("cd cache/clone; \(change)")
        let reason = try #require(try reason())
        #expect(reason.contains(why), "\(reason)")
    }

    @Test("Reads an index of version 4")
    func readsVersion4() throws {
        try run("cd cache/clone; git update-index --index-version 4")
        #expect(try reason() == nil)
        try run("cd cache/clone; echo 4 >>src/two.c")
        #expect(try reason()?.contains("src/two.c") == true)
    }

    @Test("Keeps a repository that another one borrows objects from", .tags(.r44c))
    func keepsLender() throws {
        try run("git clone -q --shared cache/clone cache/borrower")
        #expect(try reason()?.contains("borrows its objects") == true)
    }

    @Test("Keeps a bare repository: nothing tells who borrows from it or pushes to it")
    func keepsBareRepository() throws {
        try run("git clone -q --bare upstream cache/clone.git")
        let plan = try plan()
        #expect(plan.map(\.path) == [clone])
        #expect(plan.obstacles.map(\.reason.code) == [.repository])
    }

    @Test("Keeps the unit around a repository with unique work")
    func keepsUnitAroundRepository() throws {
        try run("mkdir cache/app; mv cache/clone cache/app/clone; echo x >cache/app/clone/mine")
        let plan = try plan(unit: .directory)
        #expect(plan.isEmpty)
        #expect(plan.obstacles.map(\.path) == [cache.appending("app")])
    }

    @Test(
        "Never plans a part of a structure", .tags(.r44b),
        arguments: [
            ("mkdir s; echo home = /usr >s/pyvenv.cfg; mkdir s/lib", "s"),
            (
                "mkdir -p s/node_modules/a; echo 1 >s/node_modules/a/x; echo 2 >s/node_modules/y",
                "s/node_modules"
            ),
            (
                "mkdir s; echo MANIFEST-000001 >s/CURRENT; echo m >s/MANIFEST-000001; echo l >s/000003.log",
                "s"
            ),
            ("mkdir s; echo d >s/data.mdb; echo l >s/lock.mdb", "s"),
            ("mkdir -p s/base/1; echo 15 >s/PG_VERSION; echo 1 >s/base/1/1", "s"),
            ("mkdir -p s/test; echo i >s/ibdata1; echo t >s/test/t.ibd", "s"),
            ("mkdir s; echo w >s/WiredTiger; echo c >s/collection-0.wt", "s"),
            ("mkdir -p s/conda-meta s/bin; echo h >s/conda-meta/history; echo x >s/bin/x", "s"),
            (
                "mkdir s; printf 'Signature: 8a477f597d28d172789f06886806bc55\\n' >s/CACHEDIR.TAG; mkdir s/d; echo 1 >s/d/x",
                "s"
            ),
        ])
    func neverSplitsStructures(script: String, unit: String) throws {
        try run("rm -rf cache/clone; cd cache; \(script)")
        let plan = try plan(free: 1)
        let items = plan.filter { $0.unit != .emptyDirectory }
        #expect(items.map(\.path) == [cache.pushing(FilePath(unit))])
        #expect(plan.first?.unit == .directory)
    }

    @Test(
        "Keeps a repository of another version-control system",
        arguments: [".hg/store", ".sl/store", "CVS/Root", ".fslckout", "_FOSSIL_"])
    func keepsOtherSystems(name: String) throws {
        try run(
            "rm -rf cache/clone; mkdir -p cache/work; cd cache/work; echo 1 >file; "
                + "mkdir -p $(dirname \(name)); echo 1 >\(name)")
        let plan = try plan()
        #expect(plan.isEmpty)
        #expect(plan.obstacles.map(\.reason.code) == [.repository])
    }

    @Test("Keeps a clone whose objects a repository elsewhere in the home borrows", .tags(.r44c))
    func keepsLentClone() throws {
        try run("mkdir home; mv cache home/.cache")
        let home = directory.path.appending("home")
        let clone = home.appending(".cache/clone")
        func isPlanned() throws -> Bool {
            let area = Area(root: home.appending(".cache"), purgeClass: .cache, origin: "test")
            var options = ScanOptions(now: .now())
            options.borrowers = BorrowerSearch(home: home)
            let inventory = try Scanner.scan(
                [ScanRoot(path: area.root)], areas: [area], options: options)
            let request = PlanRequest(targets: [.all], now: .now())
            return Planner.plan(inventory, request).contains { $0.path == clone }
        }
        #expect(try isPlanned())
        try run("git clone -q --shared home/.cache/clone home/work")
        #expect(try !isPlanned())
        // Relative paths start at the directory of the objects.
        try run("echo ../../../.cache/clone/.git/objects >home/work/.git/objects/info/alternates")
        #expect(try !isPlanned())
        try run("rm home/work/.git/objects/info/alternates")
        #expect(try isPlanned())
        // One that can't be read as a list of directories.
        try run("mkdir home/work/.git/objects/info/alternates")
        #expect(try !isPlanned())
    }

    @Test("Keeps a clone if the alternates file of another repository can't be read")
    func keepsClonesOfUnknownBorrower() throws {
        try run("git clone -q --shared cache/clone cache/sharing")
        try run("head -c 2M /dev/zero >cache/sharing/.git/objects/info/alternates")
        let plan = try plan()
        #expect(plan.isEmpty)
        #expect(plan.obstacles.allSatisfy { $0.reason.code == .repository })
    }

    @Test(
        "Ignores names in a directory that all users share: one of them could keep the files of all",
        .enabled(if: User.isRoot, "needs root, to own the shared directory"),
        arguments: ["mkdir .git", "touch .git", "touch pyvenv.cfg", "touch CURRENT MANIFEST-1"])
    func ignoresNamesInSharedDirectory(script: String) throws {
        try run(
            "rm -rf cache/clone; chmod 1777 cache; cd cache; mkdir app; echo 1 >app/1; \(script)")
        #expect(try plan(unit: .directory).contains { $0.path == cache.appending("app") })
    }

    @Test(
        "Keeps the repository of a directory that all users share",
        .enabled(if: User.isRoot, "needs root, to own the shared directory"))
    func keepsRepositoryOfSharedDirectory() throws {
        try run(
            "rm -rf cache/clone; chmod 1777 cache; cd cache; git init -q; mkdir app; echo 1 >app/1")
        let paths = try plan(unit: .directory).map(\.path)
        #expect(paths == [cache.appending("app")])
    }

    // MARK: - Clones that a tool creates

    /// A bare clone without a remote, a clone of that at a commit, and files that the tool installed there: as
    /// Cargo and pre-commit have them.
    private func cloneAsTool() throws {
        try run(
            """
            cd cache; git clone -q --bare "$PWD/../upstream" db; git -C db remote remove origin
            git clone -q "$PWD/db" checkout; cd checkout; git reset -q --hard v1; echo ok >.tool-ok
            rm -rf ../clone
            """)
    }

    @Test("Plans clones that a tool created only where the tool is known to create them again")
    func plansClonesOfTools() throws {
        try cloneAsTool()
        #expect(try plan().isEmpty)
        let paths = try plan(holdsClones: true).map(\.path)
        #expect(Set(paths) == [cache.appending("db"), cache.appending("checkout")])
    }

    @Test(
        "Keeps a clone of a tool in which somebody worked",
        arguments: [
            "echo changed >src/one.c",
            "echo x >>src/one.c; git stash -q",
            "echo x >x; git add x; git commit -qm x; git reset -q --hard v1",
            "git worktree add -q ../../work v1",
            "echo x >.git/MERGE_HEAD",
        ])
    func keepsWorkInClonesOfTools(_ work: String) throws {
        try cloneAsTool()
        try run("cd cache/checkout; \(work)")
        let plan = try plan(holdsClones: true)
        #expect(plan.map(\.path) == [cache.appending("db")])
        #expect(plan.obstacles.contains { $0.path == cache.appending("checkout") })
    }

    @Test("Keeps a worktree that somebody added among the clones of a tool, and plans submodules")
    func keepsWorktrees() throws {
        try cloneAsTool()
        try run(
            """
            git clone -q upstream mine; git -C mine worktree add -q ../cache/added v1
            git -C cache/checkout -c protocol.file.allow=always submodule add -q "$PWD/upstream" sub
            git -C cache/checkout reset -q --hard v1
            """)
        let paths = try plan(holdsClones: true).map(\.path)
        #expect(Set(paths) == [cache.appending("db"), cache.appending("checkout")])
    }

    @Test("Keeps a bare clone of a tool whose objects another repository borrows")
    func keepsLentClonesOfTools() throws {
        try cloneAsTool()
        try run("git clone -q --shared cache/db cache/sharing")
        let paths = try plan(holdsClones: true).map(\.path)
        #expect(Set(paths) == [cache.appending("checkout"), cache.appending("sharing")])
    }
}
