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
            [pip]
            name       = pip
            what       = Packages, answers of package indexes and built wheels that pip keeps
            path       = $XDG_CACHE_HOME/pip
            path.macos = ~/Library/Caches/pip
            path       = $PIP_CACHE_DIR/http
            path       = $PIP_CACHE_DIR/http-v2
            path       = $PIP_CACHE_DIR/wheels
            shape      = [0-9a-f]/[0-9a-f]/[0-9a-f] [0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{2}
            unit       = file
            clean      = pip cache purge
            by         = files
            cost       = Packages are downloaded, and some built, again when they are next installed
            source     = https://pip.pypa.io/en/stable/topics/caching/

            [uv]
            name       = uv
            what       = Packages that uv downloaded and unpacked
            path       = $XDG_CACHE_HOME/uv
            path       = $UV_CACHE_DIR
            shape      = archive-v* wheels-v* simple-v* sdists-v* builds-v* interpreter-v* git-v* environments-v*
            lock       = .lock
            by         = command
            clean      = uv cache prune
            clones     = yes
            cost       = Packages that no environment uses are downloaded again
            source     = https://docs.astral.sh/uv/concepts/cache/

            [pipenv]
            name       = pipenv
            what       = Packages that Pipenv downloaded
            path       = $XDG_CACHE_HOME/pipenv
            path.macos = ~/Library/Caches/pipenv
            unit       = file
            cost       = Packages are downloaded again when they are next locked
            source     = https://pipenv.pypa.io/en/latest/configuration.html

            [poetry]
            name       = Poetry
            what       = Packages and answers of package indexes that Poetry downloaded
            path       = $XDG_CACHE_HOME/pypoetry/artifacts
            path       = $XDG_CACHE_HOME/pypoetry/cache
            path.macos = ~/Library/Caches/pypoetry/artifacts
            path.macos = ~/Library/Caches/pypoetry/cache
            path       = $POETRY_CACHE_DIR/artifacts
            path       = $POETRY_CACHE_DIR/cache
            shape      = [0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{2} repositories/*/_http repositories/*/_packages
            unit       = entry
            cost       = Packages are downloaded again when they are next installed
            source     = https://python-poetry.org/docs/configuration/#cache-dir

            [poetry-environments]
            name       = Poetry environments
            what       = Environments of projects, with what is installed in them
            path       = $XDG_CACHE_HOME/pypoetry/virtualenvs
            path.macos = ~/Library/Caches/pypoetry/virtualenvs
            path       = $POETRY_CACHE_DIR/virtualenvs
            shape      = *-????????-py[23]*
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until poetry install has run
            source     = https://python-poetry.org/docs/configuration/#virtualenvspath

            [pre-commit]
            name       = pre-commit
            what       = Environments of hooks that pre-commit made
            path       = $XDG_CACHE_HOME/pre-commit
            path       = $PRE_COMMIT_HOME
            shape      = db.db
            lock       = .lock
            by         = command
            clean      = pre-commit gc
            clones     = yes
            cost       = Hooks that no repository uses are set up again when one does
            source     = https://pre-commit.com/#pre-commit-gc

            [pdm]
            name       = PDM
            what       = Packages and answers of package indexes that PDM downloaded
            path       = $XDG_CACHE_HOME/pdm
            path.macos = ~/Library/Caches/pdm
            unit       = entry
            class      = lastResort
            clean      = pdm cache clear
            cost       = Packages are downloaded again; environments that link to them have to be created again
            source     = https://pdm-project.org/en/latest/usage/config/#cache-the-installation-of-wheels

            [hatch]
            name       = Hatch
            what       = Packages and answers that Hatch downloaded
            path       = $XDG_CACHE_HOME/hatch
            path.macos = ~/Library/Caches/hatch
            unit       = entry
            cost       = They are downloaded again when they are next used
            source     = https://hatch.pypa.io/latest/config/hatch/

            [hatch-environments]
            name       = Hatch environments
            what       = Environments of projects and Python versions, with what is installed in them
            path       = $XDG_CACHE_HOME/hatch/env/*
            path       = $XDG_CACHE_HOME/hatch/pythons
            path.macos = ~/Library/Caches/hatch/env/*
            path.macos = ~/Library/Caches/hatch/pythons
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until hatch env create has run
            source     = https://hatch.pypa.io/latest/config/hatch/

            [pixi-environments]
            name       = pixi environments
            what       = Environments of projects, with what is installed in them
            path       = $XDG_CACHE_HOME/rattler/cache/envs
            path       = $XDG_CACHE_HOME/pixi/envs
            path       = $PIXI_CACHE_DIR/envs
            path       = $RATTLER_CACHE_DIR/envs
            path.macos = ~/Library/Caches/rattler/cache/envs
            shape      = *-[0-9]{15}*/envs
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until pixi install has run
            source     = https://github.com/prefix-dev/pixi/issues/6655

            [rattler]
            name       = rattler packages
            what       = Packages that pixi and rattler downloaded and unpacked
            path       = $XDG_CACHE_HOME/rattler/cache/pkgs
            path       = $XDG_CACHE_HOME/pixi/pkgs
            path.macos = ~/Library/Caches/rattler/cache/pkgs
            unit       = entry
            cost       = Packages are downloaded again when environments are next created
            source     = https://pixi.prefix.dev/v0.72.0/reference/cli/pixi/clean/

            [direnv]
            name       = direnv environments
            what       = Environments of projects, with what is installed in them
            path       = $XDG_CACHE_HOME/direnv/layouts
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until their packages are installed again
            source     = https://github.com/direnv/direnv/wiki/Customizing-cache-location

            [pipx]
            name       = pipx
            what       = Environments of programs that pipx run started
            path       = $XDG_CACHE_HOME/pipx
            path.macos = ~/Library/Caches/pipx
            unit       = entry
            cost       = A program is installed again when it is next run
            source     = https://pipx.pypa.io/stable/explanation/how-pipx-works/

            [pyenv]
            name       = pyenv
            what       = Source archives of Python versions
            path       = ~/.pyenv/cache
            path       = ~/.pyenv/sources
            path       = $PYENV_ROOT/cache
            path       = $PYENV_ROOT/sources
            shape      = Python-[0-9]*.tar.xz Python-[0-9]*.tgz Python-[0-9]*.tar.gz Python-[0-9]*.tar.bz2
            shape      = [0-9]*.[0-9]*/Python-[0-9]* ../versions
            unit       = entry
            cost       = An archive is downloaded again when that version is next built
            source     = https://github.com/pyenv/pyenv/blob/master/plugins/python-build/README.md

            [black]
            name       = Black
            what       = Which files Black has formatted already
            path       = $XDG_CACHE_HOME/black
            path       = $BLACK_CACHE_DIR
            shape      = [0-9]{2}.*/*.pickle
            unit       = entry
            cost       = All files are checked again, once
            source     = https://black.readthedocs.io/en/stable/usage_and_configuration/file_collection_and_discovery.html

            [pylint]
            name       = Pylint
            what       = Statistics of past runs
            path       = $XDG_CACHE_HOME/pylint
            path.macos = ~/Library/Caches/pylint
            unit       = file
            cost       = The next run has no earlier score to compare with
            source     = https://pylint.readthedocs.io/en/stable/faq.html

            [npm]
            name       = npm
            what       = Packages that npm downloaded
            path       = ~/.npm/_cacache
            path       = $npm_config_cache/_cacache
            path       = $NPM_CONFIG_CACHE/_cacache
            shape      = content-v2 index-v5
            unit       = file
            clean      = npm cache clean --force
            by         = files
            cost       = Packages are downloaded again when they are next installed
            source     = https://docs.npmjs.com/cli/v10/commands/npm-cache

            [npm-logs]
            name       = npm logs
            what       = Logs of past runs of npm
            path       = ~/.npm/_logs
            path       = $npm_config_cache/_logs
            path       = $NPM_CONFIG_CACHE/_logs
            shape      = [0-9]{4}-*-debug-[0-9]*.log
            unit       = file
            class      = temporary
            cost       = Reports of past failures are gone
            source     = https://docs.npmjs.com/cli/v10/using-npm/logging

            [npx]
            name       = npx
            what       = Programs that npx fetched to run them once
            path       = ~/.npm/_npx
            path       = $npm_config_cache/_npx
            path       = $NPM_CONFIG_CACHE/_npx
            shape      = [0-9a-f]{16}
            unit       = entry
            cost       = They are fetched again when they are next run
            source     = https://docs.npmjs.com/cli/v10/commands/npx

            [yarn]
            name       = Yarn
            what       = Packages that Yarn 1 downloaded
            path       = $XDG_CACHE_HOME/yarn/v*
            path.macos = ~/Library/Caches/Yarn/v*
            unit       = entry
            clean      = yarn cache clean
            by         = files
            cost       = Packages are downloaded again when they are next installed
            source     = https://classic.yarnpkg.com/lang/en/docs/cli/cache/

            [yarn-berry]
            name       = Yarn packages
            what       = Archives of packages that projects share
            path       = ~/.yarn/berry/cache
            path       = $XDG_DATA_HOME/yarn/berry/cache
            path       = $YARN_GLOBAL_FOLDER/cache
            shape      = *-[0-9a-f]{10}-*.zip
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until yarn install has downloaded the packages again
            source     = https://github.com/yarnpkg/berry/issues/954

            [corepack]
            name       = Corepack
            what       = Versions of package managers that Corepack downloaded
            path       = $XDG_CACHE_HOME/node/corepack/*
            path       = $XDG_CACHE_HOME/node/corepack/v*/*
            path       = $COREPACK_HOME/v[0-9]/npm
            path       = $COREPACK_HOME/v[0-9]/pnpm
            path       = $COREPACK_HOME/v[0-9]/yarn
            shape      = [0-9]*.[0-9]*.[0-9]*
            unit       = entry
            clean      = corepack cache clear
            by         = files
            cost       = A version is downloaded again when a project next asks for it
            source     = https://github.com/nodejs/corepack#environment-variables

            [node-gyp]
            name       = node-gyp
            what       = Headers of Node.js, for native modules
            path       = $XDG_CACHE_HOME/node-gyp
            path.macos = ~/Library/Caches/node-gyp
            unit       = entry
            cost       = Headers are downloaded again when a native module is next built
            source     = https://github.com/nodejs/node-gyp#command-options

            [nvm]
            name       = nvm
            what       = Archives of Node.js versions
            path       = ~/.nvm/.cache
            path       = $NVM_DIR/.cache
            shape      = bin/node-v[0-9]* bin/iojs-v[0-9]* src/node-v[0-9]* src/iojs-v[0-9]*
            unit       = entry
            clean      = nvm cache clear
            by         = files
            cost       = An archive is downloaded again when that version is next installed
            source     = https://github.com/nvm-sh/nvm#usage

            [fnm-shells]
            name       = fnm shells
            what       = Links to the Node.js version that each open shell uses
            path       = $XDG_CACHE_HOME/fnm_multishells
            class      = essential
            cost       = Open shells lose node and npm
            source     = https://github.com/Schniz/fnm/blob/master/docs/configuration.md

            [prisma]
            name       = Prisma
            what       = Engines that Prisma downloaded
            path       = $XDG_CACHE_HOME/prisma
            unit       = entry
            cost       = Engines are downloaded again at the next installation
            source     = https://www.prisma.io/docs/orm/reference/environment-variables-reference

            [typescript]
            name       = TypeScript
            what       = Types that editors downloaded for JavaScript projects
            path       = $XDG_CACHE_HOME/typescript
            path.macos = ~/Library/Caches/typescript
            unit       = entry
            cost       = Types are downloaded again when a project is next opened
            source     = https://github.com/microsoft/TypeScript/wiki/Standalone-Server-(tsserver)

            [selenium]
            name       = Selenium
            what       = Drivers and browsers that Selenium downloaded
            path       = ~/.cache/selenium
            path       = $SE_CACHE_PATH
            shape      = chrome/linux* chrome/mac* chromedriver/linux* chromedriver/mac* firefox/linux* firefox/mac* geckodriver/linux* geckodriver/mac* edge/linux* edge/mac* msedgedriver/linux* msedgedriver/mac* se-metadata.json
            unit       = entry
            cost       = They are downloaded again when a test next runs
            source     = https://www.selenium.dev/documentation/selenium_manager/

            [pnpm-store]
            name       = pnpm store
            what       = Packages that pnpm downloaded, and that projects share
            path.linux = $XDG_DATA_HOME/pnpm/store
            path.macos = ~/Library/pnpm/store
            path       = $PNPM_HOME/store
            shape      = v[0-9]*
            by         = command
            clean      = pnpm store prune
            cost       = Packages that no project uses are downloaded again when one does
            source     = https://pnpm.io/cli/store

            [pnpm]
            name       = pnpm
            what       = Answers of registries that pnpm keeps
            path       = $XDG_CACHE_HOME/pnpm/metadata*
            path.macos = ~/Library/Caches/pnpm/metadata*
            unit       = file
            cost       = They are asked for again at the next installation
            source     = https://pnpm.io/settings#cachedir

            [pnpm-dlx]
            name       = pnpm dlx
            what       = Programs that pnpm dlx fetched to run them once
            path       = $XDG_CACHE_HOME/pnpm/dlx
            path.macos = ~/Library/Caches/pnpm/dlx
            unit       = entry
            cost       = They are fetched again when they are next run
            source     = https://pnpm.io/cli/dlx

            [bun]
            name       = Bun
            what       = Packages that Bun downloaded
            path       = ~/.bun/install/cache
            path       = $BUN_INSTALL/install/cache
            shape      = *@[0-9]*.[0-9]*.[0-9]* @*/*@[0-9]*.[0-9]*.[0-9]* @G@[0-9a-f]* *.npm [0-9a-f]{16}.git
            unit       = entry
            clean      = bun pm cache rm
            by         = files
            clones     = yes
            cost       = Packages are downloaded again when they are next installed
            source     = https://bun.sh/docs/install/cache

            [deno]
            name       = Deno
            what       = Modules that Deno downloaded and compiled
            path       = $XDG_CACHE_HOME/deno
            path       = $DENO_DIR/npm
            path       = $DENO_DIR/remote
            path       = $DENO_DIR/gen
            path.macos = ~/Library/Caches/deno
            shape      = registry.npmjs.org npm.jsr.io https/*.* http/*.* file npm jsr ../*_cache_v[0-9]* ../location_data
            protect    = location_data deno_history.txt
            unit       = entry
            cost       = Modules are downloaded and compiled again
            source     = https://docs.deno.com/runtime/reference/cli/clean/

            [cypress]
            name       = Cypress
            what       = The browsers' test runner, a version each
            path       = $XDG_CACHE_HOME/Cypress
            path.macos = ~/Library/Caches/Cypress
            path       = $CYPRESS_CACHE_FOLDER
            shape      = [0-9]*.[0-9]*.[0-9]*/Cypress [0-9]*.[0-9]*.[0-9]*/Cypress.app [0-9]*.[0-9]*.[0-9]*/binary_state.json
            unit       = entry
            clean      = cypress cache prune
            class      = lastResort
            cost       = Tests do not run until it is installed again: npx cypress install
            source     = https://docs.cypress.io/app/references/advanced-installation

            [playwright]
            name       = Playwright
            what       = Browsers for tests, a version each
            path.linux = $XDG_CACHE_HOME/ms-playwright
            path.macos = ~/Library/Caches/ms-playwright
            path       = $PLAYWRIGHT_BROWSERS_PATH
            shape      = chromium-[0-9]* chromium-tip-of-tree-[0-9]* chromium_*-[0-9]* firefox-[0-9]* firefox-beta-[0-9]*
            shape      = webkit-[0-9]* webkit_*-[0-9]* ffmpeg-[0-9]* ffmpeg_*-[0-9]* winldd-[0-9]*
            protect    = .links mcp-* daemon
            unit       = entry
            class      = lastResort
            cost       = Tests do not run until they are installed again: npx playwright install
            source     = https://playwright.dev/docs/browsers

            [puppeteer]
            name       = Puppeteer
            what       = Browsers for tests, a version each
            path       = $XDG_CACHE_HOME/puppeteer
            path       = $PUPPETEER_CACHE_DIR
            shape      = chrome/linux*-* chrome/mac*-* chrome/.metadata chrome-headless-shell/linux*-* chrome-headless-shell/mac*-* chrome-headless-shell/.metadata chromedriver/linux*-* chromedriver/mac*-* chromedriver/.metadata
            shape      = chromium/linux*-* chromium/mac*-* chromium/.metadata firefox/linux*-* firefox/mac*-* firefox/.metadata
            unit       = entry
            class      = lastResort
            cost       = Scripts do not run until they are installed again: npx puppeteer browsers install
            source     = https://pptr.dev/guides/configuration

            [electron]
            name       = Electron
            what       = Archives of Electron that were downloaded to build programs
            path       = $XDG_CACHE_HOME/electron
            path       = $XDG_CACHE_HOME/electron-builder
            path.macos = ~/Library/Caches/electron
            path.macos = ~/Library/Caches/electron-builder
            unit       = entry
            cost       = Archives are downloaded again at the next build
            source     = https://www.electronjs.org/docs/latest/tutorial/installation#cache

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
            """#)
}
