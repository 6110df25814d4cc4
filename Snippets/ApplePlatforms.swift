//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the landing page of HeadroomApple; compiled where there are the frameworks.

#if os(iOS)
import Foundation
import Headroom
import HeadroomApple

@MainActor
func adopt() async throws {
    // snippet.modules
    let storage = try Storage.app(owner: "Podcasts")
    storage.register(WebDataModule(storage))  // caches of web views; never cookies or storage
    storage.register(ResponseCacheModule())  // URLCache.shared, by its own interface
    // snippet.end
    // snippet.background
    let cleanUp = storage.backgroundCleanUp(identifier: "org.example.podcasts.clean-up")
    try cleanUp.register()
    try await cleanUp.submit()
    // snippet.end
}

func protect(_ letter: Data, _ url: URL, _ storage: Storage) throws {
    // snippet.protection
    try storage.save(letter, as: .essential(.userContent), named: "letter", protection: .complete)
    print(try storage.protection(of: url))
    // snippet.end
}

func share() throws -> Storage {
    // snippet.group
    let shared = try Storage.appGroup("group.org.example.podcasts", owner: "Podcasts")
    // snippet.end
    return shared
}
#endif
