//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
import HeadroomEngine
import SystemPackage

/// The trash of Apple's systems. Nothing is decided here.
///
/// watchOS and tvOS have none: everything stays.
struct SystemTrash: SystemTrashing {
    func put(_ path: FilePath) throws(HeadroomError) -> FilePath? {
        #if os(tvOS) || os(watchOS)
        throw HeadroomError(
            .refused, "\(path.displayText) was left alone: this system has no trash.")
        #else
        do {
            var place: NSURL?
            try unsafe FileManager.default.trashItem(
                at: URL(filePath: path.string), resultingItemURL: &place)
            guard let text = place?.path else { return nil }
            return FilePath(text)
        } catch {
            throw HeadroomError(
                .io, "Could not move \(path.displayText) to the trash: \(error).")
        }
        #endif
    }
}
#endif
