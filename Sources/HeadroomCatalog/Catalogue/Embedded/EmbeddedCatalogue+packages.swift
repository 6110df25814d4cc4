//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/packages.catalogue: change that.

extension EmbeddedCatalogue {
    static let packages = Text(
        file: "packages.catalogue",
        content: #"""
            [cargo]
            name       = Cargo
            what       = Crates that Cargo downloaded
            path       = ~/.cargo/registry/cache/*
            path       = $CARGO_HOME/registry/cache/*-[0-9a-f]{16}
            shape      = *-[0-9]*.crate
            lock       = ../../../.package-cache ../../../.package-cache-mutate
            unit       = file
            cost       = Crates are downloaded again when they are next built
            source     = https://doc.rust-lang.org/cargo/guide/cargo-home.html

            [cargo-sources]
            name       = Cargo sources
            what       = Crates as Cargo unpacked them
            path       = ~/.cargo/registry/src/*
            path       = $CARGO_HOME/registry/src/*-[0-9a-f]{16}
            shape      = *-[0-9]*
            lock       = ../../../.package-cache ../../../.package-cache-mutate
            unit       = entry
            importance = 40
            cost       = Crates are unpacked again, or downloaded, when they are next built
            source     = https://doc.rust-lang.org/cargo/guide/cargo-home.html

            [cargo-index]
            name       = Cargo index
            what       = What registries say of crates
            path       = ~/.cargo/registry/index
            path       = $CARGO_HOME/registry/index
            shape      = *-[0-9a-f]{16}
            lock       = ../../.package-cache ../../.package-cache-mutate
            unit       = entry
            importance = 60
            cost       = It is fetched again at the next build that resolves versions
            source     = https://doc.rust-lang.org/cargo/guide/cargo-home.html

            [cargo-git]
            name       = Cargo git
            what       = Repositories of crates that Cargo cloned, and their checkouts
            path       = ~/.cargo/git/db
            path       = ~/.cargo/git/checkouts
            path       = $CARGO_HOME/git/db
            path       = $CARGO_HOME/git/checkouts
            shape      = *-[0-9a-f]{16}
            lock       = ../../.package-cache ../../.package-cache-mutate
            unit       = entry
            clones     = yes
            cost       = Repositories are cloned again at the next build
            source     = https://doc.rust-lang.org/cargo/guide/cargo-home.html

            [rustup]
            name       = rustup downloads
            what       = Parts of toolchains that rustup was downloading
            path       = ~/.rustup/downloads
            path       = ~/.rustup/tmp
            path       = $RUSTUP_HOME/downloads
            path       = $RUSTUP_HOME/tmp
            shape      = [0-9a-f]{64}* [a-z0-9_]{16}_dir *[a-z0-9_]{16}_file* ../settings.toml
            unit       = entry
            class      = temporary
            cost       = Downloads that were cut off begin anew
            source     = https://rust-lang.github.io/rustup/environment-variables.html

            [go-build]
            name       = Go builds
            what       = Packages that Go compiled, and results of tests
            path       = $XDG_CACHE_HOME/go-build
            path.macos = ~/Library/Caches/go-build
            path       = $GOCACHE/[0-9a-f][0-9a-f]
            shape      = [0-9a-f]{64}-[ad]
            protect    = fuzz
            unit       = file
            clean      = go clean -cache
            by         = files
            cost       = Packages are compiled again
            source     = https://pkg.go.dev/cmd/go#hdr-Build_and_test_caching

            [go-modules]
            name       = Go modules
            what       = Modules that Go downloaded
            path       = ~/go/pkg/mod
            path       = $GOPATH/pkg/mod
            path       = $GOMODCACHE/cache/download
            shape      = cache/download cache/vcs cache/lock sumdb
            shape      = *.*@v[0-9]* *.*/*@v[0-9]* *.*/*/*@v[0-9]* *.*/*/*/*@v[0-9]* *.*/*/*/*/*@v[0-9]* *.*/*/*/*/*/*@v[0-9]* *.*/*/*/*/*/*/*@v[0-9]* *.*/*/*/*/*/*/*/*@v[0-9]*
            shape      = *.*/*/@v *.*/*/*/@v *.*/*/*/*/@v *.*/*/*/*/*/@v *.*/*/*/*/*/*/@v *.*/*/*/*/*/*/*/@v
            shape      = *.*/*/@latest *.*/*/*/@latest *.*/*/*/*/@latest *.*/*/*/*/*/@latest *.*/*/*/*/*/*/@latest *.*/*/*/*/*/*/*/@latest
            lock       = cache/lock ../lock
            unit       = entry
            clean      = go clean -modcache
            clones     = yes
            cost       = Modules are downloaded again when they are next built
            source     = https://go.dev/ref/mod#module-cache

            [go-tools]
            name       = Go tools
            what       = What gopls and staticcheck worked out
            path       = $XDG_CACHE_HOME/gopls
            path       = $XDG_CACHE_HOME/staticcheck
            path       = $XDG_CACHE_HOME/golangci-lint
            path.macos = ~/Library/Caches/gopls
            path.macos = ~/Library/Caches/staticcheck
            path.macos = ~/Library/Caches/golangci-lint
            unit       = file
            cost       = It is worked out again
            source     = https://go.dev/gopls/

            [swiftpm]
            name       = SwiftPM
            what       = Repositories and manifests that Swift Package Manager keeps for all packages
            path       = $XDG_CACHE_HOME/org.swift.swiftpm
            path       = $XDG_CACHE_HOME/org.swift.swiftpm/repositories
            path.macos = ~/Library/Caches/org.swift.swiftpm
            path.macos = ~/Library/Caches/org.swift.swiftpm/repositories
            unit       = entry
            clean      = swift package purge-cache
            by         = files
            clones     = yes
            cost       = Repositories are cloned again when packages are next resolved
            source     = https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/packagepurgecache

            [clang-modules]
            name       = Clang modules
            what       = Modules of headers that the compiler precompiled
            path       = $XDG_CACHE_HOME/clang/ModuleCache
            unit       = entry
            cost       = Modules are compiled again at the next build
            source     = https://clang.llvm.org/docs/Modules.html#module-cache

            [clangd]
            name       = clangd
            what       = Indexes of code that no project of its own holds
            path       = $XDG_CACHE_HOME/clangd/index
            unit       = file
            cost       = Code is indexed again when it is next opened
            source     = https://clangd.llvm.org/design/indexing

            [sbuild]
            name       = sbuild
            what       = Root file systems for builds of Debian packages
            path.linux = $XDG_CACHE_HOME/sbuild
            unit       = entry
            class      = lastResort
            cost       = Root file systems have to be made again
            source     = https://manpages.debian.org/stable/sbuild/sbuild.1.en.html
            """#)
}
