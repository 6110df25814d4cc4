//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/tools.catalogue: change that.

extension EmbeddedCatalogue {
    static let tools = Text(
        file: "tools.catalogue",
        content: #"""
            [terraform]
            name       = Terraform providers
            what       = Providers that projects share
            path       = ~/.terraform.d/plugin-cache/*/*
            path       = $TF_PLUGIN_CACHE_DIR/*.*/*
            shape      = */[0-9]*.[0-9]*.[0-9]*/linux_* */[0-9]*.[0-9]*.[0-9]*/darwin_* */[0-9]*.[0-9]*.[0-9]*/freebsd_*
            unit       = entry
            class      = lastResort
            cost       = Projects do not run until terraform init has downloaded the providers again
            source     = https://developer.hashicorp.com/terraform/cli/config/config-file#provider-plugin-cache

            [helm]
            name       = Helm
            what       = Charts and indexes of repositories
            path       = $XDG_CACHE_HOME/helm
            path.macos = ~/Library/Caches/helm
            path       = $HELM_CACHE_HOME/repository
            shape      = *-index.yaml *-charts.txt
            unit       = entry
            cost       = Charts are downloaded again; helm repo update fetches the indexes
            source     = https://helm.sh/docs/helm/helm/

            [helm-plugins]
            name       = Helm plug-ins
            what       = Plug-ins as Helm cloned or unpacked them
            path       = $XDG_CACHE_HOME/helm/plugins
            path.macos = ~/Library/Caches/helm/plugins
            unit       = entry
            class      = lastResort
            clones     = yes
            cost       = Plug-ins that are links to them have to be installed again
            source     = https://github.com/helm/helm/issues/7206

            [kubectl]
            name       = kubectl
            what       = Resources that Kubernetes servers offer, and their answers
            path       = ~/.kube/cache
            path       = ~/.kube/http-cache
            path       = $KUBECACHEDIR
            shape      = discovery/*_[0-9]* http/[0-9a-f]{64} http/.diskv-temp
            protect    = oidc-login kubelogin
            unit       = entry
            cost       = Servers are asked again, once
            source     = https://kubernetes.io/docs/reference/kubectl/kubectl/

            [minikube]
            name       = minikube
            what       = Images and programs that minikube downloaded
            path       = ~/.minikube/cache
            unit       = entry
            importance = 60
            cost       = They are downloaded again when a cluster is next created
            source     = https://minikube.sigs.k8s.io/docs/handbook/offline/

            [vagrant]
            name       = Vagrant downloads
            what       = Boxes that Vagrant was downloading
            path       = ~/.vagrant.d/tmp
            unit       = entry
            class      = temporary
            cost       = Interrupted downloads begin from the start
            source     = https://developer.hashicorp.com/vagrant/docs/other/environmental-variables

            [packer]
            name       = Packer
            what       = Installation media that Packer downloaded
            path       = $XDG_CACHE_HOME/packer
            path       = $PACKER_CACHE_DIR
            shape      = [0-9a-f]{40}*.iso [0-9a-f]{40}*.iso.lock [0-9a-f]{40}*.img [0-9a-f]{40}*.qcow2
            protect    = ssh_private_key_* port
            lock       = *.lock
            unit       = file
            class      = lastResort
            cost       = Media are downloaded again at the next build
            source     = https://developer.hashicorp.com/packer/docs/configure

            [ansible]
            name       = Ansible
            what       = Files that modules left behind, and answers of Galaxy
            path       = ~/.ansible/tmp
            path       = ~/.ansible/galaxy_cache
            unit       = entry
            class      = temporary
            cost       = Galaxy is asked again
            source     = https://docs.ansible.com/ansible/latest/reference_appendices/config.html

            [act]
            name       = act
            what       = Actions that act cloned, and caches of past runs
            path       = $XDG_CACHE_HOME/act
            path       = $XDG_CACHE_HOME/actcache
            protect    = */hostexecutor
            unit       = entry
            clones     = yes
            cost       = Actions are cloned again, and steps are run again
            source     = https://nektosact.com/usage/index.html

            [trivy]
            name       = Trivy
            what       = Databases of vulnerabilities, and results of scans
            path       = $XDG_CACHE_HOME/trivy
            path       = $TRIVY_CACHE_DIR
            shape      = db/trivy.db db/metadata.json java-db/trivy-java.db java-db/metadata.json fanal/fanal.db
            shape      = policy/content policy/metadata.json
            unit       = entry
            clean      = trivy clean --all
            by         = files
            cost       = Databases are downloaded again at the next scan
            source     = https://trivy.dev/latest/docs/configuration/cache/

            [grype]
            name       = Grype
            what       = The database of vulnerabilities
            path       = $XDG_CACHE_HOME/grype
            unit       = entry
            cost       = The database is downloaded again at the next scan
            source     = https://github.com/anchore/grype

            [nix]
            name       = Nix
            what       = Archives, repositories and evaluated expressions
            path       = $XDG_CACHE_HOME/nix
            unit       = entry
            clones     = yes
            cost       = They are downloaded and evaluated again
            source     = https://nix.dev/manual/nix/latest/command-ref/conf-file

            [guix]
            name       = Guix
            what       = Checkouts of channels, and substitutes' narinfos
            path       = $XDG_CACHE_HOME/guix
            unit       = entry
            clones     = yes
            cost       = Channels are fetched again by the next guix pull
            source     = https://guix.gnu.org/manual/en/html_node/Invoking-guix-pull.html

            [aur-helpers]
            name       = AUR helpers
            what       = Recipes of packages, and packages built from them
            path.linux = $XDG_CACHE_HOME/yay
            path.linux = $XDG_CACHE_HOME/paru/clone
            path.linux = $XDG_CACHE_HOME/pikaur
            path.linux = $XDG_CACHE_HOME/aurutils/sync
            unit       = entry
            cost       = Recipes are cloned, and packages built, again at the next update
            source     = https://wiki.archlinux.org/title/AUR_helpers

            [elm]
            name       = Elm
            what       = Packages that Elm downloaded
            path       = ~/.elm/*/packages
            path       = $ELM_HOME/[0-9]*.[0-9]*.[0-9]*/packages
            shape      = */*/[0-9]*.[0-9]*.[0-9]* registry.dat
            unit       = entry
            cost       = Packages are downloaded again at the next build
            source     = https://github.com/elm/compiler

            [gleam]
            name       = Gleam
            what       = Packages that Gleam downloaded
            path       = $XDG_CACHE_HOME/gleam/hex/hexpm/packages
            path.macos = ~/Library/Caches/gleam/hex/hexpm/packages
            unit       = file
            cost       = Packages are downloaded again at the next build
            source     = https://github.com/gleam-lang/gleam/blob/main/compiler-core/src/paths.rs

            [ghcup]
            name       = GHCup
            what       = Archives of compilers and tools
            path       = ~/.ghcup/cache
            path       = ~/.ghcup/tmp
            unit       = entry
            clean      = ghcup gc --cache --tmpdirs
            by         = files
            cost       = An archive is downloaded again when that version is next installed
            source     = https://www.haskell.org/ghcup/guide/

            [maven-wrapper]
            name       = Maven versions
            what       = Versions of Maven that projects' wrappers downloaded
            path       = ~/.m2/wrapper/dists
            unit       = entry
            importance = 60
            cost       = A version is downloaded again when a project next builds with it
            source     = https://maven.apache.org/tools/wrapper/

            [sdkman]
            name       = SDKMAN!
            what       = Archives that SDKMAN! downloaded
            path       = ~/.sdkman/tmp
            path       = ~/.sdkman/archives
            path       = $SDKMAN_DIR/tmp
            shape      = *-[0-9]*.zip *-[0-9]*.bin *-[0-9]*.headers ../candidates
            unit       = entry
            clean      = sdk flush
            by         = files
            class      = temporary
            cost       = An archive is downloaded again when that version is next installed
            source     = https://sdkman.io/usage

            [jbang]
            name       = JBang
            what       = Scripts that JBang compiled, and their dependencies' paths
            path       = ~/.jbang/cache/jars
            path       = ~/.jbang/cache/urls
            path       = ~/.jbang/cache/projects
            unit       = entry
            cost       = Scripts are compiled again when they are next run
            source     = https://www.jbang.dev/documentation/jbang/latest/caching.html

            [dart-analysis]
            name       = Dart analysis
            what       = Results of the analysis of Dart code
            path       = ~/.dartServer/.analysis-driver
            path       = ~/.dartServer/.pub-package-details-cache
            unit       = file
            cost       = Projects are analyzed again
            source     = https://github.com/dart-lang/sdk/blob/main/pkg/analysis_server/README.md

            [unity]
            name       = Unity
            what       = Packages that Unity's package manager downloaded
            path.linux = $XDG_CONFIG_HOME/unity3d/cache
            path.macos = ~/Library/Unity/cache
            unit       = entry
            cost       = Packages are downloaded again when a project is next opened
            source     = https://docs.unity3d.com/Manual/upm-cache.html

            [godot]
            name       = Godot
            what       = Caches of the editor
            path.linux = $XDG_CACHE_HOME/godot
            path.macos = ~/Library/Caches/Godot
            unit       = entry
            cost       = The editor creates them again
            source     = https://docs.godotengine.org/en/stable/tutorials/io/data_paths.html

            [unreal]
            name       = Unreal Engine
            what       = Shaders and assets that were prepared for all projects
            path.linux = $XDG_CONFIG_HOME/Epic/UnrealEngine/Common/DerivedDataCache
            unit       = entry
            importance = 60
            cost       = They are prepared again, which may take hours
            source     = https://dev.epicgames.com/documentation/en-us/unreal-engine/using-derived-data-cache-in-unreal-engine

            [zed]
            name       = Zed
            what       = Caches of the editor Zed
            path.linux = $XDG_CACHE_HOME/zed
            path.macos = ~/Library/Caches/Zed
            unit       = entry
            cost       = Projects are indexed again
            source     = https://zed.dev/docs/uninstall

            [emacs-native]
            name       = Emacs native code
            what       = Lisp that Emacs compiled to native code
            path       = ~/.emacs.d/eln-cache
            path       = $XDG_CONFIG_HOME/emacs/eln-cache
            unit       = entry
            cost       = Lisp is compiled again when it is next loaded
            source     = https://www.gnu.org/software/emacs/manual/html_node/elisp/Native_002dCompilation-Variables.html

            [neovim-lua]
            name       = Neovim scripts
            what       = Lua that Neovim compiled
            path       = $XDG_CACHE_HOME/nvim/luac
            unit       = file
            cost       = Scripts are compiled again when they are next loaded
            source     = https://neovim.io/doc/user/lua.html#vim.loader

            [tree-sitter]
            name       = Tree-sitter
            what       = Parsers that were compiled
            path       = $XDG_CACHE_HOME/tree-sitter
            path.macos = ~/Library/Caches/tree-sitter
            unit       = entry
            cost       = Parsers are compiled again when they are next used
            source     = https://tree-sitter.github.io/tree-sitter/cli/parse.html

            [vscodium]
            name       = VSCodium and others
            what       = Compiled scripts and pages that editors derived from VS Code keep
            path.linux = $XDG_CONFIG_HOME/VSCodium/Cache
            path.linux = $XDG_CONFIG_HOME/VSCodium/CachedData
            path.linux = $XDG_CONFIG_HOME/VSCodium/CachedExtensionVSIXs
            path.linux = $XDG_CONFIG_HOME/VSCodium/Code Cache
            path.linux = $XDG_CONFIG_HOME/Cursor/Cache
            path.linux = $XDG_CONFIG_HOME/Cursor/CachedData
            path.linux = $XDG_CONFIG_HOME/Cursor/CachedExtensionVSIXs
            path.linux = $XDG_CONFIG_HOME/Cursor/Code Cache
            path.linux = $XDG_CONFIG_HOME/Code - Insiders/Cache
            path.linux = $XDG_CONFIG_HOME/Code - Insiders/CachedData
            path.linux = $XDG_CONFIG_HOME/Code - Insiders/CachedExtensionVSIXs
            path.linux = $XDG_CONFIG_HOME/Code - Insiders/Code Cache
            path.linux = $XDG_CONFIG_HOME/Code - OSS/Cache
            path.linux = $XDG_CONFIG_HOME/Code - OSS/CachedData
            path.linux = $XDG_CONFIG_HOME/Code - OSS/CachedExtensionVSIXs
            path.linux = $XDG_CONFIG_HOME/Code - OSS/Code Cache
            unit       = entry
            cost       = They start more slowly once
            source     = https://code.visualstudio.com/docs/configure/settings

            [gnome-builder]
            name       = GNOME Builder
            what       = Builds, indexes and downloads of GNOME Builder
            path.linux = $XDG_CACHE_HOME/gnome-builder
            unit       = entry
            cost       = Projects are built and indexed again
            source     = https://builder.readthedocs.io/

            [android-emulators]
            name       = Android emulators
            what       = Virtual devices with what is installed on them
            path       = ~/.android/avd
            class      = essential
            cost       = Virtual devices and their data are lost
            source     = https://developer.android.com/studio/run/managing-avds

            [shell-plugins]
            name       = Plugins of shells
            what       = Themes and plugins that a shell or an editor loads when it starts
            path.linux = $XDG_CACHE_HOME/oh-my-posh
            path.linux = $XDG_CACHE_HOME/zsh4humans
            path.linux = $XDG_CACHE_HOME/antibody
            path.linux = $XDG_CACHE_HOME/dein
            unit       = directory
            class      = lastResort
            cost       = Shells and editors start with errors until the plugins are downloaded again
            source     = https://ohmyposh.dev/docs/installation/customize
            """#)
}
