//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCatalog

extension RuleBook {
    /// The rules that come with Headroom, and those that the catalogue of well-known caches makes.
    ///
    /// Text in the program, not a file beside it: an app that embeds the library has no further file
    /// to carry, and reading one would take Foundation. ``init(parsing:)`` reads others.
    public static let standard: RuleBook = {
        // A test reads the text. Without it nothing would be recognised by its name.
        ((try? RuleBook(parsing: text)) ?? RuleBook()).adding(Catalogue.standard.ruleBook)
    }()

    package static let text = catalogue + data

    /// What lies outside of the directories for caches and can be had again, but is no cache that may be
    /// purged: the catalogue has those.
    private static let catalogue = """
        # topic        scope  pattern                                what it is
        pnpm           home   .local/share/pnpm/store/               Packages that pnpm downloaded
        rustup         home   .rustup/toolchains/                    Rust toolchains
        maven          home   .m2/repository/                        Packages that Maven downloaded
        conan          home   .conan2/p/                             Packages that Conan downloaded
        ccache         home   .ccache/                               Compiler results
        swiftly        home   .local/share/swiftly/toolchains/       Swift toolchains
        pyenv          home   .pyenv/versions/                       Python installations
        nvm            home   .nvm/versions/                         Node.js installations
        models         home   .ollama/models/                        Models that Ollama downloaded
        steam          home   .local/share/Steam/steamapps/common/   Games from Steam
        flatpak        home   .local/share/flatpak/repo/             Programs from Flatpak
        node           any    node_modules/                          Packages that npm installed
        python         any    __pycache__/                           Compiled Python
        python         any    .mypy_cache/                           A type checker's cache
        python         any    .pytest_cache/                         A test runner's cache
        python         any    .ruff_cache/                           A linter's cache
        python         any    .tox/                                  Environments that tox made
        swiftpm        any    .build/                                What Swift Package Manager built
        xcode          any    DerivedData/                           What Xcode built
        gradle         any    .gradle/caches/                        Gradle's caches
        browser        any    GPUCache/                              A browser's cache
        browser        any    Code Cache/                            A browser's cache
        browser        any    ShaderCache/                           A browser's cache
        browser        any    Service Worker/CacheStorage/           A browser's cache
        browser        any    CacheStorage/                          A browser's cache
        urlcache       any    fsCachedData/                          Responses of web servers
        images         any    com.hackemist.SDImageCache/            Pictures that SDWebImage keeps
        images         any    com.hackemist.SDWebImageCache.*/       Pictures that SDWebImage keeps
        images         any    com.onevcat.Kingfisher.ImageCache.*/   Pictures that Kingfisher keeps
        images         any    com.pinterest.PINDiskCache.*/          What PINCache keeps

        """

    /// What apps keep with their data and can have again, by the names they usually give it.
    private static let data = """
        thumbnails     data   Thumbnails/            Thumbnails
        thumbnails     data   Thumbs/                Thumbnails
        thumbnails     data   *Thumbnail*Cache*/     Thumbnails
        thumbnails     data   .thumbnails/           Thumbnails
        api            data   API*Cache/             Responses of a service
        api            data   API*Responses/         Responses of a service
        api            data   Response*Cache/        Responses of a service
        api            data   Responses/             Responses of a service
        api            data   HTTP*Cache/            Responses of a service
        api            data   Network*Cache/         Responses of a service
        api            data   URLCache/              Responses of a service
        tiles          data   Map*Tiles/             Map tiles
        tiles          data   Tiles/                 Map tiles
        tiles          data   Tile*Cache/            Map tiles
        tiles          data   Offline*Maps/          Maps
        tiles          data   *.mbtiles              A map
        tiles          data   *.pmtiles              A map
        index          data   Search*Index/          A search index
        index          data   SpotlightIndex/        A search index
        index          data   FullTextIndex/         A search index
        media          data   Downloads/             What was downloaded
        media          data   Downloaded*/           What was downloaded
        media          data   Offline*Media/         Films and sound from the network
        media          data   Offline*Videos/        Films from the network
        media          data   Episodes/              Episodes
        media          data   Video*Cache/           Films from the network
        media          data   Audio*Cache/           Sound from the network
        media          data   Image*Cache/           Pictures from the network
        media          data   Stream*Cache/          Films and sound from the network
        cache          data   Cache/                 A cache
        cache          data   Caches/                A cache
        cache          data   *.cache/               A cache

        """
}
