//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomApple
import SwiftUI

@main
struct StorageScreenApp: App {
    private let start: Start

    init() {
        // Here, since a background task can only be registered while the app launches.
        start = Start()
    }

    var body: some Scene {
        WindowGroup {
            switch start {
            case .ready(let storage, let cleanUp):
                ContentView(storage: storage)
                    .task {
                        // What is due at every launch; then the next run in the background.
                        await storage.start()
                        try? await cleanUp.submit()
                    }
                    .task { await storage.pressure.followSystemHints() }
            case .failed(let message):
                ContentUnavailableView(
                    "No storage", systemImage: "externaldrive.badge.xmark",
                    description: Text(message))
            }
        }
    }
}

/// What is set up at the launch.
private enum Start {
    case ready(Storage, BackgroundCleanUp)
    case failed(String)

    @MainActor
    init() {
        do {
            let storage = try Storage.app(owner: "StorageScreen")
            storage.register(ResponseCacheModule())
            storage.register(WebDataModule(storage))
            let cleanUp = storage.backgroundCleanUp(identifier: "org.example.headroom.clean-up")
            do {
                try cleanUp.register()
            } catch {
                // The app works without; what is missing in the Info.plist is said here.
                print(error)
            }
            self = .ready(storage, cleanUp)
        } catch {
            self = .failed(error.message)
        }
    }
}
