# This source file is part of the Headroom project.
# Copyright (c) 2026 the Headroom project authors
# SPDX-License-Identifier: Apache-2.0

PREFIX ?= /usr/local
DESTDIR ?=
# Where make serve answers.
LISTEN ?= 127.0.0.1:9105
# The runtime is linked in: the programs run where no Swift is installed.
# The linker removes unused functions if each has its own section and the program exports no symbols.
ifeq ($(shell uname),Linux)
LINKING = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
endif
BUILD = swift build -c release --package-path Tools --scratch-path .build --static-swift-stdlib $(LINKING) --product
# A fast build for a first look: no optimization, no debug information.
QUICK_BUILD = swift build -debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 \
	--package-path Tools --scratch-path .build --product

.DEFAULT_GOAL := help
.PHONY: help run serve test test-fast test-apple soak torture sanitize fuzz check example bench million site pictures install release deb sbom dist newcomer

help: ## What can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build headroom without optimization and show this home and its volumes; changes nothing
	@Scripts/bootstrap build
	@$(QUICK_BUILD) headroom --disable-default-traits
	@.build/debug/headroom status

serve: ## Build headroom and headroomd and start the dashboard; by itself it deletes nothing
	@Scripts/bootstrap build
	@$(QUICK_BUILD) headroom
	@$(QUICK_BUILD) headroomd
	@.build/debug/headroom serve --defaults --listen $(LISTEN) --show-token

release: ## Build the three programs
	@Scripts/bootstrap build
	@$(BUILD) headroom
	@$(BUILD) headroomd
	@$(BUILD) headroom-protect

test: ## Run every test
	@Scripts/bootstrap build test
	@Scripts/test

test-fast: ## Run the tests that need no root, browser, child process or mount
	@Scripts/bootstrap build
	@Scripts/test --fast

test-apple: ## Build the library for SYSTEM (macOS, iOS, …) with Xcode; on macOS, run its tests, too
ifeq ($(or $(SYSTEM),macOS),macOS)
	@swift test
else
	@xcodebuild build -quiet -scheme Headroom -destination 'generic/platform=$(SYSTEM)'
endif

soak: ## Run every test, the long ones in full
	@Scripts/bootstrap build test
	@HEADROOM_SOAK=1 Scripts/test
	@swift build -c release --package-path Benchmarks
	@Benchmarks/.build/release/headroom-bench tasks --on $(or $(wildcard /dev/shm),/tmp) --scale 4 --rounds 3 --at-most 10

torture: ## Attack the program on file systems of its own; TIME=3600 for an hour, LOG=file, root needed
	@Scripts/bootstrap build test
	@Scripts/torture --time $(or $(TIME),300) $(if $(LOG),--log $(LOG))

sanitize: ## Run the tests in which threads meet under the thread and address sanitizers
	@Scripts/bootstrap build test
	@Scripts/sanitize

fuzz: ## Feed the parsers of foreign bytes; TIME=60 seconds each, TARGET=key-bag for one, LOG=file
	@Scripts/bootstrap build test
	@Scripts/fuzz --time $(or $(TIME),60) $(if $(LOG),--log $(LOG)) $(TARGET)

check: ## Format, headers, layers, scripts, documentation, builds without warnings
	@Scripts/bootstrap build check
	@Scripts/check

example: ## Build the podcast downloader and run it through a day of a small disk
	@Scripts/bootstrap build test
	@Scripts/example

bench: ## Measure against the floor and other tools; BENCH="scan --scale 0.1" for a part
	@Scripts/bootstrap build bench
	@if [ -f Tools/Package.swift ]; then $(BUILD) headroom; fi
	@swift build -c release --package-path Benchmarks
	@Benchmarks/.build/release/headroom-bench $(or $(BENCH),all)

million: release ## Measure the dashboard with a million files: minutes, 7 GB of memory; MILLIONS=2 for more
	@Scripts/bootstrap build test
	@HEADROOM_DASHBOARD_MILLION=$(or $(MILLIONS),1) HEADROOM_DASHBOARD_PROGRAM=$(CURDIR)/.build/release/headroom \
		Scripts/test-dashboard test_million

site: ## Make the documentation a site in .build/site; SITE="--base /headroom" for where it will be
	@Scripts/bootstrap site
	@Scripts/site $(SITE)

pictures: release ## Make the pictures of the documentation and the terminal of the README anew, from the program as it is (needs root)
	@Scripts/bootstrap test site
	@Scripts/pictures --program .build/release/headroom
	@Scripts/transcripts --program .build/release/headroom

install: release ## Install below PREFIX (/usr/local): programs, manual, completions, units
	@Scripts/stage .build/release/headroom "$(DESTDIR)" "$(PREFIX)"

uninstall: ## Remove what make install has put below PREFIX; settings, ledger and marks stay
	@Scripts/unstage "$(DESTDIR)" "$(PREFIX)"

deb: release ## Make the Debian packages, and try them in a clean root (needs root)
	@Scripts/bootstrap package
	@Scripts/make-deb --program .build/release/headroom
	@Scripts/try-deb

sbom: release ## Write the bill of materials of each program (SPDX 2.3)
	@mkdir -p dist
	@for program in headroom headroomd headroom-protect; do \
		Scripts/sbom --program .build/release/$$program >dist/$$program.spdx.json && echo dist/$$program.spdx.json; done

dist: ## Check, test, and make all files of a release in dist; DIST=--dry-run
	@Scripts/bootstrap build check test package lint
	@Scripts/release $(DIST)

newcomer: ## Follow README.md in a clean root that has Swift, git and make (needs root)
	@Scripts/bootstrap package
	@Scripts/try-newcomer
