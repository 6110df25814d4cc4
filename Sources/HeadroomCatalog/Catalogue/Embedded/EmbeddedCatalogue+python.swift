//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/python.catalogue: change that.

extension EmbeddedCatalogue {
    static let python = Text(
        file: "python.catalogue",
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

            [prek]
            name       = prek
            what       = Environments of hooks that prek made
            path       = $XDG_CACHE_HOME/prek
            by         = command
            clean      = prek cache gc
            cost       = Hooks that no repository uses are set up again when one does
            source     = https://github.com/j178/prek/blob/master/crates/prek/src/cli/run/stash.rs

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
            """#)
}
