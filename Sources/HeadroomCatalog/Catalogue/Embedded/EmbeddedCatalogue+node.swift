//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/node.catalogue: change that.

extension EmbeddedCatalogue {
    static let node = Text(
        file: "node.catalogue",
        content: #"""
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
            """#)
}
