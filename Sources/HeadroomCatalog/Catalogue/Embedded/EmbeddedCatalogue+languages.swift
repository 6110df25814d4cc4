//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/languages.catalogue: change that.

extension EmbeddedCatalogue {
    static let languages = Text(
        file: "languages.catalogue",
        content: #"""
            [gradle]
            name       = Gradle
            what       = Packages, transforms and results of builds that Gradle keeps
            path       = ~/.gradle/caches
            path       = $GRADLE_USER_HOME/caches
            shape      = modules-[0-9]* journal-[0-9]* jars-[0-9]* transforms-[0-9]* build-cache-[0-9]*
            shape      = [0-9].[0-9] [0-9].[0-9]{2} [0-9].[0-9].[0-9] [0-9].[0-9]{2}.[0-9]
            lock       = */*.lock */*/*.lock
            unit       = entry
            cost       = Packages are downloaded, and builds done, again
            source     = https://docs.gradle.org/current/userguide/directory_layout.html

            [gradle-wrapper]
            name       = Gradle versions
            what       = Versions of Gradle that projects' wrappers downloaded
            path       = ~/.gradle/wrapper/dists
            path       = $GRADLE_USER_HOME/wrapper/dists
            shape      = gradle-[0-9]*-bin gradle-[0-9]*-all
            unit       = entry
            importance = 60
            cost       = A version is downloaded again when a project next builds with it
            source     = https://docs.gradle.org/current/userguide/gradle_wrapper.html

            [gradle-daemon]
            name       = Gradle logs
            what       = Logs of Gradle's daemons
            path       = ~/.gradle/daemon/*
            path       = $GRADLE_USER_HOME/daemon/*
            shape      = daemon-[0-9]*.out.log
            unit       = file
            class      = temporary
            cost       = Logs of past builds are gone
            source     = https://docs.gradle.org/current/userguide/directory_layout.html

            [maven]
            name       = Maven
            what       = Packages that Maven downloaded, and such as were built and installed here
            path       = ~/.m2/repository
            by         = command
            class      = essential
            clean      = mvn dependency:purge-local-repository
            cost       = Packages are downloaded again; what mvn install put there has to be built again
            source     = https://maven.apache.org/guides/introduction/introduction-to-repositories.html

            [ivy]
            name       = Ivy
            what       = Packages that Ivy and sbt downloaded
            path       = ~/.ivy2/cache
            unit       = entry
            cost       = Packages are downloaded again at the next build
            source     = https://ant.apache.org/ivy/history/latest-milestone/concept.html

            [coursier]
            name       = Coursier
            what       = Packages that sbt, Mill and Scala CLI downloaded
            path.linux = $XDG_CACHE_HOME/coursier/v*
            path.macos = ~/Library/Caches/Coursier/v*
            unit       = file
            cost       = Packages are downloaded again at the next build
            source     = https://get-coursier.io/docs/cache

            [coursier-archives]
            name       = Coursier JVMs
            what       = Versions of Java and programs that Coursier unpacked
            path.linux = $XDG_CACHE_HOME/coursier/arc
            path.linux = $XDG_CACHE_HOME/coursier/jvm
            path.macos = ~/Library/Caches/Coursier/arc
            path.macos = ~/Library/Caches/Coursier/jvm
            unit       = entry
            class      = lastResort
            cost       = Programs that use that Java do not run until cs java has downloaded it again
            source     = https://github.com/coursier/coursier/issues/3029

            [nuget]
            name       = NuGet
            what       = Packages that .NET projects share
            path       = ~/.nuget/packages
            unit       = entry
            clean      = dotnet nuget locals global-packages --clear
            by         = files
            cost       = Packages are downloaded again at the next restore
            source     = https://learn.microsoft.com/nuget/consume-packages/managing-the-global-packages-and-cache-folders

            [nuget-http]
            name       = NuGet answers
            what       = Answers of package sources
            path       = $XDG_DATA_HOME/NuGet/v3-cache
            path       = $XDG_DATA_HOME/NuGet/http-cache
            unit       = file
            cost       = They are asked for again at the next restore
            source     = https://learn.microsoft.com/nuget/consume-packages/managing-the-global-packages-and-cache-folders

            [composer]
            name       = Composer
            what       = Packages and repositories that Composer downloaded
            path       = $XDG_CACHE_HOME/composer
            path       = ~/.composer/cache
            path.macos = ~/Library/Caches/composer
            path       = $COMPOSER_CACHE_DIR/files
            path       = $COMPOSER_CACHE_DIR/repo
            path       = $COMPOSER_CACHE_DIR/vcs
            shape      = https---* http---* */*/[0-9a-f]{40}.zip */*/[0-9a-f]{40}.tar
            unit       = entry
            clean      = composer clear-cache
            by         = files
            clones     = yes
            cost       = Packages are downloaded again when they are next installed
            source     = https://getcomposer.org/doc/06-config.md#cache-dir

            [gem]
            name       = RubyGems
            what       = Archives of gems that are installed
            path       = ~/.gem/ruby/*/cache
            path       = $XDG_DATA_HOME/gem/ruby/*/cache
            path       = $GEM_HOME/cache
            path       = $XDG_CACHE_HOME/gem/specs
            shape      = *-[0-9]*.gem ../specifications/*-[0-9]*.gemspec
            unit       = file
            cost       = gem pristine downloads an archive again
            source     = https://guides.rubygems.org/command-reference/#gem-environment

            [bundler]
            name       = Bundler
            what       = Archives and compact indexes of gems
            path       = ~/.bundle/cache
            path       = ~/.bundle/cache/git
            path       = $BUNDLE_USER_CACHE/compact_index
            shape      = *.443.[0-9a-f]{32} *.80.[0-9a-f]{32}
            unit       = entry
            clones     = yes
            cost       = They are fetched again at the next bundle install
            source     = https://bundler.io/man/bundle-config.1.html

            [cocoapods]
            name       = CocoaPods
            what       = Pods that were downloaded
            path.macos = ~/Library/Caches/CocoaPods
            unit       = entry
            clean      = pod cache clean --all
            by         = files
            cost       = Pods are downloaded again at the next installation
            source     = https://guides.cocoapods.org/terminal/commands.html

            [pub]
            name       = Dart pub
            what       = Packages that Dart and Flutter projects share
            path       = ~/.pub-cache/hosted
            path       = ~/.pub-cache/git
            path       = $PUB_CACHE/hosted
            path       = $PUB_CACHE/git
            shape      = pub.dev pub.dartlang.org pub.flutter-io.cn cache/*-[0-9a-f]{40} *-[0-9a-f]{40}
            unit       = entry
            clean      = dart pub cache clean --force
            by         = files
            clones     = yes
            cost       = Packages are downloaded again: dart pub get
            source     = https://dart.dev/tools/pub/cmd/pub-cache

            [conda]
            name       = conda
            what       = Packages that conda downloaded, and that environments share
            path       = ~/.conda/pkgs
            path       = ~/miniconda3/pkgs
            path       = ~/anaconda3/pkgs
            path       = ~/miniforge3/pkgs
            path       = $CONDA_PKGS_DIRS
            shape      = urls urls.txt
            by         = command
            clean      = conda clean --all --yes
            cost       = Packages are downloaded again when environments are made
            source     = https://docs.conda.io/projects/conda/en/stable/commands/clean.html

            [cabal]
            name       = Cabal
            what       = Packages that Cabal downloaded
            path       = $XDG_CACHE_HOME/cabal/packages
            path       = ~/.cabal/packages
            unit       = entry
            cost       = cabal update and the next build download them again
            source     = https://cabal.readthedocs.io/en/stable/config.html

            [hex]
            name       = Hex
            what       = Packages that Elixir and Erlang projects downloaded
            path       = ~/.hex/packages
            path       = $XDG_CACHE_HOME/rebar3/hex
            unit       = file
            cost       = Packages are downloaded again at the next build
            source     = https://hex.pm/docs/usage

            [rebar3-plugins]
            name       = rebar3 plug-ins
            what       = Plug-ins that rebar3 downloaded and compiled for all projects
            path       = $XDG_CACHE_HOME/rebar3/plugins
            unit       = entry
            clones     = yes
            cost       = Plug-ins are downloaded and compiled again at the next build
            source     = https://github.com/erlang/rebar3/pull/441

            [rebar3-program]
            name       = rebar3
            what       = The program rebar3, as rebar3 local install installs it
            path       = $XDG_CACHE_HOME/rebar3/bin
            path       = $XDG_CACHE_HOME/rebar3/lib
            class      = essential
            cost       = The program has to be installed again
            source     = https://github.com/erlang/rebar3/issues/1926

            [opam]
            name       = opam
            what       = Sources of packages that opam downloaded
            path       = ~/.opam/download-cache
            path       = $OPAMROOT/download-cache
            shape      = md5/[0-9a-f]{2} sha256/[0-9a-f]{2} sha512/[0-9a-f]{2}
            lock       = ../lock
            protect    = git
            unit       = file
            clean      = opam clean --download-cache --yes
            by         = files
            cost       = Sources are downloaded again when packages are rebuilt
            source     = https://opam.ocaml.org/doc/man/opam-clean.html

            [zig]
            name       = Zig
            what       = Packages that Zig downloaded, and what it compiled for all projects
            path       = $XDG_CACHE_HOME/zig
            path       = $ZIG_GLOBAL_CACHE_DIR/[hoptz]
            shape      = [0-9a-f]{32}* N-V-__*
            unit       = entry
            cost       = They are downloaded and compiled again
            source     = https://ziglang.org/learn/build-system/

            [conan]
            name       = Conan
            what       = Packages that Conan downloaded and built
            path       = ~/.conan2/p
            path       = $CONAN_HOME/p
            shape      = cache.sqlite3 */metadata
            by         = command
            class      = essential
            clean      = conan cache clean
            cost       = Sources and builds that no package needs are made again
            source     = https://docs.conan.io/2/reference/commands/cache.html

            [huggingface-shared]
            name       = Hugging Face store
            what       = Models that were downloaded, with one store of files for all of them
            path       = $XDG_CACHE_HOME/huggingface/hub
            path       = $HF_HOME/hub
            path       = $HF_HUB_CACHE
            path       = $HUGGINGFACE_HUB_CACHE
            requires   = blobs
            shape      = models--* datasets--* spaces--* kernels--* blobs version.txt
            by         = command
            clean      = hf cache prune
            cost       = Files that no model uses are downloaded again when one does
            source     = https://github.com/huggingface/huggingface_hub/pull/4498

            [huggingface]
            name       = Hugging Face
            what       = Models that were downloaded
            path       = $XDG_CACHE_HOME/huggingface/hub
            path       = $HF_HOME/hub
            path       = $HF_HUB_CACHE
            path       = $HUGGINGFACE_HUB_CACHE
            shape      = models--* datasets--* spaces--* kernels--* .locks
            lock       = .locks/*/*.lock
            unit       = entry
            class      = lastResort
            cost       = Gigabytes are downloaded again when a model is next used
            source     = https://huggingface.co/docs/huggingface_hub/guides/manage-cache

            [huggingface-datasets]
            name       = Hugging Face data sets
            what       = Data sets that were prepared for training
            path       = $XDG_CACHE_HOME/huggingface/datasets
            path       = $HF_HOME/datasets
            shape      = *___*/*/[0-9]*.[0-9]*.[0-9]* downloads/[0-9a-f]{64}* downloads/extracted
            unit       = entry
            class      = lastResort
            cost       = They are downloaded and prepared again
            source     = https://huggingface.co/docs/datasets/cache

            [huggingface-xet]
            name       = Hugging Face parts
            what       = Parts of models that are shared between them
            path       = $XDG_CACHE_HOME/huggingface/xet
            path       = $HF_HOME/xet
            shape      = https___* logs/xet_*.log
            unit       = entry
            cost       = Updated models are downloaded whole
            source     = https://huggingface.co/docs/huggingface_hub/guides/manage-cache

            [huggingface-tokens]
            name       = Hugging Face settings
            what       = Tokens with which models are downloaded
            path       = $XDG_CACHE_HOME/huggingface
            path       = $HF_HOME
            class      = essential
            cost       = One has to sign in again
            source     = https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables

            [torch]
            name       = PyTorch
            what       = Models that PyTorch downloaded
            path       = $XDG_CACHE_HOME/torch/hub
            path       = $TORCH_HOME/hub/checkpoints
            shape      = *-[a-f][0-9a-f]{7}.pth *-[0-9a-f][a-f][0-9a-f]{6}.pth *-[0-9a-f]{2}[a-f][0-9a-f]{5}.pth *-[0-9a-f]{3}[a-f][0-9a-f]{4}.pth
            shape      = *-[0-9a-f]{4}[a-f][0-9a-f]{3}.pth *-[0-9a-f]{5}[a-f][0-9a-f]{2}.pth *-[0-9a-f]{6}[a-f][0-9a-f].pth *-[0-9a-f]{7}[a-f].pth
            unit       = entry
            class      = lastResort
            cost       = Models are downloaded again when they are next used
            source     = https://docs.pytorch.org/docs/stable/hub.html

            [homebrew]
            name       = Homebrew
            what       = Archives of programs that Homebrew downloaded
            path.macos = ~/Library/Caches/Homebrew
            path.macos = ~/Library/Caches/Homebrew/downloads
            path.linux = $XDG_CACHE_HOME/Homebrew
            path.linux = $XDG_CACHE_HOME/Homebrew/downloads
            path       = $HOMEBREW_CACHE/downloads
            shape      = [0-9a-f]{64}--*
            unit       = entry
            clean      = brew cleanup --prune=all
            by         = files
            clones     = yes
            cost       = Archives are downloaded again when programs are reinstalled
            source     = https://docs.brew.sh/Manpage#cleanup-options-formulacask-
            """#)
}
