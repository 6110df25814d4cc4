//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue/builds.catalogue: change that.

extension EmbeddedCatalogue {
    static let builds = Text(
        file: "builds.catalogue",
        content: #"""
            [ccache]
            name       = ccache
            what       = Results of compilations
            path       = $XDG_CACHE_HOME/ccache
            path       = ~/.ccache/[0-9a-f]
            path       = $CCACHE_DIR/[0-9a-f]
            path.macos = ~/Library/Caches/ccache
            shape      = [0-9a-f]/[0-9a-v]{28}* [0-9a-f]/[0-9a-f]/[0-9a-v]{28}* [0-9a-f]/[0-9a-f]/[0-9a-f]/[0-9a-v]{28}*
            unit       = file
            protect    = ccache.conf
            clean      = ccache --clear
            by         = files
            cost       = Sources are compiled again
            source     = https://ccache.dev/manual/latest.html

            [sccache]
            name       = sccache
            what       = Results of compilations
            path       = $XDG_CACHE_HOME/sccache
            path       = $SCCACHE_DIR/[0-9a-f]
            path.macos = ~/Library/Caches/Mozilla.sccache
            shape      = [0-9a-f]/[0-9a-f]/[0-9a-f]{64}
            unit       = file
            cost       = Sources are compiled again
            source     = https://github.com/mozilla/sccache/blob/main/docs/Local.md

            [bazel]
            name       = Bazel outputs
            what       = What Bazel built, a directory for each workspace
            path.linux = $XDG_CACHE_HOME/bazel/_bazel_*
            path.macos = /private/var/tmp/_bazel_*
            path       = $TEST_TMPDIR/_bazel_*
            shape      = install/[0-9a-f]{32} [0-9a-f]{32}
            lock       = */lock
            unit       = entry
            cost       = Workspaces are built again
            source     = https://bazel.build/remote/output-directories

            [bazelisk]
            name       = Bazelisk
            what       = Versions of Bazel that were downloaded
            path       = $XDG_CACHE_HOME/bazelisk
            path.macos = ~/Library/Caches/bazelisk
            path       = $BAZELISK_HOME/downloads
            shape      = bazelbuild/bazel-* sha256/[0-9a-f]{64} metadata/bazelbuild
            unit       = entry
            cost       = A version is downloaded again when a workspace asks for it
            source     = https://github.com/bazelbuild/bazelisk

            [pants]
            name       = Pants
            what       = Results and downloads of the build system Pants
            path       = $XDG_CACHE_HOME/pants
            unit       = entry
            cost       = Projects are built again
            source     = https://www.pantsbuild.org/stable/docs/using-pants/setting-up-an-ide

            [turbo]
            name       = Turborepo
            what       = Results of tasks that no project of its own holds
            path       = $XDG_CACHE_HOME/turborepo
            path.macos = ~/Library/Caches/turborepo
            unit       = entry
            cost       = Tasks are run again
            source     = https://turborepo.com/docs/crafting-your-repository/caching

            [meson]
            name       = Meson
            what       = Archives of subprojects that Meson downloaded
            path       = $XDG_CACHE_HOME/meson/*
            unit       = entry
            cost       = Archives are downloaded again
            source     = https://mesonbuild.com/Wrap-dependency-system-manual.html

            [vcpkg]
            name       = vcpkg
            what       = Binary packages that vcpkg built
            path       = $XDG_CACHE_HOME/vcpkg/archives
            path       = ~/.cache/vcpkg/archives
            path       = $VCPKG_DEFAULT_BINARY_CACHE/[0-9a-f][0-9a-f]
            shape      = [0-9a-f]{64}.zip
            unit       = file
            cost       = Packages are built again
            source     = https://learn.microsoft.com/vcpkg/users/binarycaching

            [xcode-derived-data]
            name       = Xcode DerivedData
            what       = Builds, indexes and logs of Xcode, a directory for each project
            path.macos = ~/Library/Developer/Xcode/DerivedData
            unit       = entry
            cost       = Projects are built and indexed again
            source     = https://developer.apple.com/documentation/xcode/build-system

            [xcode-device-support]
            name       = Xcode device support
            what       = Symbols of systems that connected devices had
            path.macos = ~/Library/Developer/Xcode/iOS DeviceSupport
            path.macos = ~/Library/Developer/Xcode/watchOS DeviceSupport
            path.macos = ~/Library/Developer/Xcode/tvOS DeviceSupport
            path.macos = ~/Library/Developer/Xcode/visionOS DeviceSupport
            unit       = entry
            class      = lastResort
            cost       = They are copied again when a device with that system is connected
            source     = https://developer.apple.com/documentation/xcode/diagnosing-issues-using-crash-reports-and-device-logs

            [xcode-documentation]
            name       = Xcode caches
            what       = Documentation, previews and packages that Xcode keeps
            path.macos = ~/Library/Caches/com.apple.dt.Xcode
            path.macos = ~/Library/Developer/Xcode/UserData/Previews
            unit       = entry
            cost       = They are made or downloaded again
            source     = https://developer.apple.com/documentation/xcode

            [simulator-caches]
            name       = Simulator caches
            what       = Shared caches of code that simulators made
            path.macos = ~/Library/Developer/CoreSimulator/Caches
            unit       = entry
            cost       = They are made again when a simulator next starts
            source     = https://developer.apple.com/documentation/xcode/running-your-app-in-simulator-or-on-a-device

            [android]
            name       = Android builds
            what       = Results of builds that Android's tools keep
            path       = ~/.android/build-cache
            path       = ~/.android/cache
            unit       = entry
            cost       = They are built or downloaded again
            source     = https://developer.android.com/tools/variables

            [kotlin-native]
            name       = Kotlin/Native
            what       = Compilers and libraries that Kotlin downloaded
            path       = ~/.konan/cache
            path       = ~/.konan/dependencies
            path       = $KONAN_DATA_DIR/cache
            path       = $KONAN_DATA_DIR/dependencies
            shape      = llvm-[0-9]* *-unknown-linux-gnu-* libffi-[0-9]* lldb-[0-9]* target-sysroot-[0-9]* target-toolchain-[0-9]* ../kotlin-native-*
            lock       = .lock
            unit       = entry
            cost       = They are downloaded again at the next build
            source     = https://kotlinlang.org/docs/native-improving-compilation-time.html
            """#)
}
