//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The trash of Apple's systems, which moves things by itself and tells nobody where they were.
///
/// watchOS and tvOS have none: `trashItem` then throws, and everything stays.
struct SystemTrash {
    private let core: StorageCore

    init(_ core: StorageCore) {
        self.core = core
    }

    func dispose(of selection: UserFileSelection) -> Receipt {
        core.workspace.dispose(
            of: selection, requester: core.owner.text, within: core.disposable
        ) { path throws(HeadroomError) in
            #if os(tvOS) || os(watchOS)
            throw HeadroomError(
                .refused, "\(path.displayText) was left alone: this system has no trash.")
            #else
            do {
                try unsafe FileManager.default.trashItem(
                    at: URL(filePath: path.string), resultingItemURL: nil)
            } catch {
                throw HeadroomError(
                    .io, "Could not move \(path.displayText) to the trash: \(error).")
            }
            #endif
        }
    }
}
#endif
