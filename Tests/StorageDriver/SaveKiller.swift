//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

/// Kills the process, as `kill -9` would, where a save reaches a step.
enum SaveKiller {
    private static let isArmed = Atomic<Bool>(false)

    /// The hook of a storage for the number of a step.
    static func hook(_ number: String) -> @Sendable (SaveStep) -> Void {
        let fatal = Int(number).flatMap(SaveStep.init(rawValue:))
        return { step in
            if step == fatal, isArmed.load(ordering: .relaxed) { _ = kill(getpid(), SIGKILL) }
        }
    }

    /// Saves 300,000 times `N` in one of the ways that there are.
    static func save(_ kind: String, to storage: Storage) throws {
        let data = Data(repeating: 0x4E, count: 300_000)
        // The first save of a process looks at the directory; the next takes the short way.
        if kind == "short" { try storage.save(data, as: .cache, named: "first") }
        isArmed.store(true, ordering: .relaxed)
        switch kind {
        case "new": try storage.save(data, as: .cache, named: "Trip/photo")
        case "full": try storage.save(data, as: .cache, named: "photo", durability: .full)
        case "pieces":
            let size = ByteCount(300_000)
            try storage.save(as: .cache, named: "photo", expecting: size) { file in
                for _ in 0..<3 { try file.write(data.prefix(100_000)) }
            }
        default: try storage.save(data, as: .cache, named: "photo")
        }
    }
}
